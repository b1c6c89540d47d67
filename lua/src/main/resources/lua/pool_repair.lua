-- pool_repair: sets a pool's numbers, and one fence where one is named, if neither has moved since they were looked at.
-- KEYS
--   1 hf:{pool}:stock               hash
--   2 hf:{pool}:ops                 hash
--   3 hf:{pool}:r:<reservation>     hash   only where a fence is named
--   4 hf:{pool}:notes               hash   behind the others, as the next two
--   5 hf:{pool}:due                 zset
--   6 hf:{pool}:admitted            hash
-- ARGV
--   1 call          id             identity of this call, echoed
--   2 pool          path           pool id
--   3 run_id        path           identity of the Redis process
--   4 epoch         1..2^53-1      the pool's, as the caller knows it
--   5 now           0..2^53-1      milliseconds since 1970
--   6 operation_id  path           operation id
--   7 version       1..2^53-1      of the pool, as it was looked at
--   8 total         0..2^53-1      units from now on
--   9 deficit       0..2^53-1      units from now on
--  10 available     0..2^53-1      units from now on
--  11 reserved      0..2^53-1      units from now on
--  12 sold          0..2^53-1      units from now on
--  13 seen          seen or empty   of the fence as it was looked at: NONE, or phase,quantity,confirmed,released,refunded
--  14 fence         fence or empty  the fence from now on, a line as in shared.lua
-- RETURNS
--   REPAIRED         now, or by this operation before; the version rises by 1
--   MOVED version    the pool has that version now; nothing written
--   FENCE_MOVED now  the fence is that now; nothing written
--   CONFLICT         this operation id was used with other content
-- REFUSES MALFORMED POOL_MISSING POOL_SUSPECT STALE_EPOCH BROKEN_BOOKS
-- IDEMPOTENT yes: the operations hash keeps the first answer.
-- COST constant, but for one write for each refund of the fence
SCRIPT, ENTITY = 'pool_repair', ARGV[2] or ''
local function seen(text)
    if text == '' or text == 'NONE' or type(text) == 'string' and string.find(text, '^%u+,%d+,%d+,%d+,%d+$') then return text end
    return nil
end
local function fence_or_empty(text)
    if text == '' then return {} end
    local fences = journaled_fences(text)
    return fences and #fences == 1 and fences or nil
end
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'epoch', positive, 'now', whole,
    'operation_id', path, 'version', positive, 'total', whole, 'deficit', whole, 'available', whole, 'reserved', whole,
    'sold', whole, 'seen', seen, 'fence', fence_or_empty }, GATE)
if bad then return no('MALFORMED', nil, bad) end
if not balanced(arg) then return no('MALFORMED', nil, 'total') end
local fence = arg.fence[1]
if (arg.seen == '') ~= (fence == nil) then return no('MALFORMED', nil, 'seen') end
local books = read_books()
local refused = untrusted(books, arg)
if refused then return refused end

local content = string.gsub(table.concat(ARGV, '|', 7, 14), '%s', '_')
local before = redis.call('HGET', KEYS[2], arg.operation_id)
if before then
    local list = words(before)
    if list[10] ~= SCRIPT or list[11] ~= content then return no('CONFLICT', books) end
    return again(list)
end
if books.version ~= arg.version then return no('MOVED', books, digits(books.version)) end
local there, request
if fence then
    there = read_fence(books, 'try', KEYS[3])
    local now = 'NONE'
    if there then
        local stored = redis.call('HMGET', KEYS[3], 'phase', 'quantity', 'confirmed', 'released', 'refunded', 'request')
        for i = 1, 6 do stored[i] = stored[i] or '' end
        now, request = table.concat(stored, ',', 1, 5), stored[6]
    end
    if now ~= arg.seen then return no('FENCE_MOVED', books, now) end
end

arg.version = books.version + 1
if arg.version > MAX then return broken(books, 'version') end
write_even_when_full()
write_numbers(arg, arg.now)
if there and there.user then
    if LOADED[there.phase] and not there.fault then note_units(arg.notes, there.user, -there.left) end
    redis.call('HDEL', arg.notes, 'q:' .. there.user .. ':' .. request)
    redis.call('ZREM', arg.due, fence.reservation)
    redis.call('HDEL', arg.admitted, fence.reservation)
end
if fence then
    clear_fences(3, 1)
    write_journaled_fence(KEYS[3], fence, digits(arg.epoch), digits(arg.now))
    note_journaled_fence(arg.notes, fence)
end
redis.call('HSET', KEYS[2], arg.operation_id, kept('REPAIRED', arg, digits(arg.now), SCRIPT, content))
return answer('REPAIRED', '0', record(arg), digits(arg.now))
