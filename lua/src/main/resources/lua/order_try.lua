-- order_try: holds all lines of a group or none of them, once; asked by each line for itself.
-- KEYS
--   1 hf:{pool}:stock            hash   of the first pool, then of each of the others
--   2 hf:{pool}:r:<reservation>  hash   of the first line, then of each of the others
-- ARGV
--   1 call         id            identity of this call, echoed
--   2 pool         path          pool of the line that asks
--   3 run_id       path          identity of the Redis process
--   4 now          0..2^53-1     milliseconds since 1970
--   5 reservation  id            the line that asks
--   6 group        id            identity of the group
--   7 fate         OPEN|HELD|REJECTED   what the line that decides has journaled; OPEN asks for the decision, and is for that line alone
--   8 pools        pools         `pool epoch`, one a line
--   9 lines        lines         `reservation pool quantity`, one a line: all lines of the group while its fate is OPEN, else the one
--                                that asks
-- RETURNS
--   HELD                         all lines are held, now or before
--   SHORT                        its pool has too few available for the line, or, where each would fit alone, for all its lines of the
--                                group; REJECTED fences keep it so
--   CLOSED                       its pool takes no new holds any more; likewise, but nothing is kept of a line whose pool is archived
--   PAUSED                       its pool takes no new holds at the moment; likewise
--   OTHER_LINE                   another line can't be held; likewise
--   FENCED phase                 the line that asks is CANCELED or REFUNDED
--   CONFLICT reservation         that line's fence is of another quantity, or of something else than this group
--   MISSING                      the group is HELD, but this line has no fence; nothing written
-- REFUSES MALFORMED POOL_MISSING POOL_SUSPECT STALE_EPOCH BROKEN_BOOKS
-- IDEMPOTENT yes: the fences keep the first answer. Where a rebuild took some of them away before the decision was journaled, it is made
--   again: what is missing is held too, or what is held is given back and all are rejected.
-- COST one read and one write for each line, and for each pool; the caller bounds the group
SCRIPT, ENTITY = 'order_try', ARGV[5] or ''
local FATES = { OPEN = true, HELD = true, REJECTED = true }
local function fate(text)
    return FATES[text] and text or nil
end
local function pool_lines(text)
    local pools = {}
    for line in string.gmatch(text, '[^\n]+') do
        local w = words(line)
        local pool = { id = path(w[1]), epoch = positive(w[2]), need = 0, most = 0 }
        if #w ~= 2 or not (pool.id and pool.epoch) or pools[pool.id] then return nil end
        pools[#pools + 1], pools[pool.id] = pool, pool
    end
    return #pools > 0 and pools or nil
end
local function group_lines(text)
    local lines = {}
    for line in string.gmatch(text, '[^\n]+') do
        local w = words(line)
        local entry = { reservation = id(w[1]), pool = path(w[2]), quantity = positive(w[3]) }
        if #w ~= 3 or not (entry.reservation and entry.pool and entry.quantity) or lines[entry.reservation] then return nil end
        lines[#lines + 1], lines[entry.reservation] = entry, entry
    end
    return #lines > 0 and lines or nil
end
local arg, bad = values_of({ 'call', id, 'pool', path, 'run_id', path, 'now', whole, 'reservation', id, 'group', id,
    'fate', fate, 'pools', pool_lines, 'lines', group_lines })
if bad then return no('MALFORMED', nil, bad) end
local pools, lines, now = arg.pools, arg.lines, digits(arg.now)
local own = lines[arg.reservation]
if not own or own.pool ~= arg.pool or arg.fate ~= 'OPEN' and #lines > 1 then return no('MALFORMED', nil, 'lines') end
if #KEYS ~= #pools + #lines then return no('MALFORMED', nil, 'KEYS') end
for i = 1, #pools do
    pools[i].prefix = prefix_of(pools[i].id, KEYS[i])
    if not pools[i].prefix then return no('MALFORMED', nil, 'KEYS') end
end
for i = 1, #lines do
    local line = lines[i]
    line.pool, line.key = pools[line.pool], KEYS[#pools + i]
    if not line.pool then return no('MALFORMED', nil, 'pools') end
    if line.key ~= line.pool.prefix .. ':r:' .. line.reservation then return no('MALFORMED', nil, 'KEYS') end
end

-- A refusal says of which pool it is.
local function of(pool, refusal)
    refusal[#refusal + 1] = pool.id
    return refusal
end
for i = 1, #pools do
    local pool = pools[i]
    pool.books = read_books(KEYS[i])
    local refused = untrusted(pool.books, { run_id = arg.run_id, epoch = pool.epoch })
    if refused then return of(pool, refused) end
end
for i = 1, #lines do
    local line = lines[i]
    left_behind = false
    line.fence = read_fence(line.pool.books, 'try', line.key)
    line.behind = left_behind
    if line.fence and line.fence.fault then return of(line.pool, broken(line.pool.books, line.fence.fault)) end
end

local books = own.pool.books
if own.fence and own.fence.quantity ~= own.quantity then return no('CONFLICT', books, own.reservation) end
if own.fence and (own.fence.phase == 'CANCELED' or own.fence.phase == 'REFUNDED') and arg.fate ~= 'OPEN' then
    return no('FENCED', books, own.fence.phase)
end
if own.fence and not own.fence.kept and own.fence.phase ~= 'CANCELED' then return of(own.pool, broken(books, 'fence try')) end
if arg.fate == 'HELD' then
    if not own.fence then return no('MISSING', books) end
    if own.fence.phase == 'REJECTED' then return no('CONFLICT', books, own.reservation) end
    if own.fence.kept[3] ~= '0' then return again(own.fence.kept) end
    -- Loaded by a rebuild from what its group has journaled, which does not say what the pool had: it is told what it has now.
    books.version = books.version + 1
    write_numbers(books, arg.now)
    write_fence_at(own.key, false, books, 'try', kept('HELD', books, now), 'updated_at', now)
    return answer('HELD', '0', record(books), now)
end
if arg.fate == 'REJECTED' and own.fence and own.fence.phase == 'REJECTED' then return again(own.fence.kept) end

-- What there is: a decision of before, a part of one, or none. Only a fence that was written before its line was tried ends the group;
-- one that has gone on from HELD shows that the decision is journaled, and that this call comes late.
local missing, doomed, late = 0, arg.fate == 'REJECTED', false
for i = 1, #lines do
    local line = lines[i]
    local fence = line.fence
    if not fence then
        missing, line.pool.need = missing + 1, line.pool.need + line.quantity
        line.pool.most = math.max(line.pool.most, line.quantity)
    elseif fence.phase == 'CANCELED' and not fence.kept then
        doomed, line.ended = true, true
    elseif fence.quantity ~= line.quantity or redis.call('HGET', line.key, 'group') ~= arg.group then
        return no('CONFLICT', books, line.reservation)
    elseif fence.phase == 'REJECTED' then
        doomed, line.ended = true, true
    elseif fence.phase ~= 'RESERVED' or fence.refunded > 0 then
        if not own.fence then return no('CONFLICT', books, line.reservation) end
        late = true
    end
end
local ended = own.fence and (own.fence.phase == 'CANCELED' or own.fence.phase == 'REFUNDED') and own.fence.phase
if late or missing == 0 and not doomed then
    if ended then return no('FENCED', books, ended) end
    return again(own.fence.kept)
end
for i = 1, #pools do
    local pool = pools[i]
    if pool.need > 0 then
        if pool.books.status == 'PAUSED' then pool.reason = 'PAUSED'
        elseif pool.books.status ~= 'OPEN' then pool.reason = 'CLOSED'
        elseif not balanced(pool.books) then return of(pool, broken(pool.books, 'sum'))
        elseif pool.books.available < pool.need then
            pool.reason, pool.fits = 'SHORT', pool.books.available < pool.most and pool.books.available
        end
    end
    if pool.reason and arg.fate == 'OPEN' then doomed = true end
end

-- Where a line is short by itself, those of its pool that would fit are not: they are not held because of it.
local function why(line)
    return not (line.pool.fits and line.quantity <= line.pool.fits) and line.pool.reason
end

-- What each line is told of its pool is what the lines before it left.
for i = 1, #lines do
    local line = lines[i]
    local stock = line.pool.books
    local moved = doomed and line.fence and not line.ended or not doomed and not line.fence
    if moved and doomed then
        stock.reserved = stock.reserved - line.quantity
        give_back(stock, line.quantity)
    elseif moved then
        stock.available, stock.reserved = stock.available - line.quantity, stock.reserved + line.quantity
    end
    if moved then
        stock.version, line.pool.moved = stock.version + 1, true
        local wrong = out_of_range(stock)
        if wrong then return of(line.pool, broken(read_books(line.pool.books.key), wrong)) end
    end
    if moved or doomed and not line.ended then
        line.result = not doomed and 'HELD' or arg.fate == 'OPEN' and why(line) or 'OTHER_LINE'
        line.record = record(stock)
    end
end
for i = 1, #pools do
    if pools[i].moved then write_numbers(pools[i].books, arg.now) end
end
for i = 1, #lines do
    local line = lines[i]
    -- Nothing comes back from an archived pool, and no fence is left behind there that nobody would clear away.
    if line.result and line.pool.books.status ~= 'ARCHIVED' then
        write_fence_at(line.key, line.behind, line.pool.books, 'phase', doomed and 'REJECTED' or 'RESERVED', 'quantity',
            digits(line.quantity), 'confirmed', '0', 'released', '0', 'refunded', '0', 'group', arg.group,
            'try', line.result .. ' ' .. line.record .. ' ' .. now, 'updated_at', now)
    end
end
if own.result then return answer(own.result, books.status == 'ARCHIVED' and '1' or '0', own.record, now) end
if ended then return no('FENCED', books, ended) end
return again(own.fence.kept)
