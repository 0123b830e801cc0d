import { builtin } from "../../base/peer.ts";

/**
 * Holds a script of a Redis server. It runs alone and declares all keys that it uses, so a cluster refuses
 * the whole call if it has only some of them.
 */
export interface Script {
  readonly lua: string;
  /** Holds the digest by which a server knows the script; it is made when it is first asked for. */
  readonly sha1: string;
}

function script(lua: string): Script {
  let sha1: string | undefined;
  return {
    lua,
    get sha1() {
      sha1 ??= builtin("node:crypto").createHash("sha1").update(lua).digest("hex");
      return sha1;
    },
  };
}

/**
 * Asks the server that holds a set about its memory. KEYS: the set. Returns the section `memory` of
 * INFO.
 */
export const MEMORY = script("return redis.call('INFO', 'memory')");

/**
 * Asks the server that holds a set for its time. KEYS: the set. Returns seconds, and microseconds
 * of the next.
 */
export const CLOCK = script("return redis.call('TIME')");

/**
 * Opens a set, and makes it if there is none. KEYS: the set. ARGV: identity, number of buckets, id, seconds
 * to live (0: no limit). Returns the first three as they are in the set.
 */
export const OPEN = script(`
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], 'identity', ARGV[1], 'buckets', ARGV[2], 'id', ARGV[3], 'size', 0)
  if tonumber(ARGV[4]) > 0 then
    local lives = redis.pcall('EXPIRE', KEYS[1], ARGV[4])
    if type(lives) == 'table' and lives.err then
      redis.call('DEL', KEYS[1])
      return lives
    end
  end
end
return redis.call('HMGET', KEYS[1], 'identity', 'buckets', 'id')
`);

const CHECK_ID = `
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then
  return redis.error_reply('GONE the set ' .. KEYS[1] .. ' has expired, or was deleted')
end
`;

/** Begins the error of a call that reached the server after its deadline. */
export const LATE = "LATE";

/**
 * Adds rows to a set, all of them or none. KEYS: the set, the client's last answers, buckets. ARGV: id,
 * number of the call, the server's time in milliseconds after which the script does nothing, and for each row
 * the number of its bucket and an integer. Returns a digit for each row, 1 for new. For the same call, it
 * returns the same digits again. Buckets live as long as the set.
 *
 * The script tries what the server may refuse before it writes the first row. If a later row fails, as in a
 * bucket of another type, it removes the rows before it again.
 */
export const ADD = script(`${CHECK_ID}
local last = redis.call('HMGET', KEYS[2], 'call', 'answers')
if last[1] == ARGV[2] then return last[2] end
local time = redis.call('TIME')
if time[1] * 1000 + time[2] / 1000 > tonumber(ARGV[3]) then
  return redis.error_reply('${LATE} the call came after its time')
end
if last[1] and tonumber(last[1]) > tonumber(ARGV[2]) then
  return redis.error_reply('PASSED the call came after a later one')
end
redis.call('HINCRBY', KEYS[1], 'size', 0)
redis.call('SREM', KEYS[3], '')
redis.call('EXPIRE', KEYS[2], 86400)
local ttl = redis.call('PTTL', KEYS[1])
local answers = {}
local new = {}
local is_counted = false
local is_done, failure = pcall(function()
  for i = 4, #ARGV, 2 do
    local bucket = KEYS[ARGV[i] + 2]
    local added = redis.call('SADD', bucket, ARGV[i + 1])
    answers[#answers + 1] = added
    if added == 1 then
      new[#new + 1] = i
      if ttl > 0 and redis.call('SCARD', bucket) == 1 then redis.call('PEXPIRE', bucket, ttl) end
    end
  end
  redis.call('HINCRBY', KEYS[1], 'size', #new)
  is_counted = true
  redis.call('HSET', KEYS[2], 'call', ARGV[2], 'answers', table.concat(answers))
  redis.call('EXPIRE', KEYS[2], 86400)
end)
if is_done then return table.concat(answers) end
for _, i in ipairs(new) do redis.call('SREM', KEYS[ARGV[i] + 2], ARGV[i + 1]) end
if is_counted then redis.call('HINCRBY', KEYS[1], 'size', -#new) end
return redis.error_reply(type(failure) == 'table' and failure.err or tostring(failure))
`);

/**
 * Settles a call whose answer did not come. KEYS: the client's last answers. ARGV: number of the call.
 * Returns the answer if the call was done. Otherwise it makes the server refuse the call later. It does
 * nothing if the server has already run a later call.
 */
export const SETTLE = script(`
local last = redis.call('HMGET', KEYS[1], 'call', 'answers')
if last[1] == ARGV[1] then return last[2] end
if last[1] and tonumber(last[1]) > tonumber(ARGV[1]) then return '' end
redis.call('HSET', KEYS[1], 'call', ARGV[1], 'answers', '')
redis.call('EXPIRE', KEYS[1], 86400)
return ''
`);

/**
 * Looks for rows in a set. KEYS: the set, buckets. ARGV: id, and for each row the number of its bucket and an
 * integer. Returns a digit for each row, 1 if it is there.
 */
export const HAS = script(`${CHECK_ID}
local answers = {}
for i = 2, #ARGV, 2 do
  answers[#answers + 1] = redis.call('SISMEMBER', KEYS[ARGV[i] + 1], ARGV[i + 1])
end
return table.concat(answers)
`);

/**
 * Takes rows out of a set. KEYS: the set, buckets. ARGV: id, the server's time in milliseconds after which the script does
 * nothing, and for each row the number of its bucket and an integer. Returns a digit for each row, 1 if it was there.
 */
export const DELETE = script(`${CHECK_ID}
local time = redis.call('TIME')
if time[1] * 1000 + time[2] / 1000 > tonumber(ARGV[2]) then
  return redis.error_reply('${LATE} the call came after its time')
end
redis.call('HINCRBY', KEYS[1], 'size', 0)
local answers = {}
local removed = 0
local is_done, failure = pcall(function()
  for i = 3, #ARGV, 2 do
    local was_there = redis.call('SREM', KEYS[ARGV[i] + 1], ARGV[i + 1])
    removed = removed + was_there
    answers[#answers + 1] = was_there
  end
end)
redis.call('HINCRBY', KEYS[1], 'size', -removed)
if is_done then return table.concat(answers) end
return redis.error_reply(type(failure) == 'table' and failure.err or tostring(failure))
`);

/** Counts the rows that were added to a set. KEYS: the set. ARGV: id. */
export const SIZE = script(`${CHECK_ID}
return redis.call('HGET', KEYS[1], 'size')
`);
