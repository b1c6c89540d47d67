-- pool_verify: compares a frozen pool with what the journals say and, where equal, trusts the Redis process that runs this.
-- KEYS
--   1 hf:{pool}:stock            hash
--   2 hf:{pool}:ops              hash
-- ARGV
--   1 call          id           identity of this call, echoed
--   2 pool          path         pool id
--   3 run_id        path         identity of the Redis process, taken over where equal
--   4 epoch         1..2^53-1    expected
--   5 now           0..2^53-1    milliseconds since 1970
--   6 operation_id  path         the operation that froze the pool
--   7 version       1..2^53-1    as it was frozen
--   8 total         0..2^53-1    expected
--   9 deficit       0..2^53-1    expected
--  10 available     0..2^53-1    expected
--  11 reserved      0..2^53-1    expected
--  12 sold          0..2^53-1    expected
--  13 restore       OPEN|PAUSED|CLOSED|ARCHIVED   status of the pool where equal
-- RETURNS
--   VERIFIED status    equal now, or by this operation under this process before
--   DIFFERS status     not equal, the answer has the actual numbers; nothing written
--   NOT_FROZEN status  this operation's freeze does not hold: never made, followed by another, lifted, or of another process
--   CONFLICT           this operation id was used with other content
-- REFUSES MALFORMED POOL_MISSING BROKEN_BOOKS
-- IDEMPOTENT yes: the pool's hash keeps the latest verification, for the process it was made under.
-- COST constant
SCRIPT, ENTITY = 'pool_verify', ARGV[2] or ''
local RESTORABLE = { OPEN = true, PAUSED = true, CLOSED = true, ARCHIVED = true }
local function restorable(text)
    return RESTORABLE[text] and text or nil
end
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'epoch', positive, 'now', whole,
    'operation_id', path, 'version', positive, 'total', whole, 'deficit', whole, 'available', whole,
    'reserved', whole, 'sold', whole, 'restore', restorable })
if bad then return no('MALFORMED', nil, bad) end
local books = read_books()
if not books then return no('POOL_MISSING') end
if books.fault then return no('BROKEN_BOOKS', nil, books.fault) end

if redis.call('HGET', KEYS[2], arg.operation_id) then return no('CONFLICT', books) end
local content = table.concat({ ARGV[4], ARGV[7], ARGV[8], ARGV[9], ARGV[10], ARGV[11], ARGV[12] }, ',')
local stored = redis.call('HMGET', KEYS[1], 'verified', 'frozen_by', 'frozen_under')
local list = words(stored[1] or '')
if list[10] == arg.operation_id and list[13] == arg.run_id then
    if list[11] ~= arg.restore or list[12] ~= content then return no('CONFLICT', books) end
    return answer(list[1], '1', table.concat(list, ' ', 2, 8), list[9], list[11])
end
-- What was compared was seen after the freeze. It says nothing of a pool that was served since, nor of another process.
if books.status ~= 'SUSPECT' or stored[2] ~= arg.operation_id or stored[3] ~= arg.run_id then
    return no('NOT_FROZEN', books, books.status)
end
local equal = true
for i = 1, 7 do equal = equal and books[NUMBERS[i]] == arg[NUMBERS[i]] end
if not equal then return no('DIFFERS', books, books.status) end

write_even_when_full()
redis.call('HDEL', KEYS[1], 'frozen_by', 'frozen_under', 'frozen_since', 'frozen_at')
redis.call('HSET', KEYS[1], 'run_id', arg.run_id, 'status', arg.restore, 'updated_at', digits(arg.now), 'verified',
    kept('VERIFIED', books, digits(arg.now), arg.operation_id, arg.restore, content, arg.run_id))
return answer('VERIFIED', '0', record(books), digits(arg.now), arg.restore)
