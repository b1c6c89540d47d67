-- look: reads a pool's numbers and one fence; works on a pool that is not trusted, and says so.
-- KEYS
--   1 hf:{pool}:stock            hash
--   2 hf:{pool}:r:<reservation>  hash
-- ARGV
--   1 call         id            identity of this call, echoed
--   2 pool         path          pool id
--   3 run_id       path          identity of the Redis process
--   4 reservation  id            reservation id
-- RETURNS
--   SEEN trusted status fence    0|1, the pool's status, and the fence as a list of field, value, ... (empty: none of this epoch)
-- REFUSES MALFORMED POOL_MISSING BROKEN_BOOKS
-- IDEMPOTENT yes: writes nothing.
-- COST one read of the fence, which has one field per refund
SCRIPT, ENTITY = 'look', ARGV[4] or ''
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'reservation', id })
if bad then return no('MALFORMED', nil, bad) end
local books = read_books()
if not books then return no('POOL_MISSING') end
if books.fault then return no('BROKEN_BOOKS', nil, books.fault) end
-- What an earlier epoch left behind is no fence.
local fence = redis.call('HGETALL', KEYS[2])
local epoch = FIRST_EPOCH
for i = 1, #fence, 2 do
    if fence[i] == 'epoch' then epoch = fence[i + 1] end
end
if epoch ~= digits(books.epoch) then fence = {} end
if #fence > 0 then
    local read = read_fence(books, 'try')
    if not read or read.fault then return broken(books, 'fence') end
end
return no('SEEN', books, trusted(books, arg.run_id) and '1' or '0', books.status, fence)
