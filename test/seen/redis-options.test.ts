import { inspect } from "node:util";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import { type RedisOptions, redis } from "../../src/seen/redis.ts";
import { hasRedis, RedisServer } from "../shared/redis-server.ts";

test("an option that cannot be is refused before a server is asked", () => {
  const name = "crawl";
  const wrong: Record<string, unknown>[] = [
    { name: "" }, // a cluster would have its keys in many slots
    { name: "}" },
    { name: "a}b" },
    { name: undefined },
    { name: 7 },
    { name, capacity: 0 },
    { name, capacity: Number.POSITIVE_INFINITY },
    { name, capacity: Number.NaN },
    { name, ttl: 1.5 },
    { name, ttl: -1 },
    { name, ttl: 1e16 },
    { name, timeoutMs: 0 },
    { name, timeoutMs: Number.NaN },
    { name, timeoutMs: Number.POSITIVE_INFINITY },
    { name, allowEviction: "yes" },
    { name, timeoutms: 100 },
  ];
  for (const options of wrong) {
    const culprit = Object.keys(options).at(-1);
    expect(() => redis("redis://nowhere", options as unknown as RedisOptions)).toThrow(
      expect.objectContaining({
        code: "BAD_OPTION",
        message: expect.stringContaining(culprit as string),
      }),
    );
  }
});

describe.skipIf(!hasRedis())("in the place of a set in Redis", () => {
  const server = new RedisServer();
  const client = new Redis({ path: server.socket, lazyConnect: true });
  beforeAll(() => server.start());
  afterEach(() => client.flushall());
  afterAll(async () => {
    client.disconnect();
    await server.kill();
  });
  const open = (name = "crawl"): Promise<SeenSet> => SeenSet.open(redis(client, { name }));

  test("a key of another type is refused", async () => {
    await client.set("urlmill:{crawl}", "x");
    const error = await open().catch((failure) => failure);
    expect(error.code).toBe("SEEN_FAILED");
    expect(inspect(error, { depth: 9 })).not.toContain("profileId"); // nor the key, which is next to it
    expect(await client.get("urlmill:{crawl}")).toBe("x");
  });

  test("a hash of something else is refused, and so is a set with a field that is damaged", async () => {
    await client.hset("urlmill:{other}", "a", "b");
    await expect(open("other")).rejects.toMatchObject({ code: "SEEN_CORRUPT" });
    const set = await open();
    await set.close();
    for (const buckets of ["", "0", "3", "-4", "x", "1e400"]) {
      await client.hset("urlmill:{crawl}", "buckets", buckets);
      await expect(open()).rejects.toMatchObject({ code: "SEEN_CORRUPT" });
    }
    await client.hdel("urlmill:{crawl}", "buckets");
    await expect(open()).rejects.toMatchObject({ code: "SEEN_CORRUPT" });
  });

  test("nothing is not taken for a set of size 0", async () => {
    const set = await open();
    await client.del("urlmill:{crawl}");
    for (const call of [() => set.size(), () => set.stats(), () => set.hasBatch(["http://a/"])]) {
      await expect(call()).rejects.toMatchObject({
        code: "SEEN_FAILED",
        message: expect.stringContaining("has expired, or was deleted"),
      });
    }
    await set.close();
  });
});
