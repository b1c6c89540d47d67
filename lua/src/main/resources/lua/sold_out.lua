-- sold_out: says of each of several requests whether a hold would be turned away for want of units now, without trying any.
-- KEYS
--   1 hf:{pool}:stock            hash  of the first line; two keys more for each further line
--   2 hf:{pool}:r:<reservation>  hash
-- ARGV
--   1 call         id            identity of this call, echoed
--   2 pool         path          pool id of the first line
--   3 run_id       path          identity of the Redis process
--   4 looks        looks         a line for each request: reservation, pool, quantity
-- RETURNS
--   LOOKED letters               one for each line. S: open and trusted, fewer units available, and nothing known of this reservation.
--                                A: anything else, which only a Try can tell
-- REFUSES MALFORMED
-- IDEMPOTENT yes: writes nothing.
-- COST linear in the lines, and little for each: it is asked by crowds
SCRIPT, ENTITY = 'sold_out', ARGV[2] or ''
local arg, bad = values_of({ 'call', id, 'pool', path, 'run_id', path, 'looks', tostring })
if bad then return no('MALFORMED', nil, bad) end

local available, letters, read = {}, {}, 0
for from, reservation, pool, quantity, behind in
    string.gmatch(arg.looks, '()([%w._-]+) ([%w._-][%w._:-]*) ([1-9]%d*)\n()') do
    if from ~= read + 1 or #quantity > 16 then break end
    read = behind - 1
    local place = 2 * #letters
    local stock, prefix = KEYS[place + 1], prefix_of(pool, KEYS[place + 1])
    if not prefix or KEYS[place + 2] ~= prefix .. ':r:' .. reservation then return no('MALFORMED', nil, 'KEYS') end
    local units = available[stock]
    if units == nil then
        local stored = redis.call('HMGET', stock, 'status', 'run_id', 'available')
        units = stored[1] == 'OPEN' and stored[2] == arg.run_id and whole(stored[3]) or false
        available[stock] = units
    end
    local short = units and units < tonumber(quantity) and redis.call('EXISTS', KEYS[place + 2]) == 0
    letters[#letters + 1] = short and 'S' or 'A'
end
if read ~= #arg.looks or read == 0 then return no('MALFORMED', nil, 'looks') end
if #KEYS ~= 2 * #letters then return no('MALFORMED', nil, 'KEYS') end
return answer('LOOKED', '0', '', '', table.concat(letters))
