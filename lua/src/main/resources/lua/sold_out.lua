-- sold_out: says whether a hold would be turned away for want of units now, without trying it.
-- KEYS
--   1 hf:{pool}:stock            hash
--   2 hf:{pool}:r:<reservation>  hash
-- ARGV
--   1 call         id            identity of this call, echoed
--   2 pool         path          pool id
--   3 run_id       path          identity of the Redis process
--   4 reservation  id            reservation id
--   5 quantity     1..2^53-1     units
-- RETURNS
--   SOLD_OUT                     open and trusted, fewer units available, and nothing known of this reservation
--   ASK                          anything else: only a Try can tell
-- REFUSES MALFORMED
-- IDEMPOTENT yes: writes nothing.
-- COST constant; a third of a look, for it is asked by crowds
SCRIPT, ENTITY = 'sold_out', ARGV[4] or ''
-- One glance at all arguments; the name of the culprit is looked for when there is one.
local given = table.concat(ARGV, ' ')
if #ARGV ~= 5 or #ARGV[5] > 16 or string.find(given, '::', 1, true)
    or not string.find(given, '^[%w._-]+ [%w._-][%w._:-]* [%w._-][%w._:-]* [%w._-]+ [1-9]%d*$') then
    local _, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'reservation', id, 'quantity', positive })
    return no('MALFORMED', nil, bad or 'ARGV')
end
local prefix = prefix_of(ARGV[2], KEYS[1])
if #KEYS ~= 2 or not prefix or KEYS[2] ~= prefix .. ':r:' .. ARGV[4] then return no('MALFORMED', nil, 'KEYS') end
local stored = redis.call('HMGET', KEYS[1], 'status', 'run_id', 'available')
local available = stored[1] == 'OPEN' and stored[2] == ARGV[3] and whole(stored[3])
if available and available < tonumber(ARGV[5]) and redis.call('EXISTS', KEYS[2]) == 0 then
    return answer('SOLD_OUT', '0', '', '')
end
return answer('ASK', '0', '', '')
