-- confirm: sells what a reservation holds; what is held beyond it is released in the same step.
-- KEYS
--   1 hf:{pool}:stock            hash
--   2 hf:{pool}:r:<reservation>  hash
--   3 hf:{pool}:notes            hash   only of an admitted hold, as are the next two
--   4 hf:{pool}:due              zset
--   5 hf:{pool}:admitted         hash
-- ARGV
--   1 call         id            identity of this call, echoed
--   2 pool         path          pool id
--   3 run_id       path          identity of the Redis process
--   4 epoch        1..2^53-1     the pool's, as the caller knows it
--   5 now          0..2^53-1     milliseconds since 1970
--   6 reservation  id            reservation id
--   7 quantity     1..2^53-1     units to sell, at most what is left of the hold
-- RETURNS
--   CONFIRMED quantity released  sold now, or before
--   CONFLICT quantity            confirmed before with that other quantity
--   EXCEEDS left                 the reservation holds fewer units
--   CONTRADICTION phase          the fence is CANCELED, REFUNDED or REJECTED
--   MISSING                      no fence; nothing written
-- REFUSES MALFORMED POOL_MISSING POOL_SUSPECT STALE_EPOCH BROKEN_BOOKS
-- IDEMPOTENT yes: the fence keeps the first answer.
-- COST constant
SCRIPT, ENTITY = 'confirm', ARGV[6] or ''
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'epoch', positive, 'now', whole,
    'reservation', id, 'quantity', positive }, GATE, true)
if bad then return no('MALFORMED', nil, bad) end
local books = read_books()
local refused = untrusted(books, arg)
if refused then return refused end

local fence = read_fence(books, 'confirm')
if not fence then return no('MISSING', books) end
if fence.fault then return broken(books, fence.fault) end
if fence.user and not arg.notes then return no('MALFORMED', nil, 'KEYS') end
if fence.phase == 'CONFIRMED' then
    if not fence.kept then return broken(books, 'fence confirm') end
    if fence.confirmed ~= arg.quantity then return no('CONFLICT', books, digits(fence.confirmed)) end
    return again(fence.kept)
end
if fence.phase ~= 'RESERVED' then return no('CONTRADICTION', books, fence.phase) end
if arg.quantity > fence.left then return no('EXCEEDS', books, digits(fence.left)) end

local released = fence.left - arg.quantity
books.reserved = books.reserved - fence.left
books.sold = books.sold + arg.quantity
give_back(books, released)
books.version = books.version + 1
local wrong = out_of_range(books)
if wrong then return broken(read_books(), wrong) end

write_even_when_full()
write_numbers(books, arg.now)
write_fence(books, 'phase', 'CONFIRMED', 'confirmed', digits(arg.quantity), 'released', digits(released),
    'confirm', kept('CONFIRMED', books, digits(arg.now), digits(arg.quantity), digits(released)),
    'updated_at', digits(arg.now))
moved_on(arg, fence, released)
return answer('CONFIRMED', '0', record(books), digits(arg.now), digits(arg.quantity), digits(released))
