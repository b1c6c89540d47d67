-- Put in front of every script when it is loaded: arguments, the trust guard, moving units, and the shape of an answer.
-- Lua's numbers are doubles, so nothing above 2^53 - 1 is let in and nothing is printed in exponent form. A field that Redis
-- does not have is `false` here, never nil; an answer must not contain nil, which would cut it short.
local MAX = 9007199254740991
local SCRIPT, ENTITY -- set by each script; every answer names them, so that no caller takes another's answer for its own

local function whole(text)
    if type(text) ~= 'string' or #text > 16 then return nil end
    if text ~= '0' and not string.find(text, '^[1-9][0-9]*$') then return nil end
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
    if type(text) ~= 'string' or #text > 259 or not string.find(text, '^[A-Za-z0-9._:-]+$') then return nil end
    local parts = 0
    for part in string.gmatch(text .. ':', '([^:]*):') do
        if part == '' or #part > 64 then return nil end
        parts = parts + 1
    end
    if parts > 4 then return nil end
    return text
end

local function digits(number)
    return string.format('%.0f', number)
end

local function record(books)
    return table.concat({
        digits(books.epoch), digits(books.version), digits(books.total), digits(books.deficit),
        digits(books.available), digits(books.reserved), digits(books.sold),
    }, ' ')
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
local function arguments(list)
    if #ARGV ~= #list / 2 then return nil, 'ARGV' end
    local values = {}
    for i = 1, #list, 2 do
        local value = list[i + 1](ARGV[(i + 1) / 2])
        if value == nil then return nil, list[i] end
        values[list[i]] = value
    end
    if KEYS[1] ~= 'hf:{' .. values.pool .. '}:stock' then return nil, 'KEYS' end
    local second = values.operation_id and not values.reservation and ':ops' or ':r:' .. (values.reservation or '')
    if #KEYS ~= 2 or KEYS[2] ~= 'hf:{' .. values.pool .. '}' .. second then return nil, 'KEYS' end
    return values
end

local STATUSES = { OPEN = true, PAUSED = true, CLOSED = true, SUSPECT = true, REBUILDING = true, ARCHIVED = true }
local NUMBERS = { 'epoch', 'version', 'total', 'deficit', 'available', 'reserved', 'sold', 'baseline_version' }

-- The pool's hash, or nil where there is none. `fault` names the first field that cannot be read.
local function read_books()
    local stored = redis.call('HMGET', KEYS[1], 'status', 'run_id', unpack(NUMBERS))
    local books, found = { status = stored[1], run_id = stored[2] }, stored[1] or stored[2]
    if not STATUSES[books.status] then books.fault = 'status' elseif not books.run_id then books.fault = 'run_id' end
    for i = 1, #NUMBERS do
        local text = stored[i + 2]
        found = found or text
        books[NUMBERS[i]] = whole(text)
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

-- The reservation's fence with the kept text of one operation, or nil where there is none. `fault` as above.
local function read_fence(operation)
    local stored = redis.call('HMGET', KEYS[2], 'phase', 'quantity', 'confirmed', 'released', 'refunded', 'last_refund', operation)
    local fence = { phase = stored[1], last_refund = stored[6] or '', kept = stored[7] and words(stored[7]) }
    fence.quantity, fence.confirmed = whole(stored[2]), whole(stored[3])
    fence.released, fence.refunded = whole(stored[4]), whole(stored[5])
    if not (stored[1] or stored[2] or stored[7]) then return nil end
    if not (PHASES[fence.phase] and fence.quantity and fence.confirmed and fence.released and fence.refunded) then
        fence.fault = 'fence'
    else
        fence.left = fence.quantity - fence.released - fence.refunded
        if fence.left < 0 or fence.kept and #fence.kept < 9 then fence.fault = 'fence' end
    end
    return fence
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

local function write_numbers(books, now)
    redis.call('HSET', KEYS[1], 'version', digits(books.version), 'total', digits(books.total),
        'deficit', digits(books.deficit), 'available', digits(books.available), 'reserved', digits(books.reserved),
        'sold', digits(books.sold), 'updated_at', digits(now))
end

-- Redis refuses a growing write at maxmemory only while a script has written nothing yet. What gives stock back or ends a hold
-- must work on a full Redis, so it begins with a write that frees; what takes stock must not call this, and is refused whole.
local function write_even_when_full()
    redis.call('HDEL', KEYS[1], '-')
end
