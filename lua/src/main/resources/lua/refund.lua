-- refund: takes units of a hold or of a sale back, once per refund id.
-- KEYS
--   1 hf:{pool}:stock            hash
--   2 hf:{pool}:r:<reservation>  hash
--   3 hf:{pool}:notes            hash   only of an admitted hold, as are the next two
--   4 hf:{pool}:due              zset
--   5 hf:{pool}:admitted         hash
-- ARGV
--   1 call          id           identity of this call, echoed
--   2 pool          path         pool id
--   3 run_id        path         identity of the Redis process
--   4 epoch         1..2^53-1    the pool's, as the caller knows it
--   5 now           0..2^53-1    milliseconds since 1970
--   6 reservation   id           reservation id
--   7 operation_id  path         REFUND:<reservation>:<refund>
--   8 refund        id           refund id
--   9 quantity      1..2^53-1    units, with all other refunds at most the reservation's
--  10 restock       0|1          0: the goods stay counted as sold
-- RETURNS
--   REFUNDED operation_id quantity restock phase left  refunded now, or before; phase REFUNDED with the last unit
--   CONFLICT operation_id quantity restock             this refund id was used with that other content
--   EXCEEDS left                                       fewer units are left
--   CONTRADICTION phase                                the fence is CANCELED or REJECTED
--   MISSING                                            no fence; nothing written
--   ARCHIVED                                           the pool changes no more
-- REFUSES MALFORMED POOL_MISSING POOL_SUSPECT STALE_EPOCH BROKEN_BOOKS
-- IDEMPOTENT yes: the fence keeps the first answer per refund id.
-- COST constant
SCRIPT, ENTITY = 'refund', ARGV[6] or ''
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'epoch', positive, 'now', whole,
    'reservation', id, 'operation_id', path, 'refund', id, 'quantity', positive, 'restock', flag }, GATE, true)
if bad then return no('MALFORMED', nil, bad) end
local books = read_books()
local refused = untrusted(books, arg)
if refused then return refused end

local fence = read_fence(books, 'refund:' .. arg.refund)
if not fence then return no('MISSING', books) end
if fence.fault then return broken(books, fence.fault) end
if fence.user and not arg.notes then return no('MALFORMED', nil, 'KEYS') end
if fence.kept then
    local operation_id, quantity, restock = fence.kept[10], fence.kept[11], fence.kept[12]
    if operation_id == arg.operation_id and quantity == digits(arg.quantity) and restock == arg.restock then
        return again(fence.kept)
    end
    return no('CONFLICT', books, operation_id or '', quantity or '', restock or '')
end
if fence.phase == 'CANCELED' or fence.phase == 'REJECTED' then return no('CONTRADICTION', books, fence.phase) end
if arg.quantity > fence.left then return no('EXCEEDS', books, digits(fence.left)) end
if books.status == 'ARCHIVED' then return no('ARCHIVED', books) end

local moves = fence.phase == 'RESERVED' or arg.restock == '1'
if moves then
    local from = fence.phase == 'RESERVED' and 'reserved' or 'sold'
    books[from] = books[from] - arg.quantity
    if arg.restock == '1' then give_back(books, arg.quantity) else books.sold = books.sold + arg.quantity end
    books.version = books.version + 1
    local wrong = out_of_range(books)
    if wrong then return broken(read_books(), wrong) end
end

local left = fence.left - arg.quantity
local phase = left == 0 and 'REFUNDED' or fence.phase
local details = { arg.operation_id, digits(arg.quantity), arg.restock, phase, digits(left) }
write_even_when_full()
if moves then write_numbers(books, arg.now) end
write_fence(books, 'phase', phase, 'refunded', digits(fence.refunded + arg.quantity),
    'last_refund', arg.operation_id, 'refund:' .. arg.refund, kept('REFUNDED', books, digits(arg.now), unpack(details)),
    'updated_at', digits(arg.now))
moved_on(arg, fence, arg.quantity)
return answer('REFUNDED', '0', record(books), digits(arg.now), unpack(details))
