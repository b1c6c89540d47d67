-- admit: lets a user's request into a sale, once: units are held, the user's limit is kept, the hold is listed for its actor.
-- KEYS
--   1 hf:{pool}:stock            hash
--   2 hf:{pool}:r:<reservation>  hash
--   3 hf:{pool}:notes            hash
--   4 hf:{pool}:due              zset
--   5 hf:{pool}:admitted         hash
-- ARGV
--   1 call         id            identity of this call, echoed
--   2 pool         path          pool id
--   3 run_id       path          identity of the Redis process
--   4 epoch        1..2^53-1     the pool's, as the caller knows it
--   5 now          0..2^53-1     milliseconds since 1970
--   6 reservation  id            reservation id
--   7 user         id            who asks
--   8 request      id            the user's own id of the request
--   9 quantity     1..2^53-1     units
--  10 deadline     0..2^53-1     when its order must be decided by, milliseconds since 1970
--  11 due_at       0..2^53-1     from when on whoever claims it hands it over, unless its actor has it by then
-- RETURNS
--   QUEUED deadline             let in now, or before
--   FENCED phase                the reservation is CANCELED, REFUNDED or REJECTED, whatever it held before
--   CONFLICT quantity           it was held before with that quantity, and this is not the same request
--   KNOWN_AS reservation        this request of the user was let in under that id
--   MISSING                     this request was let in, but there is no fence; nothing written
--   NO_SALE                     the pool has no gate
--   NOT_STARTED opens           the sale begins then, milliseconds since 1970
--   CLOSED                      the sale is over
--   PAUSED                      nobody is let in at the moment
--   LIMIT_REACHED held limit    the user holds so many units, and may hold no more than the limit
--   SOLD_OUT                    too few available
-- REFUSES MALFORMED POOL_MISSING POOL_SUSPECT STALE_EPOCH BROKEN_BOOKS
-- IDEMPOTENT yes: the fence keeps the first answer; a repeat comes before every test of window, limit or stock. Nothing is kept of
--   who was turned away: the same request may be let in later.
-- COST constant
SCRIPT, ENTITY = 'admit', ARGV[6] or ''
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'epoch', positive, 'now', whole, 'reservation', id,
    'user', id, 'request', id, 'quantity', positive, 'deadline', whole, 'due_at', whole }, GATE)
if bad then return no('MALFORMED', nil, bad) end
local books = read_books()
local refused = untrusted(books, arg)
if refused then return refused end

local fence = read_fence(books, 'try')
if fence then
    if fence.fault then return broken(books, fence.fault) end
    local ended = fence.phase ~= 'RESERVED' and fence.phase ~= 'CONFIRMED'
    local of = redis.call('HMGET', KEYS[2], 'request', 'deadline')
    local same = fence.user == arg.user and of[1] == arg.request or not fence.user and ended
    if not same or fence.quantity ~= arg.quantity then return no('CONFLICT', books, digits(fence.quantity)) end
    if ended then return no('FENCED', books, fence.phase) end
    if not fence.kept or not whole(of[2]) then return broken(books, 'fence try') end
    return answer('QUEUED', '1', table.concat(fence.kept, ' ', 2, 8), fence.kept[9], of[2])
end
local holds, let_in = 'u:' .. arg.user, 'q:' .. arg.user .. ':' .. arg.request
local notes = redis.call('HMGET', arg.notes, holds, let_in)
if notes[2] == arg.reservation then return no('MISSING', books) end
if notes[2] then return no('KNOWN_AS', books, notes[2]) end

local limit, opens, closes = string.match(books.sale or '', '^(%d+),(%d+),(%d+)$')
local held = notes[1] and whole(notes[1]) or 0
if not limit then return no('NO_SALE', books) end
if arg.now >= tonumber(closes) or books.status == 'CLOSED' or books.status == 'ARCHIVED' then return no('CLOSED', books) end
if arg.now < tonumber(opens) then return no('NOT_STARTED', books, opens) end
if books.status == 'PAUSED' then return no('PAUSED', books) end
if held + arg.quantity > tonumber(limit) then return no('LIMIT_REACHED', books, digits(held), limit) end
if not balanced(books) then return broken(books, 'sum') end
if books.available < arg.quantity then return no('SOLD_OUT', books) end

books.available = books.available - arg.quantity
books.reserved = books.reserved + arg.quantity
books.version = books.version + 1
local wrong = out_of_range(books)
if wrong then return broken(read_books(), wrong) end
local now, after, quantity, deadline = digits(arg.now), record(books), digits(arg.quantity), digits(arg.deadline)
write_numbers(books, arg.now)
write_fence(books, 'phase', 'RESERVED', 'quantity', quantity, 'confirmed', '0', 'released', '0', 'refunded', '0',
    'user', arg.user, 'request', arg.request, 'deadline', deadline, 'try', 'HELD ' .. after .. ' ' .. now, 'updated_at', now)
redis.call('HSET', arg.notes, holds, digits(held + arg.quantity), let_in, arg.reservation)
redis.call('HSET', arg.admitted, arg.reservation, table.concat({ quantity, arg.user, arg.request, deadline, now, after }, ' '))
redis.call('ZADD', arg.due, digits(arg.due_at), arg.reservation)
return answer('QUEUED', '0', after, now, deadline)
