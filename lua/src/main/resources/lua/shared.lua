-- What scripts have in common: arguments, the trust guard, moving units, and the shape of an answer. A script is loaded with those
-- parts of this file in front that it uses, for Redis makes every function anew at every call. A part ends at an empty line.
-- Lua's numbers are doubles, so nothing above 2^53 - 1 is let in and nothing is printed in exponent form. A field that Redis
-- does not have is `false` here, never nil; an answer must not contain nil, which would cut it short.
local MAX = 9007199254740991
local SCRIPT, ENTITY -- set by each script; every answer names them, so that no caller takes another's answer for its own

local function whole(text)
    if text == '0' then return 0 end
    if type(text) ~= 'string' or #text > 16 or not string.find(text, '^[1-9][0-9]*$') then return nil end
    local number = tonumber(text)
    if number > MAX then return nil end
    return number
end

local function positive(text)
    local number = whole(text)
    if number == 0 then return nil end
    return number
end

local function flag(text)
    if text == '0' or text == '1' then return text end
    return nil
end

local function id(text)
    if type(text) == 'string' and #text <= 64 and string.find(text, '^[A-Za-z0-9._-]+$') then return text end
    return nil
end

-- One to four ids joined by colons: pools and operations.
local function path(text)
    if type(text) ~= 'string' or #text > 259 or not string.find(text, '^[A-Za-z0-9._-][A-Za-z0-9._:-]*$') then return nil end
    local from, parts = 1, 0
    repeat
        local colon = string.find(text, ':', from, true) or #text + 1
        if colon == from or colon - from > 64 then return nil end
        from, parts = colon + 1, parts + 1
    until from > #text + 1
    if parts > 4 then return nil end
    return text
end

local function digits(number)
    return string.format('%.0f', number)
end

local function record(books)
    return string.format('%.0f %.0f %.0f %.0f %.0f %.0f %.0f', books.epoch, books.version, books.total, books.deficit,
        books.available, books.reserved, books.sold)
end

local function answer(result, repeated, numbers, at, ...)
    return { SCRIPT, ENTITY, ARGV[1] or '', result, repeated, numbers, at, ... }
end

-- An answer that changed nothing and is not remembered.
local function no(result, books, ...)
    return answer(result, '0', books and record(books) or '', '', ...)
end

-- The text kept of an operation: result, numbers, time, then what the operation adds.
local function kept(result, books, at, ...)
    return table.concat({ result, record(books), at, ... }, ' ')
end

local function words(text)
    local list = {}
    for word in string.gmatch(text, '%S+') do list[#list + 1] = word end
    return list
end

-- Answers with a kept text what happened the first time. `result` stands in for the kept one where a repeat has its own name.
local function again(list, result)
    return answer(result or list[1], '1', table.concat(list, ' ', 2, 8), list[9], unpack(list, 10))
end

-- Checks ARGV against a list of name, check, name, check, ...: the values by name, or the name of the first that fails.
local function values_of(list)
    if #ARGV ~= #list / 2 then return nil, 'ARGV' end
    local values = {}
    for i = 1, #list, 2 do
        local value = list[i + 1](ARGV[(i + 1) / 2])
        if value == nil then return nil, list[i] end
        values[list[i]] = value
    end
    return values
end

-- What the keys of a pool begin with, read off its first key: the pool's id is the hash tag, or comes behind one that several pools
-- share. nil if that key is not this pool's.
local function prefix_of(pool, key)
    if key == 'hf:{' .. pool .. '}:stock' then return 'hf:{' .. pool .. '}' end
    local tag = string.match(key or '', '^hf:{([^{}]+)}@')
    local prefix = tag and path(tag) and 'hf:{' .. tag .. '}@' .. pool
    return prefix and key == prefix .. ':stock' and prefix or nil
end

-- What a pool with a gate has besides: what each user holds and which requests were let in; whom to hand over, and when; what to hand
-- over of each.
local GATE = { 'notes', 'due', 'admitted' }

-- The same of ARGV and KEYS of a script that is about one pool. `more` names keys of the pool that come after those, `optional` where they
-- may be left out, all of them; the values have each by its name.
local function arguments(list, more, optional)
    local values, bad = values_of(list)
    if not values then return nil, bad end
    local prefix = prefix_of(values.pool, KEYS[1])
    if not prefix then return nil, 'KEYS' end
    local fences = values.fences or values.fence or {}
    local second = not values.fences and (values.reservation and ':r:' .. values.reservation or values.operation_id and ':ops')
    if second and KEYS[2] ~= prefix .. second then return nil, 'KEYS' end
    local before = second and 2 or 1
    local fence_of = prefix .. ':r:'
    for i = 1, #fences do
        if KEYS[before + i] ~= fence_of .. fences[i].reservation then return nil, 'KEYS' end
    end
    local last = before + #fences
    if more and not (optional and #KEYS == last) then
        for i = 1, #more do
            local key = KEYS[last + i]
            if key ~= prefix .. ':' .. more[i] then return nil, 'KEYS' end
            values[more[i]] = key
        end
        last = last + #more
    end
    if #KEYS ~= last then return nil, 'KEYS' end
    return values
end

local STATUSES = { OPEN = true, PAUSED = true, CLOSED = true, SUSPECT = true, REBUILDING = true, ARCHIVED = true }
local NUMBERS = { 'epoch', 'version', 'total', 'deficit', 'available', 'reserved', 'sold', 'baseline_version' }

-- The pool's hash, or nil where there is none. `fault` names the first field that cannot be read.
local function read_books(key)
    local stored = redis.call('HMGET', key or KEYS[1], 'epoch', 'version', 'total', 'deficit', 'available', 'reserved', 'sold',
        'baseline_version', 'status', 'run_id', 'sale')
    local books = {
        key = key, stored = stored, status = stored[9], run_id = stored[10], sale = stored[11], epoch = whole(stored[1]), version = whole(stored[2]),
        total = whole(stored[3]), deficit = whole(stored[4]), available = whole(stored[5]), reserved = whole(stored[6]),
        sold = whole(stored[7]), baseline_version = whole(stored[8]),
    }
    if not STATUSES[books.status] then books.fault = 'status' elseif not books.run_id then books.fault = 'run_id' end
    local found = stored[9] or stored[10]
    for i = 1, #NUMBERS do
        found = found or stored[i]
        if not books[NUMBERS[i]] then books.fault = books.fault or NUMBERS[i] end
    end
    return found and books or nil
end

local function balanced(books)
    local parts = books.available + books.reserved + books.sold
    return parts <= MAX and books.total + books.deficit == parts
end

local function trusted(books, run_id)
    return books.run_id == run_id and books.status ~= 'SUSPECT' and books.status ~= 'REBUILDING'
end

local function suspect(books, run_id)
    return no('POOL_SUSPECT', nil, books.status, books.run_id == run_id and '0' or '1')
end

-- Refuses a pool that is missing, not trusted, of another epoch, or unreadable; nil when the script may go on.
local function untrusted(books, arg)
    if not books then return no('POOL_MISSING') end
    if books.fault == 'status' or books.fault == 'run_id' then return no('BROKEN_BOOKS', nil, books.fault) end
    if not trusted(books, arg.run_id) then return suspect(books, arg.run_id) end
    if books.epoch and books.epoch ~= arg.epoch then return no('STALE_EPOCH', nil, digits(books.epoch)) end
    if books.fault then return no('BROKEN_BOOKS', nil, books.fault) end
    return nil
end

local function broken(books, what)
    return no('BROKEN_BOOKS', books, what)
end

local PHASES = { RESERVED = true, CONFIRMED = true, CANCELED = true, REFUNDED = true, REJECTED = true }

-- A fence belongs to the epoch it was written in. What an earlier epoch left behind is no fence: the rebuild has loaded those that
-- count. A fence without an epoch was written when no pool had been rebuilt yet.
local FIRST_EPOCH = '1'
local left_behind = false

-- The reservation's fence with the kept text of one operation, or nil where there is none. `fault` as above.
local function read_fence(books, operation, key)
    local stored = redis.call('HMGET', key or KEYS[2], 'phase', 'quantity', 'confirmed', 'released', 'refunded', 'last_refund',
        'epoch', operation, 'user')
    if not (stored[1] or stored[2] or stored[8]) then return nil end
    if (stored[7] or FIRST_EPOCH) ~= digits(books.epoch) then
        left_behind = true
        return nil
    end
    local fence = {
        phase = stored[1], quantity = whole(stored[2]), confirmed = whole(stored[3]), released = whole(stored[4]),
        refunded = whole(stored[5]), last_refund = stored[6] or '', kept = stored[8] and words(stored[8]), user = stored[9],
    }
    if not (PHASES[fence.phase] and fence.quantity and fence.confirmed and fence.released and fence.refunded) then
        fence.fault = 'fence'
    else
        fence.left = fence.quantity - fence.released - fence.refunded
        if fence.left < 0 or fence.kept and #fence.kept < 9 then fence.fault = 'fence' end
    end
    return fence
end

-- Writes fields of the fence at a key, in the place of one that an earlier epoch left behind.
local function write_fence_at(key, behind, books, ...)
    if behind then
        -- A write that grows comes first, so that a full Redis refuses the script whole where it must.
        redis.call('HSET', key, '-', '')
        redis.call('UNLINK', key)
    end
    redis.call('HSET', key, 'epoch', digits(books.epoch), ...)
end

-- Writes fields of the fence that was read.
local function write_fence(books, ...)
    write_fence_at(KEYS[2], left_behind, books, ...)
end

-- Gives units back: the deficit is paid first, only the rest becomes available.
local function give_back(books, units)
    local pay = math.min(books.deficit, units)
    books.deficit = books.deficit - pay
    books.available = books.available + (units - pay)
end

-- Name of the first number that moved out of range, nil when the books may be written.
local function out_of_range(books)
    for i = 1, #NUMBERS do
        if books[NUMBERS[i]] < 0 or books[NUMBERS[i]] > MAX then return NUMBERS[i] end
    end
    return nil
end

-- Writes the numbers that are not as they were read. `raised` is the version at which more became available the last time: while it and
-- the epoch are the same, available has only fallen, and whoever reads several pools twice can tell what was so at one instant.
local function write_numbers(books, now)
    local stored, fields = books.stored or {}, { 'version', digits(books.version), 'updated_at', digits(now) }
    for i = 3, 7 do
        local name, before = NUMBERS[i], tonumber(stored[i] or '')
        local number = books[name]
        if number ~= before then
            fields[#fields + 1] = name
            fields[#fields + 1] = digits(number)
            if name == 'available' and not (before and number < before) then
                fields[#fields + 1] = 'raised'
                fields[#fields + 1] = digits(books.version)
            end
        end
    end
    redis.call('HSET', books.key or KEYS[1], unpack(fields))
end

-- Redis refuses a growing write at maxmemory only while a script has written nothing yet. What gives stock back or ends a hold
-- must work on a full Redis, so it begins with a write that frees; what takes stock must not call this, and is refused whole.
local function write_even_when_full()
    redis.call('HDEL', KEYS[1], '-')
end

-- `limit,opens,closes` of a pool with a gate: units a user may hold of it, and from when until when requests are let in, in milliseconds
-- since 1970. Empty for a pool without one.
local function sale_or_empty(text)
    if text == '' then return '' end
    local limit, opens, closes = string.match(text or '', '^(%d+),(%d+),(%d+)$')
    limit, opens, closes = positive(limit), whole(opens), whole(closes)
    if not (limit and opens and closes) or closes <= opens then return nil end
    return text
end

-- Notes that a user holds so many units more, or less. A note is no stock: where it has less than goes back, nothing is left of it.
local function note_units(notes, user, units)
    local field = 'u:' .. user
    local held = (whole(redis.call('HGET', notes, field)) or 0) + units
    if held > 0 then redis.call('HSET', notes, field, digits(held)) else redis.call('HDEL', notes, field) end
end

-- An admitted hold has moved on: its user may ask again for what was given back, and its actor knows of it.
local function moved_on(arg, fence, units)
    if not fence.user then return end
    if units > 0 then note_units(arg.notes, fence.user, -units) end
    redis.call('ZREM', arg.due, arg.reservation)
    redis.call('HDEL', arg.admitted, arg.reservation)
end

local LOADED = { RESERVED = true, CONFIRMED = true }

-- A fence as the journal has it: `reservation phase quantity confirmed released refunded hold latest refund...`, where hold and
-- latest are the seven numbers after the Try and after the reservation's latest operation, latest `=` where they are those of hold, and
-- each refund is `id,quantity,restock`. Before the refunds, `@user,request,deadline` of one that came in by the gate. `reservation NONE` is
-- one that must not be there. One pattern takes a line apart: a rebuild has very many of them, nearly all of which end with `=`.
local NUMBERS_AFTER = '(%d+ %d+ %d+ %d+ %d+ %d+ %d+)'
local FENCE_LINE = '^([A-Za-z0-9._-]+) (%u+) (%d+) (%d+) (%d+) (%d+) ' .. NUMBERS_AFTER .. ' (.+)$'
local function journaled_fence(line)
    local reservation, phase, quantity, confirmed, released, refunded, hold, latest = string.match(line, FENCE_LINE)
    if not reservation then
        reservation = id(string.match(line, '^(%S+) NONE$'))
        return reservation and { reservation = reservation, phase = 'NONE', left = 0, refunds = {} }
    end
    local held, sold, back, gone = positive(quantity), whole(confirmed), whole(released), whole(refunded)
    if #reservation > 64 or #hold > 118 or not (LOADED[phase] and held and sold and back and gone) then return nil end
    local left, refunds, user, request, deadline, others = held - back - gone, {}, nil, nil, nil, ''
    if left <= 0 or phase == 'RESERVED' and sold + back > 0 then return nil end
    if latest == '=' then
        latest = hold
    else
        local same, behind = string.match(latest, '^(=)(.*)$')
        if same then
            latest, others = hold, behind
        else
            latest, others = string.match(latest, '^' .. NUMBERS_AFTER .. '(.*)$')
            if not latest or #latest > 118 then return nil end
        end
        if others ~= '' and string.sub(others, 1, 1) ~= ' ' then return nil end
        local w, first = words(others), 1
        if string.sub(w[1] or '', 1, 1) == '@' then
            user, request, deadline = string.match(w[1], '^@([^,]+),([^,]+),([^,]+)$')
            if not (id(user) and id(request) and whole(deadline)) then return nil end
            first = 2
        end
        for i = first, #w do
            local refund, units, restock = string.match(w[i], '^([^,]+),([^,]+),([01])$')
            if not (id(refund) and positive(units)) then return nil end
            refunds[#refunds + 1] = { id = refund, quantity = units, restock = restock }
        end
    end
    return {
        reservation = reservation, phase = phase, quantity = quantity, confirmed = confirmed, released = released, refunded = refunded,
        hold = hold, latest = latest, left = left, user = user, request = request, deadline = deadline, refunds = refunds,
    }
end

-- Such lines, one below the other.
local function journaled_fences(text)
    local fences = {}
    for line in string.gmatch(text or '', '[^\n]+') do
        local fence = journaled_fence(line)
        if not fence then return nil end
        fences[#fences + 1] = fence
    end
    if #fences == 0 then return nil end
    return fences
end

-- Takes away whatever is at the keys of fences, of which the first is KEYS[from]: a part at a time, for a list of arguments has an end.
local MOST_AT_ONCE = 1000
local function clear_fences(from, count)
    for first = from, from + count - 1, MOST_AT_ONCE do
        redis.call('UNLINK', unpack(KEYS, first, math.min(first + MOST_AT_ONCE, from + count) - 1))
    end
end

-- Writes it where nothing is. Of an operation the journal knows result and quantities; the numbers are those after the latest one.
local function write_journaled_fence(key, fence, epoch, now)
    if fence.phase == 'NONE' then return end
    redis.call('HSET', key, 'phase', fence.phase, 'quantity', fence.quantity, 'confirmed', fence.confirmed,
        'released', fence.released, 'refunded', fence.refunded, 'epoch', epoch,
        'try', 'HELD ' .. fence.hold .. ' ' .. now, 'updated_at', now)
    if fence.user then
        redis.call('HSET', key, 'user', fence.user, 'request', fence.request, 'deadline', fence.deadline)
    end
    if fence.phase == 'CONFIRMED' then
        redis.call('HSET', key, 'confirm', table.concat({ 'CONFIRMED', fence.latest, now, fence.confirmed, fence.released }, ' '))
    end
    for i = 1, #fence.refunds do
        local refund = fence.refunds[i]
        local operation_id = 'REFUND:' .. fence.reservation .. ':' .. refund.id
        redis.call('HSET', key, 'last_refund', operation_id, 'refund:' .. refund.id, table.concat({ 'REFUNDED', fence.latest,
            now, operation_id, refund.quantity, refund.restock, fence.phase, digits(fence.left) }, ' '))
    end
end

-- Notes what it holds for its user, and under which reservation the request was let in.
local function note_journaled_fence(notes, fence)
    if not fence.user then return end
    note_units(notes, fence.user, fence.left)
    redis.call('HSET', notes, 'q:' .. fence.user .. ':' .. fence.request, fence.reservation)
end
