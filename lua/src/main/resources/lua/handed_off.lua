-- handed_off: takes an admitted hold off the list, since its actor has it in its journal; and says whether the hold is there.
-- KEYS
--   1 hf:{pool}:stock            hash
--   2 hf:{pool}:r:<reservation>  hash
--   3 hf:{pool}:due              zset
--   4 hf:{pool}:admitted         hash
-- ARGV
--   1 call         id            identity of this call, echoed
--   2 pool         path          pool id
--   3 run_id       path          identity of the Redis process
--   4 epoch        1..2^53-1     the pool's, as the caller knows it
--   5 now          0..2^53-1     milliseconds since 1970
--   6 reservation  id            reservation id
-- RETURNS
--   HANDED_OFF phase             off the list now, or before, and its fence has that phase
--   MISSING                      off the list, but the hold the journal knows has no fence
-- REFUSES MALFORMED POOL_MISSING POOL_SUSPECT STALE_EPOCH BROKEN_BOOKS
-- IDEMPOTENT yes: the fence keeps the first answer. It is off the list also where the pool is not trusted, so that a comparison or a
--   rebuild can go on; but not when it was admitted under a later epoch than the caller knows.
-- COST constant
SCRIPT, ENTITY = 'handed_off', ARGV[6] or ''
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'epoch', positive, 'now', whole,
    'reservation', id }, { 'due', 'admitted' })
if bad then return no('MALFORMED', nil, bad) end
local hold = words(redis.call('HGET', arg.admitted, arg.reservation) or '')
if (whole(hold[6]) or 0) <= arg.epoch then
    redis.call('HDEL', arg.admitted, arg.reservation)
    redis.call('ZREM', arg.due, arg.reservation)
end
local books = read_books()
local refused = untrusted(books, arg)
if refused then return refused end

local fence = read_fence(books, 'handed_off')
if not fence then return no('MISSING', books) end
if fence.fault then return broken(books, fence.fault) end
if fence.kept then return answer('HANDED_OFF', '1', table.concat(fence.kept, ' ', 2, 8), fence.kept[9], fence.phase) end
write_fence(books, 'handed_off', kept('HANDED_OFF', books, digits(arg.now)))
return answer('HANDED_OFF', '0', record(books), digits(arg.now), fence.phase)
