-- pool_adjust: sets a new total; what is held and sold stays, what the total then lacks becomes the deficit.
-- KEYS
--   1 hf:{pool}:stock               hash
--   2 hf:{pool}:ops                 hash
-- ARGV
--   1 call              id          identity of this call, echoed
--   2 pool              path        pool id
--   3 run_id            path        identity of the Redis process
--   4 epoch             1..2^53-1   the pool's, as the caller knows it
--   5 now               0..2^53-1   milliseconds since 1970
--   6 operation_id      path        operation id
--   7 new_total         0..2^53-1   units
--   8 baseline_version  1..2^53-1   greater than the pool's
--   9 bound             ANY|FIT|OUT|IN  ANY total; FIT: one that takes only what is available; OUT: the same, for another pool; IN: units
--                                       come from another pool
-- RETURNS
--   ADJUSTED                   set now, or by this operation before; the version rises even where the total is the same
--   CONFLICT                   this operation id was used with other content
--   OUTDATED baseline_version  the pool has this or a newer baseline
--   WRONG_STATUS status        the pool is CLOSED or ARCHIVED; units come IN to a closed one, too
--   TOO_FEW available          it would FIT only if more were available, now or when this operation first came
-- REFUSES MALFORMED POOL_MISSING POOL_SUSPECT STALE_EPOCH BROKEN_BOOKS
-- IDEMPOTENT yes: the operations hash keeps the first answer. Of moves, OUT and IN, it keeps the latest alone: they are made one after
--   the other, so nobody waits for an earlier one, and whatever of it comes late is OUTDATED. What was TOO_FEW it keeps until the baseline
--   rises, for the same reason.
-- COST constant, but for one write for each operation that was TOO_FEW since the baseline rose the last time
SCRIPT, ENTITY = 'pool_adjust', ARGV[2] or ''
local BOUNDS = { ANY = true, FIT = true, OUT = true, IN = true }
local LATEST_MOVE, REFUSED_SINCE = '@move', '@refused' -- no operation has such an id
local function bound(text)
    return BOUNDS[text] and text or nil
end
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'epoch', positive, 'now', whole,
    'operation_id', path, 'new_total', whole, 'baseline_version', positive, 'bound', bound })
if bad then return no('MALFORMED', nil, bad) end
local books = read_books()
local refused = untrusted(books, arg)
if refused then return refused end

local before = redis.call('HGET', KEYS[2], arg.operation_id)
if before then
    local list = words(before)
    local same = list[10] == SCRIPT and list[11] == digits(arg.new_total) and list[12] == digits(arg.baseline_version)
    if not same then return no('CONFLICT', books) end
    if list[1] == 'TOO_FEW' then return no('TOO_FEW', books, digits(books.available)) end
    return again(list)
end
local changeable = books.status == 'OPEN' or books.status == 'PAUSED' or books.status == 'CLOSED' and arg.bound == 'IN'
if not changeable then return no('WRONG_STATUS', books, books.status) end
if arg.baseline_version <= books.baseline_version then return no('OUTDATED', books, digits(books.baseline_version)) end
if not balanced(books) then return broken(books, 'sum') end

local promised = books.reserved + books.sold
local fits = arg.bound == 'FIT' or arg.bound == 'OUT'
local refused_before = redis.call('HGET', KEYS[2], REFUSED_SINCE)
if fits and arg.new_total < promised - books.deficit then
    -- The pool writes down that it was refused: a call of it that comes late must not be carried out once units are back.
    redis.call('HSET', KEYS[2], arg.operation_id, kept('TOO_FEW', books, digits(arg.now), SCRIPT, digits(arg.new_total),
        digits(arg.baseline_version)), REFUSED_SINCE, (refused_before or '') .. ' ' .. arg.operation_id)
    return no('TOO_FEW', books, digits(books.available))
end
books.total = arg.new_total
books.available = math.max(0, arg.new_total - promised)
books.deficit = math.max(0, promised - arg.new_total)
books.version = books.version + 1
local wrong = out_of_range(books)
if wrong then return broken(read_books(), wrong) end

write_numbers(books, arg.now)
redis.call('HSET', KEYS[1], 'baseline_version', digits(arg.baseline_version))
for _, refused_id in ipairs(words(refused_before or '')) do redis.call('HDEL', KEYS[2], refused_id) end
redis.call('HDEL', KEYS[2], REFUSED_SINCE)
if arg.bound == 'OUT' or arg.bound == 'IN' then
    local earlier = redis.call('HGET', KEYS[2], LATEST_MOVE)
    if earlier then redis.call('HDEL', KEYS[2], earlier) end
    redis.call('HSET', KEYS[2], LATEST_MOVE, arg.operation_id)
end
redis.call('HSET', KEYS[2], arg.operation_id, kept('ADJUSTED', books, digits(arg.now), SCRIPT, digits(arg.new_total),
    digits(arg.baseline_version)))
return answer('ADJUSTED', '0', record(books), digits(arg.now))
