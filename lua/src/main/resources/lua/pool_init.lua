-- pool_init: creates a pool, open, with everything available.
-- KEYS
--   1 hf:{pool}:stock            hash
--   2 hf:{pool}:ops              hash
-- ARGV
--   1 call          id           identity of this call, echoed
--   2 pool          path         pool id
--   3 run_id        path         identity of the Redis process
--   4 epoch         1..2^53-1    the pool's first
--   5 now           0..2^53-1    milliseconds since 1970
--   6 operation_id  path         operation id
--   7 total         0..2^53-1    units; baseline version 1
--   8 sale          sale or empty  limit,opens,closes of a pool with a gate
-- RETURNS
--   CREATED         created now, or by this operation before
--   EXISTS status   another operation created it
--   CONFLICT        this operation id was used with other content
-- REFUSES MALFORMED POOL_SUSPECT STALE_EPOCH BROKEN_BOOKS
-- IDEMPOTENT yes: the operations hash keeps the first answer. A pool whose operations are there and whose numbers are gone was
--   lost, not never created, and is not created again: BROKEN_BOOKS.
-- COST constant
SCRIPT, ENTITY = 'pool_init', ARGV[2] or ''
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'epoch', positive, 'now', whole,
    'operation_id', path, 'total', whole, 'sale', sale_or_empty })
if bad then return no('MALFORMED', nil, bad) end
local books = read_books()
if books then
    local refused = untrusted(books, arg)
    if refused then return refused end
    local before = redis.call('HGET', KEYS[2], arg.operation_id)
    if not before then return no('EXISTS', books, books.status) end
    local list = words(before)
    if list[10] ~= SCRIPT or list[11] ~= digits(arg.total) or (list[12] or '') ~= arg.sale then return no('CONFLICT', books) end
    return again(list)
end
if redis.call('EXISTS', KEYS[2]) == 1 then return no('BROKEN_BOOKS', nil, 'stock') end

books = { epoch = arg.epoch, version = 1, total = arg.total, deficit = 0, available = arg.total, reserved = 0, sold = 0 }
write_numbers(books, arg.now)
redis.call('HSET', KEYS[1], 'status', 'OPEN', 'run_id', arg.run_id, 'epoch', digits(arg.epoch), 'baseline_version', '1')
if arg.sale ~= '' then redis.call('HSET', KEYS[1], 'sale', arg.sale) end
redis.call('HSET', KEYS[2], arg.operation_id, kept('CREATED', books, digits(arg.now), SCRIPT, digits(arg.total),
    arg.sale ~= '' and arg.sale or nil))
return answer('CREATED', '0', record(books), digits(arg.now))
