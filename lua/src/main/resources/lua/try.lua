-- try: holds units of a pool for one reservation, once.
-- KEYS
--   1 hf:{pool}:stock            hash
--   2 hf:{pool}:r:<reservation>  hash
-- ARGV
--   1 call         id            identity of this call, echoed
--   2 pool         path          pool id
--   3 run_id       path          identity of the Redis process
--   4 epoch        1..2^53-1     the pool's, as the caller knows it
--   5 now          0..2^53-1     milliseconds since 1970
--   6 reservation  id            reservation id
--   7 quantity     1..2^53-1     units
-- RETURNS
--   HELD                         held now, or before
--   SHORT                        too few available; a REJECTED fence keeps it so
--   CLOSED                       no new holds any more; likewise, but nothing is kept of it in a pool that is archived
--   PAUSED                       no new holds at the moment; likewise
--   FENCED phase                 the reservation is CANCELED or REFUNDED, whatever it held before
--   CONFLICT quantity            tried before with that other quantity
-- REFUSES MALFORMED POOL_MISSING POOL_SUSPECT STALE_EPOCH BROKEN_BOOKS
-- IDEMPOTENT yes: the fence keeps the first answer; a repeat comes before every test of status or stock.
-- COST constant
SCRIPT, ENTITY = 'try', ARGV[6] or ''
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'epoch', positive, 'now', whole,
    'reservation', id, 'quantity', positive })
if bad then return no('MALFORMED', nil, bad) end
local books = read_books()
local refused = untrusted(books, arg)
if refused then return refused end

local fence = read_fence(books, 'try')
if fence then
    if fence.fault then return broken(books, fence.fault) end
    if fence.quantity ~= arg.quantity then return no('CONFLICT', books, digits(fence.quantity)) end
    if fence.phase == 'CANCELED' or fence.phase == 'REFUNDED' then return no('FENCED', books, fence.phase) end
    if not fence.kept then return broken(books, 'fence try') end
    return again(fence.kept)
end

local result = 'HELD'
if books.status == 'PAUSED' then result = 'PAUSED'
elseif books.status ~= 'OPEN' then result = 'CLOSED'
elseif not balanced(books) then return broken(books, 'sum')
elseif books.available < arg.quantity then result = 'SHORT' end

-- Nothing comes back from there: every time is like the first, and no fence is left behind that nobody would clear away.
if books.status == 'ARCHIVED' then return answer(result, '1', record(books), digits(arg.now)) end

if result == 'HELD' then
    books.available = books.available - arg.quantity
    books.reserved = books.reserved + arg.quantity
    books.version = books.version + 1
    local wrong = out_of_range(books)
    if wrong then return broken(read_books(), wrong) end
    write_numbers(books, arg.now)
end
local now, after = digits(arg.now), record(books)
write_fence(books, 'phase', result == 'HELD' and 'RESERVED' or 'REJECTED', 'quantity', digits(arg.quantity),
    'confirmed', '0', 'released', '0', 'refunded', '0', 'try', result .. ' ' .. after .. ' ' .. now, 'updated_at', now)
return answer(result, '0', after, now)
