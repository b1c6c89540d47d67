-- pool_rebuild_open: opens a pool that was loaded anew, if what was loaded adds up to what the journals say.
-- KEYS
--   1 hf:{pool}:stock            hash
--   2 hf:{pool}:ops              hash
--   3 hf:{pool}:notes            hash
--   4 hf:{pool}:due              zset
--   5 hf:{pool}:admitted         hash
-- ARGV
--   1 call          id           identity of this call, echoed
--   2 pool          path         pool id
--   3 run_id        path         identity of the Redis process, trusted from here on
--   4 epoch         1..2^53-1    the rebuild's
--   5 now           0..2^53-1    milliseconds since 1970
--   6 operation_id  path         the attempt that began
--   7 chunks        0..2^53-1    chunks that were loaded
--   8 fence_count   0..2^53-1    fences in them
--   9 fenced_sold   0..2^53-1    units that the CONFIRMED ones among them have left
--  10 version       1..2^53-1    of the numbers
--  11 total         0..2^53-1    units
--  12 deficit       0..2^53-1    units
--  13 available     0..2^53-1    units
--  14 reserved      0..2^53-1    units, which are those the RESERVED fences have left
--  15 sold          0..2^53-1    units, among them those of reservations that have no fence any more
--  16 baseline      1..2^53-1    baseline version
--  17 restore       OPEN|PAUSED|CLOSED|ARCHIVED   status of the pool from here on
--  18 sale          sale or empty  limit,opens,closes of a pool with a gate
-- RETURNS
--   OPENED status                        now, or by this operation under this process before
--   DIFFERS chunks fences reserved sold  what was loaded is something else; nothing written
--   NOT_BEGUN status                     no rebuild of this attempt is under way in this process; nothing written
--   STILL_DUE waiting                    so many admitted holds are not handed over yet; nothing written
--   CONFLICT                             this operation opened the pool with other content
-- REFUSES MALFORMED POOL_MISSING STALE_EPOCH BROKEN_BOOKS
-- IDEMPOTENT yes: the pool's hash keeps the latest rebuild, for the process it was made under.
-- COST constant
SCRIPT, ENTITY = 'pool_rebuild_open', ARGV[2] or ''
local RESTORABLE = { OPEN = true, PAUSED = true, CLOSED = true, ARCHIVED = true }
local function restorable(text)
    return RESTORABLE[text] and text or nil
end
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'epoch', positive, 'now', whole,
    'operation_id', path, 'chunks', whole, 'fence_count', whole, 'fenced_sold', whole, 'version', positive,
    'total', whole, 'deficit', whole, 'available', whole, 'reserved', whole, 'sold', whole, 'baseline', positive, 'restore', restorable,
    'sale', sale_or_empty }, GATE)
if bad then return no('MALFORMED', nil, bad) end
if not balanced(arg) then return no('MALFORMED', nil, 'total') end
local books = read_books()
if not books then return no('POOL_MISSING') end
if books.fault then return no('BROKEN_BOOKS', nil, books.fault) end
if books.epoch ~= arg.epoch then return no('STALE_EPOCH', nil, digits(books.epoch)) end

local content = table.concat(ARGV, ',', 7, arg.sale == '' and 17 or 18)
local stored = redis.call('HMGET', KEYS[1], 'rebuilt', 'rebuilt_by', 'rebuilt_under', 'loaded_chunks', 'loaded_fences',
    'loaded_reserved', 'loaded_sold')
local list = words(stored[1] or '')
if list[10] == arg.operation_id and list[14] == arg.run_id then
    if list[12] ~= content then return no('CONFLICT', books) end
    return answer(list[1], '1', table.concat(list, ' ', 2, 8), list[9], list[11])
end
if books.status ~= 'REBUILDING' or stored[2] ~= arg.operation_id or stored[3] ~= arg.run_id then
    return no('NOT_BEGUN', books, books.status)
end
if stored[4] ~= digits(arg.chunks) or stored[5] ~= digits(arg.fence_count) or stored[6] ~= digits(arg.reserved)
        or stored[7] ~= digits(arg.fenced_sold) then
    return no('DIFFERS', books, stored[4] or '', stored[5] or '', stored[6] or '', stored[7] or '')
end

local waiting = redis.call('ZCARD', arg.due)
if waiting > 0 then return no('STILL_DUE', books, digits(waiting)) end

write_even_when_full()
write_numbers(arg, arg.now)
redis.call('HDEL', KEYS[1], 'rebuilt_by', 'rebuilt_under', 'rebuilt_since', 'rebuilt_at', 'loaded_chunks', 'loaded_fences',
    'loaded_reserved', 'loaded_sold', 'sale')
if arg.sale ~= '' then redis.call('HSET', KEYS[1], 'sale', arg.sale) end
redis.call('HSET', KEYS[1], 'run_id', arg.run_id, 'status', arg.restore, 'baseline_version', digits(arg.baseline),
    'rebuilt', kept('OPENED', arg, digits(arg.now), arg.operation_id, arg.restore, content, digits(arg.fence_count), arg.run_id))
return answer('OPENED', '0', record(arg), digits(arg.now), arg.restore)
