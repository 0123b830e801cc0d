import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import { MEMORY } from "../../src/seen/redis/redis-scripts.ts";
import { redis } from "../../src/seen/redis.ts";
import { hasRedis, RedisServer } from "../shared/redis-server.ts";

describe.skipIf(!hasRedis())("a Redis server with a limit on its memory", () => {
  const server = new RedisServer();
  const admin = new Redis({ path: server.socket, lazyConnect: true });
  beforeAll(() => server.start());
  afterEach(() => admin.flushall());
  afterAll(async () => {
    admin.disconnect();
    await server.kill();
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

  test("stops a set in use when it begins to evict, unless the caller allows it", async () => {
    await limit("100mb", "noeviction");
    const set = await SeenSet.open(redis(admin, crawl));
    const careless = await SeenSet.open(redis(admin, { name: "cache", allowEviction: true }));
    let added = (await set.addBatch(["http://a/0"])).length;
    await limit("100mb", "allkeys-lru");
    const failure = {
      code: "SEEN_FAILED",
      message: expect.stringMatching(/maxmemory-policy allkeys-lru.*allowEviction: true/),
    };
    await vi.waitFor(
      () => expect(set.addBatch([`http://a/${added++}`])).rejects.toMatchObject(failure),
      { timeout: 50_000, interval: 100 },
    );
    // The set says so until the server no longer evicts; the URL of the failed call was not added.
    for (const call of [() => set.hasBatch(["http://a/0"]), () => set.size()]) {
      await expect(call()).rejects.toMatchObject(failure);
    }
    expect([...(await careless.addBatch(["http://a/"]))]).toEqual([1]);
    await limit("100mb", "noeviction");
    expect([...(await set.addBatch([`http://a/${added - 1}`]))]).toEqual([1]);
    expect(await set.size()).toBe(added);
    await limit("100mb", "allkeys-lru");
    await Promise.all([set.close(), careless.close()]); // neither loses its place to tidy up
  });

  test("is not asked for each of many small batches", async () => {
    await limit("100mb", "noeviction");
    let asked = 0;
    const client = {
      call: (command: string, args: (string | number)[]): Promise<unknown> => {
        if (args[0] === MEMORY.sha1) asked++;
        return admin.call(command, args);
      },
    };
    const start = performance.now();
    const set = await SeenSet.open(redis(client, crawl));
    for (let row = 0; row < 300; row++) await set.addBatch([`http://a/${row}`]);
    const seconds = (performance.now() - start) / 1000;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(1 + Math.floor(seconds));
    await set.close();
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
