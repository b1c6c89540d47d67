-- pool_verify: compares a pool with what the journals say and, where equal, trusts the Redis process that runs this.
-- KEYS
--   1 hf:{pool}:stock            hash
--   2 hf:{pool}:ops              hash
-- ARGV
--   1 call          id           identity of this call, echoed
--   2 pool          path         pool id
--   3 run_id        path         identity of the Redis process, taken over where equal
--   4 epoch         1..2^53-1    expected
--   5 now           0..2^53-1    milliseconds since 1970
--   6 operation_id  path         operation id
--   7 version       1..2^53-1 or empty   expected, where it is known
--   8 total         0..2^53-1    expected
--   9 deficit       0..2^53-1    expected
--  10 available     0..2^53-1    expected
--  11 reserved      0..2^53-1    expected
--  12 sold          0..2^53-1    expected
--  13 restore       OPEN|PAUSED|CLOSED|ARCHIVED   status of the pool where equal
-- RETURNS
--   VERIFIED status  equal now, or by this operation under this process before
--   DIFFERS status   not equal, the answer has the actual numbers; nothing written
--   CONFLICT         this operation id was used with other content
-- REFUSES MALFORMED POOL_MISSING BROKEN_BOOKS
-- IDEMPOTENT yes: the operations hash keeps the first answer. After another restart the same operation compares anew.
-- COST constant
SCRIPT, ENTITY = 'pool_verify', ARGV[2] or ''
local RESTORABLE = { OPEN = true, PAUSED = true, CLOSED = true, ARCHIVED = true }
local function restorable(text)
    return RESTORABLE[text] and text or nil
end
local function version_or_empty(text)
    return text == '' and '' or positive(text)
end
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'epoch', positive, 'now', whole,
    'operation_id', path, 'version', version_or_empty, 'total', whole, 'deficit', whole, 'available', whole,
    'reserved', whole, 'sold', whole, 'restore', restorable })
if bad then return no('MALFORMED', nil, bad) end
local books = read_books()
if not books then return no('POOL_MISSING') end
if books.fault then return no('BROKEN_BOOKS', nil, books.fault) end

local content = table.concat({ ARGV[4], ARGV[7], ARGV[8], ARGV[9], ARGV[10], ARGV[11], ARGV[12] }, ',')
local before = redis.call('HGET', KEYS[2], arg.operation_id)
if before then
    local list = words(before)
    if list[10] ~= SCRIPT then return no('CONFLICT', books) end
    if list[13] == arg.run_id then
        if list[11] ~= arg.restore or list[12] ~= content then return no('CONFLICT', books) end
        return answer(list[1], '1', table.concat(list, ' ', 2, 8), list[9], list[11])
    end
end
local equal = books.epoch == arg.epoch and (arg.version == '' or books.version == arg.version)
for i = 3, 7 do equal = equal and books[NUMBERS[i]] == arg[NUMBERS[i]] end
if not equal then return no('DIFFERS', books, books.status) end

write_even_when_full()
redis.call('HSET', KEYS[1], 'run_id', arg.run_id, 'status', arg.restore, 'updated_at', digits(arg.now))
redis.call('HSET', KEYS[2], arg.operation_id, kept('VERIFIED', books, digits(arg.now), SCRIPT, arg.restore, content, arg.run_id))
return answer('VERIFIED', '0', record(books), digits(arg.now), arg.restore)
