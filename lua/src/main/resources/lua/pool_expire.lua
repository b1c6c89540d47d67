-- pool_expire: lets keys of an archived pool go after a while: a fence where one is named, else those of the pool itself.
-- KEYS
--   1 hf:{pool}:stock               hash
--   2 hf:{pool}:ops                 hash
--   3 hf:{pool}:r:<reservation>     hash   only where a fence is named
--   4 hf:{pool}:notes               hash   behind the others, as the next two
--   5 hf:{pool}:due                 zset
--   6 hf:{pool}:admitted            hash
-- ARGV
--   1 call          id              identity of this call, echoed
--   2 pool          path            pool id
--   3 run_id        path            identity of the Redis process
--   4 epoch         1..2^53-1       the pool's, as the caller knows it
--   5 now           0..2^53-1       milliseconds since 1970
--   6 operation_id  path            the operation that archived the pool
--   7 keep          1..2^53-1       milliseconds from now
--   8 fence         fence or empty  whose fence, a line as in shared.lua of one that must not be there
-- RETURNS
--   EXPIRES              the keys go when that time is over, unless this is asked again
--   WRONG_STATUS status  the pool is not archived; nothing changed
-- REFUSES MALFORMED POOL_MISSING POOL_SUSPECT STALE_EPOCH BROKEN_BOOKS
-- IDEMPOTENT yes: the time begins anew.
-- COST constant
SCRIPT, ENTITY = 'pool_expire', ARGV[2] or ''
local function fence_or_empty(text)
    if text == '' then return {} end
    local fences = journaled_fences(text)
    return fences and #fences == 1 and fences[1].phase == 'NONE' and fences or nil
end
local arg, bad = arguments({ 'call', id, 'pool', path, 'run_id', path, 'epoch', positive, 'now', whole,
    'operation_id', path, 'keep', positive, 'fence', fence_or_empty }, GATE)
if bad then return no('MALFORMED', nil, bad) end
local books = read_books()
-- Nobody asks an archived pool any more, so it need not be believed: another process may let its keys go too.
local process = books and books.status == 'ARCHIVED' and books.run_id or arg.run_id
local refused = untrusted(books, { run_id = process, epoch = arg.epoch })
if refused then return refused end
if books.status ~= 'ARCHIVED' then return no('WRONG_STATUS', books, books.status) end

local keep = digits(arg.keep)
if arg.fence[1] then
    redis.call('PEXPIRE', KEYS[3], keep)
else
    redis.call('PEXPIRE', KEYS[1], keep)
    redis.call('PEXPIRE', KEYS[2], keep)
    for i = 1, #GATE do redis.call('PEXPIRE', arg[GATE[i]], keep) end
end
return no('EXPIRES', books)
