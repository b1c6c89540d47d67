-- inspect: reads everything stored of a pool and, where one is named, of a reservation, uninterpreted; for people.
-- KEYS
--   1 hf:{pool}:stock            hash
--   2 hf:{pool}:r:<reservation>  hash
-- ARGV
--   1 call         id            identity of this call, echoed
--   2 pool         path          pool id
--   3 run_id       path          identity of the Redis process
--   4 reservation  id or empty   reservation id
-- RETURNS
--   INSPECTED trusted pool fence  0|1, and both hashes as lists of field, value, ... (empty: none)
-- REFUSES MALFORMED POOL_MISSING
-- IDEMPOTENT yes: writes nothing.
-- COST one read of the fence, which has one field per refund
SCRIPT, ENTITY = 'inspect', ARGV[2] or ''
local function id_or_empty(text)
    return text == '' and '' or id(text)
end
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'reservation', id_or_empty })
if bad then return no('MALFORMED', nil, bad) end
local pool = redis.call('HGETALL', KEYS[1])
if #pool == 0 then return no('POOL_MISSING') end
local fence = arg.reservation ~= '' and redis.call('HGETALL', KEYS[2]) or {}
local books = read_books()
return no('INSPECTED', nil, books and trusted(books, arg.run_id) and '1' or '0', pool, fence)
