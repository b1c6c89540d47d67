-- cancel: releases what a reservation holds, or fences one that never held; once per operation id.
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
--   7 operation_id  path         RELEASE:<reservation>
--   8 quantity      1..2^53-1    units the Try asked for
--   9 expect_held   0|1          whether the journal says that the hold happened
-- RETURNS
--   RELEASED operation_id                  given back now
--   ALREADY_RELEASED operation_id          given back by the same operation before
--   FENCED_EMPTY operation_id              nothing held, none expected: a later Try is refused; in a pool that is archived it is
--                                          without a fence
--   MISSING                                a hold expected, but no fence; nothing written
--   CONFIRMED_ALREADY                      sold
--   OTHER_COMPENSATION phase operation_id  another operation gave units back
--   MISMATCH what phase                    quantity or expect_held contradicts the fence
-- REFUSES MALFORMED POOL_MISSING POOL_SUSPECT STALE_EPOCH BROKEN_BOOKS
-- IDEMPOTENT yes: the fence keeps the first answer with its operation id.
-- COST constant
SCRIPT, ENTITY = 'cancel', ARGV[6] or ''
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'epoch', positive, 'now', whole,
    'reservation', id, 'operation_id', path, 'quantity', positive, 'expect_held', flag }, GATE, true)
if bad then return no('MALFORMED', nil, bad) end
local books = read_books()
local refused = untrusted(books, arg)
if refused then return refused end

local fence = read_fence(books, 'cancel')
if not fence and arg.expect_held == '1' then return no('MISSING', books) end
if fence then
    if fence.fault then return broken(books, fence.fault) end
    if fence.user and not arg.notes then return no('MALFORMED', nil, 'KEYS') end
    if fence.kept and fence.kept[10] ~= arg.operation_id then
        return no('OTHER_COMPENSATION', books, fence.phase, fence.kept[10] or '')
    end
    if fence.phase == 'CONFIRMED' then return no('CONFIRMED_ALREADY', books) end
    if fence.refunded > 0 then return no('OTHER_COMPENSATION', books, fence.phase, fence.last_refund) end
    if fence.quantity ~= arg.quantity then return no('MISMATCH', books, 'quantity', fence.phase) end
    if fence.kept and fence.kept[1] == 'RELEASED' then return again(fence.kept, 'ALREADY_RELEASED') end
    if fence.phase ~= 'RESERVED' and arg.expect_held == '1' then
        return no('MISMATCH', books, 'expect_held', fence.phase)
    end
    if fence.kept then return again(fence.kept) end
    if fence.phase ~= 'RESERVED' and fence.phase ~= 'REJECTED' then return broken(books, 'fence cancel') end
end

local result, phase = 'FENCED_EMPTY', fence and fence.phase or 'CANCELED'
if phase == 'RESERVED' then
    result, phase = 'RELEASED', 'CANCELED'
    books.reserved = books.reserved - fence.left
    give_back(books, fence.left)
    books.version = books.version + 1
    local wrong = out_of_range(books)
    if wrong then return broken(read_books(), wrong) end
end

if not fence and books.status == 'ARCHIVED' then
    return answer(result, '1', record(books), digits(arg.now), arg.operation_id)
end
write_even_when_full()
if result == 'RELEASED' then write_numbers(books, arg.now) end
write_fence(books, 'phase', phase, 'quantity', digits(arg.quantity), 'confirmed', '0', 'released', '0',
    'refunded', '0', 'cancel', kept(result, books, digits(arg.now), arg.operation_id), 'updated_at', digits(arg.now))
if result == 'RELEASED' then moved_on(arg, fence, fence.left) end
return answer(result, '0', record(books), digits(arg.now), arg.operation_id)
