import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import { redis } from "../../src/seen/redis.ts";
import { hasRedis, RedisServer } from "../shared/redis-server.ts";

describe.skipIf(!hasRedis())("a Redis server with a limit on its memory", () => {
  const server = new RedisServer();
  const admin = new Redis({ path: server.socket, lazyConnect: true });
  beforeAll(() => server.start());
  afterEach(() => admin.flushall());
  afterAll(async () => {
    admin.disconnect();
    await server.remove();
  });

  const limit = async (maxmemory: string, policy: string): Promise<void> => {
    await admin.config("SET", "maxmemory", maxmemory);
    await admin.config("SET", "maxmemory-policy", policy);
  };
  const crawl = { name: "crawl" };

  test("is refused where it evicts, and nothing is made there", async () => {
    for (const policy of ["allkeys-lru", "allkeys-random", "volatile-ttl", "volatile-lfu"]) {
      await limit("100mb", policy);
      await expect(SeenSet.open(redis(admin, crawl))).rejects.toMatchObject({
        code: "SEEN_FAILED",
        message: expect.stringMatching(
          new RegExp(`maxmemory-policy ${policy}.*noeviction, or .*allowEviction: true`),
        ),
      });
    }
    expect(await admin.dbsize()).toBe(0);
  });

  test("is taken where it does not evict, has no limit, or the caller says so", async () => {
    for (const [maxmemory, policy, allowEviction] of [
      ["100mb", "noeviction", false],
      ["0", "allkeys-lru", false],
      ["100mb", "allkeys-lru", true],
    ] as const) {
      await limit(maxmemory, policy);
      const set = await SeenSet.open(redis(admin, { ...crawl, allowEviction }));
      expect((await set.addBatch([`http://${policy}.example/${maxmemory}`]))[0]).toBe(1);
      await set.close();
    }
  });

  test("is asked by INFO or CONFIG GET, and refused by name of the option where both are forbidden", async () => {
    await limit("100mb", "allkeys-lru");
    const user = async (rules: string): Promise<Redis> => {
      await admin.call("ACL", ["SETUSER", "crawler", "reset", "on", "nopass", "~*", "+@all"]);
      await admin.call("ACL", ["SETUSER", "crawler", ...rules.split(" ")]);
      const path = server.socket;
      return new Redis({ path, username: "crawler", password: "any", enableReadyCheck: false });
    };
    const refusal = async (rules: string, allowEviction = false): Promise<string> => {
      const client = await user(rules);
      try {
        const set = await SeenSet.open(redis(client, { ...crawl, allowEviction }));
        await set.close();
        return "opened";
      } catch (error) {
        return (error as Error).message;
      } finally {
        client.disconnect();
      }
    };
    expect(await refusal("-config")).toContain("maxmemory-policy allkeys-lru");
    expect(await refusal("-info")).toContain("maxmemory-policy allkeys-lru");
    expect(await refusal("-info -config")).toMatch(/does not say whether it evicts.*allowEviction/);
    expect(await refusal("-info -config", true)).toBe("opened");
    await limit("100mb", "noeviction");
    expect(await refusal("-info")).toBe("opened");
  });
});
