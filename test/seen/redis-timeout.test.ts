import { execFileSync } from "node:child_process";
import { createServer } from "node:net";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import { type RedisClient, redis } from "../../src/seen/redis.ts";
import { hasRedis, RedisServer } from "../shared/redis-server.ts";

const URLS = Array.from({ length: 100 }, (_, row) => `http://a.example/${row}`);
const noAnswer = (seconds: number) => ({
  code: "SEEN_FAILED",
  message: expect.stringContaining(`no answer within ${seconds} seconds`),
});
/** More time than any answer takes here: it is over where a test says so. */
const TIMEOUT_MS = 600_000;
const crawl = { name: "crawl", timeoutMs: TIMEOUT_MS };
const NO_ANSWER = noAnswer(600);

/**
 * Calls `start`, for which the clock is set back until it sends its first command. The time of the call is then over,
 * for this process and for the server.
 */
function expired<T>(start: () => Promise<T>): Promise<T> {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() - TIMEOUT_MS - 1_000);
  const send = Redis.prototype.call;
  const sender = vi.spyOn(Redis.prototype, "call").mockImplementation(function (
    this: Redis,
    ...call: unknown[]
  ) {
    sender.mockRestore();
    clock.mockRestore();
    return Reflect.apply(send, this, call) as Promise<unknown>;
  });
  return start();
}

test("a server that takes connections and never answers is an error, by URL or client", async () => {
  const silent = createServer(() => {}).listen(0);
  const address = silent.address() as { port: number };
  const soon = { name: "crawl", timeoutMs: 200 }; // there is no answer that could be late
  const url = `redis://127.0.0.1:${address.port}`;
  await expect(SeenSet.open(redis(url, soon))).rejects.toMatchObject(noAnswer(0.2));
  const client = new Redis(url);
  client.on("error", () => {});
  await expect(SeenSet.open(redis(client, soon))).rejects.toMatchObject(noAnswer(0.2));
  client.disconnect();
  silent.close();
});

describe.skipIf(!hasRedis())("a Redis server that stops to answer", () => {
  const server = new RedisServer();
  const client = new Redis({ path: server.socket, lazyConnect: true });
  beforeAll(() => server.start());
  afterEach(async () => {
    server.resume();
    await client.flushall();
  });
  afterAll(async () => {
    client.disconnect();
    await server.kill();
  });

  test("fails each method in time, and close", async () => {
    const set = await SeenSet.open(redis(server.socket, crawl));
    server.pause();
    await expect(expired(() => set.addBatch(URLS))).rejects.toMatchObject(NO_ANSWER);
    await expect(expired(() => set.hasBatch(URLS))).rejects.toMatchObject(NO_ANSWER);
    await expect(expired(() => set.size())).rejects.toMatchObject(NO_ANSWER);
    await expect(expired(() => set.stats())).rejects.toMatchObject(NO_ANSWER);
    await expect(expired(() => set.close())).rejects.toMatchObject(NO_ANSWER);
  });

  test("adds nothing when it takes a call up after its time", async () => {
    const set = await SeenSet.open(redis(client, crawl));
    await set.addBatch(URLS.slice(0, 10));
    server.pause();
    await expect(expired(() => set.addBatch(URLS.slice(5)))).rejects.toMatchObject(NO_ANSWER);
    server.resume();
    await client.ping(); // answered after the late call
    expect(await set.size()).toBe(10);
    expect((await set.hasBatch(URLS.slice(10))).includes(1)).toBe(false);
    const again = await set.addBatch(URLS.slice(5));
    expect([...again]).toEqual(URLS.slice(5).map((_, row) => (row < 5 ? 0 : 1)));
    await set.close();
  });

  test("is asked no more for a call that failed once another one comes", async () => {
    const set = await SeenSet.open(redis(client, crawl));
    server.pause();
    await expect(expired(() => set.addBatch(URLS))).rejects.toMatchObject(NO_ANSWER);
    server.resume();
    expect([...(await set.addBatch(["http://b.example/"]))]).toEqual([1]);
    expect(await set.size()).toBe(1);
    expect((await set.addBatch(URLS)).includes(0)).toBe(false);
    await set.close();
  });

  /** Waits with this thread until the server has answered another client, and so all that was sent before. */
  const beBusy = (): void => {
    const ask = `require("net").connect(process.argv[1]).end("PING\\r\\n").resume()`;
    execFileSync(process.execPath, ["-e", ask, server.socket]);
  };

  /** Calls `start`, whose time is over for this process when its command is sent, while its thread is busy. */
  const expiredWhileBusy = <T>(start: () => Promise<T>): Promise<T> => {
    const send = Redis.prototype.call;
    const sender = vi.spyOn(Redis.prototype, "call").mockImplementation(function (
      this: Redis,
      ...call: unknown[]
    ) {
      sender.mockRestore();
      const over = performance.now() + TIMEOUT_MS;
      const clock = vi.spyOn(performance, "now").mockReturnValue(over);
      queueMicrotask(() => {
        clock.mockRestore();
        beBusy();
      });
      return Reflect.apply(send, this, call) as Promise<unknown>;
    });
    return start();
  };

  /** A client whose scripts of a batch are kept and sent when the test says so. */
  const keeping = (): { client: RedisClient; send: () => Promise<unknown>; keeps: boolean } => {
    let kept: Parameters<RedisClient["call"]> | null = null;
    const keeper = {
      keeps: false,
      client: {
        call: (...call: Parameters<RedisClient["call"]>) => {
          if (!keeper.keeps) return client.call(...call);
          kept = call;
          return Promise.reject(new Error("Connection is closed."));
        },
      },
      send: () => client.call(...(kept as Parameters<RedisClient["call"]>)),
    };
    return keeper;
  };

  test("does nothing for a call that another one of its client has passed", async () => {
    const keeper = keeping();
    const set = await SeenSet.open(redis(keeper.client, { name: "crawl" }));
    await set.addBatch(["http://b.example/"]); // the server learns the script
    keeper.keeps = true;
    await expect(set.addBatch(URLS)).rejects.toMatchObject({ code: "SEEN_FAILED" });
    keeper.keeps = false;
    expect([...(await set.addBatch(["http://c.example/"]))]).toEqual([1]);
    await expect(keeper.send()).rejects.toThrow("PASSED");
    expect(await set.size()).toBe(2);
    expect((await set.addBatch(URLS)).includes(0)).toBe(false);
    await set.close();
  });

  test("keeps the answer to a call where a question about one before comes late", async () => {
    const keeper = keeping();
    const set = await SeenSet.open(redis(keeper.client, { name: "crawl" }));
    keeper.keeps = true;
    await expect(set.addBatch(["http://b.example/"])).rejects.toThrow("closed");
    await expect(set.addBatch(URLS)).rejects.toThrow("closed"); // the question is kept
    keeper.keeps = false;
    expect((await set.addBatch(URLS)).includes(0)).toBe(false);
    const [answers] = await client.keys("urlmill:{crawl}:answers:*");
    const kept = await client.hgetall(answers as string);
    expect(await keeper.send()).toBe("");
    expect(await client.hgetall(answers as string)).toEqual(kept);
    await set.close();
  });

  test("answers a batch that was given up and comes again, even if nobody heard that it was given up", async () => {
    let fate: "lost" | "done, then lost" | "arrives" = "arrives";
    const losing: RedisClient = {
      call: async (command, args) => {
        const answer = fate === "lost" ? null : await client.call(command, args);
        if (fate !== "arrives") throw new Error("Connection is closed.");
        return answer;
      },
    };
    const set = await SeenSet.open(redis(losing, { name: "crawl" }));
    fate = "lost";
    await expect(set.addBatch(URLS)).rejects.toThrow("closed");
    fate = "done, then lost"; // the server gives the call up
    await expect(set.addBatch(["http://b.example/"])).rejects.toThrow();
    fate = "arrives";
    expect((await set.addBatch(URLS)).includes(0)).toBe(false);
    expect(await set.size()).toBe(100);
    await set.close();
  });

  test("adds what was deleted after a call that failed and was done", async () => {
    let isLost = false;
    const losing: RedisClient = {
      call: async (command, args) => {
        const answer = await client.call(command, args);
        if (!isLost) return answer;
        throw new Error("Connection is closed.");
      },
    };
    const set = await SeenSet.open(redis(losing, { name: "crawl" }));
    const failsAndIsDone = async (urls: string[]): Promise<void> => {
      isLost = true;
      await expect(set.addBatch(urls)).rejects.toThrow("closed");
      isLost = false;
    };
    await failsAndIsDone(["http://a/"]);
    expect([...(await set.delete(["http://a/"]))]).toEqual([1]);
    expect([...(await set.addBatch(["http://a/"]))]).toEqual([1]);
    expect([...(await set.hasBatch(["http://a/"]))]).toEqual([1]);
    expect([...(await set.addBatch(["http://a/"]))]).toEqual([0]);
    // Of two rows one is deleted and added again: only the other one is owed.
    await failsAndIsDone(["http://b/", "http://c/"]);
    expect([...(await set.delete(["http://b/"]))]).toEqual([1]);
    expect([...(await set.addBatch(["http://b/"]))]).toEqual([1]);
    expect([...(await set.addBatch(["http://b/", "http://c/"]))]).toEqual([0, 1]);
    await set.close();
  });

  test("does nothing for a call whose set was closed meanwhile", async () => {
    const keeper = keeping();
    const set = await SeenSet.open(redis(keeper.client, { name: "crawl" }));
    await set.addBatch(["http://b.example/"]);
    keeper.keeps = true;
    await expect(set.addBatch(URLS)).rejects.toMatchObject({ code: "SEEN_FAILED" });
    keeper.keeps = false;
    await set.close();
    expect(await keeper.send()).toBe("");
    const next = await SeenSet.open(redis(client, { name: "crawl" }));
    expect((await next.addBatch(URLS)).includes(0)).toBe(false);
    await next.close();
  });

  test("is asked for its time again where its clock is found set anew", async () => {
    let aheadSeconds = -3_600;
    const client2: RedisClient = {
      call: async (command, args) => {
        const answer = await client.call(command, args);
        if (!Array.isArray(answer) || answer.length !== 2) return answer;
        return [Number(answer[0]) + aheadSeconds, answer[1]]; // the answer to TIME
      },
    };
    const set = await SeenSet.open(redis(client2, { name: "crawl" }));
    aheadSeconds = 0;
    expect((await set.addBatch(URLS)).includes(0)).toBe(false);
    expect(await set.size()).toBe(100);
    await set.close();
  });

  test("is given the time to be read where this thread was busy meanwhile", async () => {
    const set = await SeenSet.open(redis(client, { ...crawl, allowEviction: true }));
    await set.addBatch(["http://b.example/"]); // the server learns the script
    const answers = await expiredWhileBusy(() => set.addBatch(URLS));
    expect(answers.includes(0)).toBe(false);
    await set.close();
  });
});
