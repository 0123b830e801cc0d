import { createHash } from "node:crypto";

/** A script of a Redis server: it runs alone, and as a whole. */
export interface Script {
  readonly lua: string;
  readonly sha1: string;
}

function script(lua: string): Script {
  return { lua, sha1: createHash("sha1").update(lua).digest("hex") };
}

/**
 * KEYS: the set. ARGV: identity, number of buckets, id, seconds to live (0: for ever). Makes the set
 * where there is none; returns the first three as they are.
 */
export const OPEN = script(`
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], 'identity', ARGV[1], 'buckets', ARGV[2], 'id', ARGV[3], 'size', 0)
  if tonumber(ARGV[4]) > 0 then redis.call('EXPIRE', KEYS[1], ARGV[4]) end
end
return redis.call('HMGET', KEYS[1], 'identity', 'buckets', 'id')
`);

const CHECK_ID = `
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then
  return redis.error_reply('GONE the set ' .. KEYS[1] .. ' has expired, or was deleted')
end
`;

/**
 * KEYS: the set, the client's last answers. ARGV: id, number of the call, and of each row a bucket and an
 * integer. Returns a digit a row, 1 for new; the same again for the same call. Buckets live as long as
 * the set.
 */
export const ADD = script(`${CHECK_ID}
local last = redis.call('HMGET', KEYS[2], 'call', 'answers')
if last[1] == ARGV[2] then return last[2] end
local ttl = redis.call('PTTL', KEYS[1])
local answers = {}
local new = 0
for i = 3, #ARGV, 2 do
  local added = redis.call('SADD', ARGV[i], ARGV[i + 1])
  new = new + added
  if added == 1 and ttl > 0 and redis.call('SCARD', ARGV[i]) == 1 then
    redis.call('PEXPIRE', ARGV[i], ttl)
  end
  answers[#answers + 1] = added
end
local text = table.concat(answers)
redis.call('HINCRBY', KEYS[1], 'size', new)
redis.call('HSET', KEYS[2], 'call', ARGV[2], 'answers', text)
redis.call('EXPIRE', KEYS[2], 86400)
return text
`);

/** KEYS: the set. ARGV: id, and of each row a bucket and an integer. Returns a digit a row, 1 for there. */
export const HAS = script(`${CHECK_ID}
local answers = {}
for i = 2, #ARGV, 2 do
  answers[#answers + 1] = redis.call('SISMEMBER', ARGV[i], ARGV[i + 1])
end
return table.concat(answers)
`);
