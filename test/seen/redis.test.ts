import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import { type RedisClient, redis } from "../../src/seen/redis.ts";
import { hasRedis, RedisServer } from "../shared/redis-server.ts";
import { describeSeenStore } from "../shared/seen-store.ts";

describe.skipIf(!hasRedis())("with a Redis server", () => {
  const server = new RedisServer();
  const client = new Redis({ path: server.socket, lazyConnect: true });
  let sets = 0;
  beforeAll(() => server.start());
  afterAll(async () => {
    client.disconnect();
    await server.kill();
  });

  describeSeenStore(
    "a set in Redis",
    async () => ({
      store: redis(client, { name: `conformance ${sets++}`, capacity: 50_000 }),
    }),
    { engines: ["js"] },
  );

  const names: string[] = [];
  const newName = (): string => {
    names.push(`set ${sets++}`);
    return names.at(-1) as string;
  };
  afterEach(async () => {
    for (const name of names.splice(0)) {
      const keys = await client.keys(`urlmill:{${name}}*`);
      if (keys.length > 0) await client.del(...keys);
    }
  });
  const urls = Array.from({ length: 20_000 }, (_, row) => `http://a.example/${row}`);

  test("keeps integers in the compact encoding, at little more than their 8 bytes", async () => {
    const name = newName();
    const set = await SeenSet.open(redis(client, { name, capacity: urls.length }));
    await set.addBatch(urls);
    const { storedBytes, bits } = await set.stats();
    expect(bits).toBe(64 + 6);
    expect((storedBytes as number) / urls.length).toBeLessThan(12);
    const keys = await client.keys(`urlmill:{${name}}:[0-9]*`);
    expect(keys.length).toBe(64);
    const encodings = await Promise.all(keys.map((key) => client.object("ENCODING", key)));
    expect(new Set(encodings)).toEqual(new Set(["intset"]));
    await set.close();
  });

  test("forgets the whole crawl when its time is over, and says so", async () => {
    const name = newName();
    const open = (): Promise<SeenSet> => SeenSet.open(redis(client, { name, ttl: 60 }));
    const set = await open();
    await set.addBatch(urls.slice(0, 100));
    const keys = await client.keys(`urlmill:{${name}}*`);
    const left = await Promise.all(
      keys.filter((key) => !key.includes("answers")).map((key) => client.pttl(key)),
    );
    expect(left.length).toBeGreaterThan(90);
    expect(Math.min(...left)).toBeGreaterThan(0);
    expect(Math.max(...left)).toBeLessThanOrEqual(60_000);
    // The time is over now.
    await Promise.all(keys.map((key) => client.pexpireat(key, 1)));
    expect((await client.keys(`urlmill:{${name}}:[0-9]*`)).length).toBe(0);
    await expect(set.addBatch(urls.slice(0, 100))).rejects.toMatchObject({
      code: "SEEN_FAILED",
      message: expect.stringContaining("expired"),
    });
    await set.close();
    const next = await open();
    expect((await next.addBatch(urls.slice(0, 100))).includes(0)).toBe(false);
    await next.close();
  });

  test("a batch takes one round trip", async () => {
    let calls = 0;
    const counting: RedisClient = {
      call: (command, args) => {
        calls++;
        return client.call(command, args);
      },
    };
    const set = await SeenSet.open(redis(counting, { name: newName() }));
    await set.addBatch(urls.slice(0, 10)); // the server learns the script
    calls = 0;
    await set.addBatch(urls.slice(0, 8_000));
    expect(calls).toBe(1);
    await set.close();
  });

  test("a batch whose answer was lost gets the same answer again", async () => {
    let loses = false;
    const losing: RedisClient = {
      call: async (command, args) => {
        const answer = await client.call(command, args);
        if (loses && command.startsWith("EVAL")) throw new Error("Connection is closed.");
        return answer;
      },
    };
    const set = await SeenSet.open(redis(losing, { name: newName() }));
    await set.addBatch(urls.slice(0, 100));
    loses = true;
    const failure = await set.addBatch(urls.slice(50, 150)).catch((error) => error);
    expect(failure).toMatchObject({ code: "SEEN_FAILED" });
    loses = false;
    // Other calls in between do not take the answer away.
    expect([...(await set.addBatch([urls[60], urls[200]] as string[]))]).toEqual([0, 1]);
    const again = await set.addBatch(urls.slice(50, 150));
    expect([...again]).toEqual(Array.from({ length: 100 }, (_, row) => (row < 50 ? 0 : 1)));
    expect((await set.addBatch(urls.slice(50, 150))).includes(1)).toBe(false);
    expect(await set.size()).toBe(151);
    await set.close();
  });

  test("a batch that fails after some of its rows says what these were", async () => {
    let calls = Number.NaN; // not counted until the set is open
    const failing: RedisClient = {
      call: (command, args) =>
        ++calls === 2 ? Promise.reject(new Error("gone")) : client.call(command, args),
    };
    const set = await SeenSet.open(redis(failing, { name: newName() }));
    calls = 0;
    const batch = ["no URL", ...urls];
    const failure = await set.addBatch(batch).catch((error) => error);
    expect(failure.code).toBe("SEEN_FAILED");
    expect(failure.answers.length).toBe(8192 + 1);
    expect(failure.answers.slice(1).includes(0)).toBe(false);
    const rest = batch.slice(failure.answers.length);
    expect((await set.addBatch(rest)).includes(0)).toBe(false);
    await set.close();
  });

  test("opens a server by its URL, and says what is wrong where there is none", async () => {
    const options = { name: newName() };
    const set = await SeenSet.open(redis(server.socket, options));
    expect([...(await set.addBatch(["http://a/"]))]).toEqual([1]);
    await set.close();
    const nowhere = new Redis({ path: "/nowhere", maxRetriesPerRequest: 0, lazyConnect: true });
    nowhere.on("error", () => {});
    await expect(SeenSet.open(redis(nowhere, options))).rejects.toMatchObject({
      code: "SEEN_FAILED",
    });
    nowhere.disconnect();
  });
});
