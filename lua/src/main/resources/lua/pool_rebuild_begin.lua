-- pool_rebuild_begin: raises a pool's epoch and begins to load it anew; what was stored of it before counts no more.
-- KEYS
--   1 hf:{pool}:stock            hash
--   2 hf:{pool}:ops              hash
--   3 hf:{pool}:notes            hash
--   4 hf:{pool}:due              zset
--   5 hf:{pool}:admitted         hash
-- ARGV
--   1 call          id           identity of this call, echoed
--   2 pool          path         pool id
--   3 run_id        path         identity of the Redis process
--   4 epoch         1..2^53-1    the rebuild's: the pool was never served under it
--   5 now           0..2^53-1    milliseconds since 1970
--   6 operation_id  path         this attempt of the rebuild
-- RETURNS
--   BEGUN since           now, or by this operation before; since is the operation from which on this process has kept the pool frozen
--   ALREADY_OPEN status fences  loaded and opened under this epoch and process before; nothing written
-- REFUSES MALFORMED STALE_EPOCH
-- IDEMPOTENT yes: the pool's hash names the attempt; another one takes over and begins anew. A pool that was opened stays open.
-- COST constant; what operations and notes held is freed in the background
SCRIPT, ENTITY = 'pool_rebuild_begin', ARGV[2] or ''
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'epoch', positive, 'now', whole,
    'operation_id', path }, GATE)
if bad then return no('MALFORMED', nil, bad) end
local books = read_books() or {}
local stored = redis.call('HMGET', KEYS[1], 'rebuilt_by', 'rebuilt_under', 'rebuilt_since', 'rebuilt_at',
    'frozen_under', 'frozen_since', 'rebuilt')
if books.epoch and books.epoch > arg.epoch then return no('STALE_EPOCH', nil, digits(books.epoch)) end

local lasting = false
if books.status == 'REBUILDING' then lasting = stored[2] == arg.run_id and stored[3]
elseif books.status == 'SUSPECT' then lasting = stored[5] == arg.run_id and stored[6] end
if books.epoch == arg.epoch then
    if books.status == 'REBUILDING' then
        if lasting and stored[1] == arg.operation_id then
            return answer('BEGUN', '1', record(books), stored[4] or '', lasting)
        end
    elseif books.run_id == arg.run_id and not books.fault then
        return no('ALREADY_OPEN', books, books.status, words(stored[7] or '')[13] or '0')
    end
end

books.epoch = arg.epoch
write_even_when_full()
redis.call('UNLINK', KEYS[2])
redis.call('UNLINK', arg.notes)
redis.call('HDEL', KEYS[1], 'frozen_by', 'frozen_under', 'frozen_since', 'frozen_at', 'verified', 'rebuilt')
for i = 1, #NUMBERS do
    books[NUMBERS[i]] = books[NUMBERS[i]] or 0
    redis.call('HSET', KEYS[1], NUMBERS[i], digits(books[NUMBERS[i]]))
end
redis.call('HSET', KEYS[1], 'status', 'REBUILDING', 'run_id', arg.run_id, 'updated_at', digits(arg.now),
    'rebuilt_by', arg.operation_id, 'rebuilt_under', arg.run_id, 'rebuilt_since', lasting or arg.operation_id,
    'rebuilt_at', digits(arg.now), 'loaded_chunks', '0', 'loaded_fences', '0', 'loaded_reserved', '0', 'loaded_sold', '0')
return answer('BEGUN', '0', record(books), digits(arg.now), lasting or arg.operation_id)
