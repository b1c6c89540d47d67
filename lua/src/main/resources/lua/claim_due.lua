-- claim_due: claims admitted holds that nobody has handed over to their actors yet, for as long as a lease.
-- KEYS
--   1 hf:{pool}:stock            hash
--   2 hf:{pool}:due              zset
--   3 hf:{pool}:admitted         hash
-- ARGV
--   1 call         id            identity of this call, echoed
--   2 pool         path          pool id
--   3 run_id       path          identity of the Redis process
--   4 now          0..2^53-1     milliseconds since 1970
--   5 due_by       0..2^53-1     those are claimed that are due then or before
--   6 lease_until  0..2^53-1     when they are due again, unless they are handed over by then
--   7 most         1..2^53-1     claimed at once
-- RETURNS
--   CLAIMED trusted listed holds  0|1, how many are listed in all, and those claimed, the longest due first, as a list of reservation,
--                                 `quantity user request deadline at epoch version total deficit available reserved sold`, ...; an empty
--                                 text where nothing is kept of it
-- REFUSES MALFORMED POOL_MISSING
-- IDEMPOTENT yes: no stock moves; what a lost answer has claimed is due again when the lease is over.
-- COST one read and one write for each that is claimed; the caller bounds it. Works on a pool that is not trusted, and says so.
SCRIPT, ENTITY = 'claim_due', ARGV[2] or ''
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'now', whole, 'due_by', whole, 'lease_until', whole,
    'most', positive }, { 'due', 'admitted' })
if bad then return no('MALFORMED', nil, bad) end
local books = read_books()
if not books then return no('POOL_MISSING') end

local due = redis.call('ZRANGEBYSCORE', arg.due, '-inf', digits(arg.due_by), 'LIMIT', '0', digits(arg.most))
if #due > 0 then write_even_when_full() end
local holds = {}
for i = 1, #due do
    redis.call('ZADD', arg.due, digits(arg.lease_until), due[i])
    holds[#holds + 1] = due[i]
    holds[#holds + 1] = redis.call('HGET', arg.admitted, due[i]) or ''
end
return no('CLAIMED', nil, not books.fault and trusted(books, arg.run_id) and '1' or '0',
    digits(redis.call('ZCARD', arg.due)), holds)
