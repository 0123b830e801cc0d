// At full length only: it kills processes.

import { describe, expect, test } from "vitest";
import { killAgainAndAgain } from "../shared/kill-writer.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { hasRedis, RedisServer } from "../shared/redis-server.ts";
import { overlapping, runTogether, shareWhileItCrashes } from "../shared/seen-processes.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const SIZE = 200;
/** URLs of a batch that goes to Redis. */
const BATCH = atLength(200, 500);
const { stretches, all } = overlapping(3, 20);

test.each([
  ["journal", 500],
  ["disk", atLength(2_000, 20_000)],
] as const)(
  "a %s whose writer is killed has all that was answered, and no more",
  async (store, size) => {
    const kills = atLength(3, 5);
    const { batches } = await killAgainAndAgain(store, tempFolder(), kills, size, new Random(7));
    expect(batches).toBeGreaterThan(5);
  },
);

test("processes that share an LMDB are told of each URL once that it is new", async () => {
  const lmdbPath = tempFolder();
  const fresh = await runTogether(
    stretches.map((stretch) => ({ ...stretch, lmdbPath, size: SIZE })),
  );
  expect(fresh).toBe(all * SIZE);
});

describe.skipIf(!hasRedis())("with a Redis server", () => {
  test("processes that share a set are told of each URL once that it is new, also when the server crashes", async () => {
    const server = new RedisServer();
    await server.start();
    try {
      expect(await shareWhileItCrashes(server, overlapping(2, 60), BATCH)).toBe(90 * BATCH);
    } finally {
      await server.kill();
    }
  });
});
