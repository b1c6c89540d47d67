-- pool_rebuild_load: puts fences as the journals have them in the place of what a pool under rebuild has, one chunk after the other.
-- KEYS
--   1 hf:{pool}:stock               hash
--   2 hf:{pool}:r:<reservation>     hash   of the first fence, then of each of the others
--   3 hf:{pool}:notes               hash   after the fences, as the next two
--   4 hf:{pool}:due                 zset
--   5 hf:{pool}:admitted            hash
-- ARGV
--   1 call          id           identity of this call, echoed
--   2 pool          path         pool id
--   3 run_id        path         identity of the Redis process
--   4 epoch         1..2^53-1    the rebuild's
--   5 now           0..2^53-1    milliseconds since 1970
--   6 operation_id  path         the attempt that began
--   7 chunk         1..2^53-1    number of this chunk
--   8 fences        fences       lines as in shared.lua, none of them NONE
-- RETURNS
--   LOADED chunk fences   loaded now, or before
--   OUT_OF_ORDER next     the chunk before is not loaded yet; nothing written
--   NOT_BEGUN status      no rebuild of this attempt is under way in this process; nothing written
-- REFUSES MALFORMED POOL_MISSING STALE_EPOCH BROKEN_BOOKS
-- IDEMPOTENT yes: the pool's hash counts the chunks of the attempt; one it has counted changes nothing.
-- COST one write for each fence, two for a sold one, three more for an admitted one, one more for each refund; the caller bounds the chunk
SCRIPT, ENTITY = 'pool_rebuild_load', ARGV[2] or ''
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'epoch', positive, 'now', whole,
    'operation_id', path, 'chunk', positive, 'fences', journaled_fences }, GATE)
if bad then return no('MALFORMED', nil, bad) end
local fences = arg.fences
for i = 1, #fences do
    if fences[i].phase == 'NONE' then return no('MALFORMED', nil, 'fences') end
end
local books = read_books()
if not books then return no('POOL_MISSING') end
if books.fault then return no('BROKEN_BOOKS', nil, books.fault) end
if books.epoch ~= arg.epoch then return no('STALE_EPOCH', nil, digits(books.epoch)) end
local stored = redis.call('HMGET', KEYS[1], 'rebuilt_by', 'rebuilt_under', 'loaded_chunks', 'loaded_fences', 'loaded_reserved',
    'loaded_sold')
if books.status ~= 'REBUILDING' or stored[1] ~= arg.operation_id or stored[2] ~= arg.run_id then
    return no('NOT_BEGUN', books, books.status)
end
local chunks, count, reserved, sold = whole(stored[3]), whole(stored[4]), whole(stored[5]), whole(stored[6])
if not (chunks and count and reserved and sold) then return broken(books, 'loaded') end
if arg.chunk <= chunks then return answer('LOADED', '1', record(books), '', digits(arg.chunk), digits(#fences)) end
if arg.chunk > chunks + 1 then return no('OUT_OF_ORDER', books, digits(chunks + 1)) end

for i = 1, #fences do
    if fences[i].phase == 'RESERVED' then reserved = reserved + fences[i].left else sold = sold + fences[i].left end
end
if reserved > MAX or sold > MAX then return no('MALFORMED', nil, 'fences') end
-- A write that grows comes first: a full Redis refuses the chunk whole.
redis.call('HSET', KEYS[1], 'loaded_chunks', digits(arg.chunk), 'loaded_fences', digits(count + #fences),
    'loaded_reserved', digits(reserved), 'loaded_sold', digits(sold), 'updated_at', digits(arg.now))
clear_fences(2, #fences)
local epoch, now = digits(arg.epoch), digits(arg.now)
for i = 1, #fences do
    write_journaled_fence(KEYS[i + 1], fences[i], epoch, now)
    note_journaled_fence(arg.notes, fences[i])
end
return answer('LOADED', '0', record(books), now, digits(arg.chunk), digits(#fences))
