// At full length only: it starts servers.
import { Cluster } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import { redis } from "../../src/seen/redis.ts";
import { RedisCluster } from "../shared/redis-cluster.ts";
import { hasRedis } from "../shared/redis-server.ts";

const URLS = Array.from({ length: 1_000 }, (_, row) => `http://a.example/${row}`);

describe.skipIf(!hasRedis())("a set in a Redis cluster", () => {
  const cluster = new RedisCluster();
  beforeAll(() => cluster.start());
  afterAll(() => cluster.remove());

  test("has all its keys in one slot, whatever its name", async () => {
    const client = new Cluster([cluster.node]);
    for (const name of ["crawl", "{", "{{a", "a{b", " ", "\u00e9"]) {
      const set = await SeenSet.open(redis(client, { name, capacity: 10_000 }));
      expect((await set.addBatch(URLS)).includes(0)).toBe(false);
      expect((await set.hasBatch(URLS)).includes(0)).toBe(false);
      expect(await set.size()).toBe(1_000);
      await set.close();
    }
    client.disconnect();
  });

  test("adds a batch as a whole or not at all while its slot moves to another server", async () => {
    const name = "moving";
    const [first, second] = cluster.clients as NonNullable<typeof cluster.clients>;
    const set = await SeenSet.open(redis(first, { name, capacity: 10_000 }), {
      key: new Uint8Array(16),
    });
    const client = new Cluster([cluster.node]);
    const key = `urlmill:{${name}}`;
    await set.addBatch(["http://first.example/"]);
    expect((await set.addBatch(URLS.slice(0, 500))).includes(0)).toBe(false);
    await cluster.beginMove(key);
    await cluster.move(`${key}:21`);
    await expect(set.addBatch(URLS.slice(500, 900))).rejects.toMatchObject({
      code: "SEEN_FAILED",
      answers: new Uint8Array(0),
    });
    for (const left of await first.keys(`${key}*`)) await cluster.move(left);
    await cluster.endMove(key);
    expect(await second.hget(key, "size")).toBe("501");
    // A set of its own, so that nothing of the failed call comes back.
    const moved = await SeenSet.open(redis(client, { name }));
    const answers = await moved.addBatch(URLS.slice(450));
    expect([...answers]).toEqual(URLS.slice(450).map((_, row) => (row < 50 ? 0 : 1)));
    await moved.close();
    client.disconnect();
    await expect(set.close()).rejects.toMatchObject({ code: "SEEN_FAILED" }); // MOVED
  });
});
