import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import { redis } from "../../src/seen/redis.ts";
import { hasRedis, RedisServer } from "../shared/redis-server.ts";

const URLS = Array.from({ length: 1_000 }, (_, row) => `http://a.example/${row}`);

describe.skipIf(!hasRedis())("a batch that a Redis server refuses is not added in part", () => {
  const server = new RedisServer();
  const admin = new Redis({ path: server.socket, lazyConnect: true });
  beforeAll(() => server.start());
  afterAll(async () => {
    admin.disconnect();
    await server.kill();
  });
  let set: SeenSet;
  afterEach(async () => {
    await set.close();
    await admin.flushall();
  });

  const open = async (client = admin, ttl = 0): Promise<SeenSet> => {
    set = await SeenSet.open(redis(client, { name: "crawl", capacity: 10_000, ttl }));
    await set.addBatch(["http://first.example/"]);
    return set;
  };

  /** Adds a batch that fails, and again when `mend` has removed the reason. */
  const expectNothingAdded = async (
    reason: string,
    mend: () => Promise<unknown>,
  ): Promise<void> => {
    await expect(set.addBatch(URLS)).rejects.toMatchObject({
      code: "SEEN_FAILED",
      message: expect.stringContaining(reason),
      answers: new Uint8Array(0),
    });
    await mend();
    expect((await set.hasBatch(URLS)).includes(1)).toBe(false);
    expect(await set.size()).toBe(1);
    // A call of other rows, so that this is not the failed call again.
    expect((await set.addBatch(URLS.slice(1))).includes(0)).toBe(false);
    expect(await set.size()).toBe(1_000);
  };

  test("where a bucket is of another type", async () => {
    await open();
    const prefix = "urlmill:{crawl}:";
    const buckets = Array.from({ length: 32 }, (_, bucket) => `${prefix}${bucket}`);
    const free = await Promise.all(buckets.map((bucket) => admin.exists(bucket)));
    const bucket = buckets[free.lastIndexOf(0)] as string;
    await admin.set(bucket, "of another type");
    await expectNothingAdded("WRONGTYPE", () => admin.del(bucket));
  });

  test("where the set's own size is no longer a number", async () => {
    await open();
    await admin.hset("urlmill:{crawl}", "size", "x");
    await expectNothingAdded("not an integer", () => admin.hset("urlmill:{crawl}", "size", 1));
  });

  test("where the server's memory is full", async () => {
    await open();
    await admin.config("SET", "maxmemory", "1");
    await expectNothingAdded("OOM", () => admin.config("SET", "maxmemory", "0"));
  });

  test("where the server becomes a replica", async () => {
    await open();
    await admin.replicaof("127.0.0.1", 1);
    await expectNothingAdded("READONLY", () => admin.replicaof("NO", "ONE"));
  });

  test("where the server is busy with another script", async () => {
    await open();
    await admin.config("SET", "busy-reply-threshold", "20");
    const other = new Redis({ path: server.socket });
    const busy = other.eval("while true do end", 0).catch((error) => error.message);
    await vi.waitFor(() => expect(admin.ping()).rejects.toThrow("BUSY"), 30_000);
    await expectNothingAdded("BUSY", async () => {
      await admin.script("KILL");
      expect(await busy).toContain("killed");
    });
    other.disconnect();
    await admin.config("SET", "busy-reply-threshold", "5000");
  });

  test.each([
    "HGET",
    "HMGET",
    "TIME",
    "PTTL",
    "SADD",
    "SREM",
    "SCARD",
    "PEXPIRE",
    "EXPIRE",
    "HINCRBY",
    "HSET",
  ])("where the user may not run %s", async (command) => {
    await admin.call("ACL", ["SETUSER", "crawler", "reset", "on", "nopass", "~*", "+@all"]);
    const client = new Redis({ path: server.socket, username: "crawler", password: "any" });
    await open(client, 1_000);
    await admin.call("ACL", ["SETUSER", "crawler", `-${command.toLowerCase()}`]);
    await expectNothingAdded("command", () => admin.call("ACL", ["SETUSER", "crawler", "+@all"]));
    await set.close();
    set = await SeenSet.open(redis(admin, { name: "crawl" }));
    client.disconnect();
  });
});
