-- pool_status: pauses, resumes, closes, archives or freezes a pool; numbers and version stay.
-- KEYS
--   1 hf:{pool}:stock            hash
--   2 hf:{pool}:ops              hash
-- ARGV
--   1 call          id           identity of this call, echoed
--   2 pool          path         pool id
--   3 run_id        path         identity of the Redis process
--   4 epoch         1..2^53-1    the pool's, as the caller knows it
--   5 now           0..2^53-1    milliseconds since 1970
--   6 operation_id  path         operation id
--   7 target        OPEN|PAUSED|CLOSED|SUSPECT|ARCHIVED   SUSPECT also of a pool that is not trusted
-- RETURNS
--   CHANGED status since  set now, or by this operation before; of a freeze: the first operation that froze it, unless the pool was
--                         served, or the process another, in between
--   WRONG_STATUS status  no such step from the pool's status
--   STILL_RESERVED       not archived while units are reserved
--   CONFLICT             this operation id was used with other content
-- REFUSES MALFORMED POOL_MISSING POOL_SUSPECT STALE_EPOCH BROKEN_BOOKS
-- IDEMPOTENT yes: the operations hash keeps the first answer; a freeze is kept in the pool's hash until the next, or until it is lifted.
-- COST constant
SCRIPT, ENTITY = 'pool_status', ARGV[2] or ''
local FROM = {
    OPEN = { OPEN = true, PAUSED = true },
    PAUSED = { OPEN = true, PAUSED = true },
    CLOSED = { OPEN = true, PAUSED = true, CLOSED = true },
    ARCHIVED = { CLOSED = true, ARCHIVED = true },
    SUSPECT = { OPEN = true, PAUSED = true, CLOSED = true, ARCHIVED = true, SUSPECT = true },
}
local function target(text)
    return FROM[text] and text or nil
end
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'epoch', positive, 'now', whole,
    'operation_id', path, 'target', target })
if bad then return no('MALFORMED', nil, bad) end
local books = read_books()
local refused = untrusted(books, arg)
if refused and not (refused[4] == 'POOL_SUSPECT' and arg.target == 'SUSPECT') then return refused end
if books.fault then return no('BROKEN_BOOKS', nil, books.fault) end
if books.epoch ~= arg.epoch then return no('STALE_EPOCH', nil, digits(books.epoch)) end

local before = redis.call('HGET', KEYS[2], arg.operation_id)
if before then
    local list = words(before)
    if list[10] ~= SCRIPT or list[11] ~= arg.target then return no('CONFLICT', books) end
    return answer(list[1], '1', table.concat(list, ' ', 2, 8), list[9], list[11], '')
end
if not FROM[arg.target][books.status] then return no('WRONG_STATUS', books, books.status) end
if arg.target == 'ARCHIVED' and books.reserved > 0 then return no('STILL_RESERVED', books) end

if arg.target == 'SUSPECT' then
    local frozen = redis.call('HMGET', KEYS[1], 'frozen_by', 'frozen_under', 'frozen_since', 'frozen_at')
    local lasting = books.status == 'SUSPECT' and frozen[2] == arg.run_id and frozen[3]
    if lasting and frozen[1] == arg.operation_id then
        return answer('CHANGED', '1', record(books), frozen[4] or '', arg.target, lasting)
    end
    write_even_when_full()
    redis.call('HSET', KEYS[1], 'status', arg.target, 'frozen_by', arg.operation_id, 'frozen_under', arg.run_id,
        'frozen_since', lasting or arg.operation_id, 'frozen_at', digits(arg.now), 'updated_at', digits(arg.now))
    return answer('CHANGED', '0', record(books), digits(arg.now), arg.target, lasting or arg.operation_id)
end

write_even_when_full()
redis.call('HSET', KEYS[1], 'status', arg.target, 'updated_at', digits(arg.now))
redis.call('HSET', KEYS[2], arg.operation_id, kept('CHANGED', books, digits(arg.now), SCRIPT, arg.target))
return answer('CHANGED', '0', record(books), digits(arg.now), arg.target, '')
