export { type RedisOptions, redis } from "./redis/redis.ts";
export type { RedisClient } from "./redis/redis-connection.ts";
