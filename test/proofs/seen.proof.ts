// What must hold of sets when processes die, share and restart, at length.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { killAgainAndAgain } from "../shared/kill-writer.ts";
import { Random } from "../shared/random.ts";
import { hasRedis, RedisServer } from "../shared/redis-server.ts";
import { overlapping, runTogether, shareWhileItCrashes } from "../shared/seen-processes.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const SIZE = 1_000;

let folder = "";
beforeEach(() => {
  folder = tempFolder();
});

// The larger batches are several blocks each.
test.each([
  ["journal", 100, 500],
  ["journal", 20, 200_000],
  ["disk", 60, 500],
  ["disk", 20, 20_000],
] as const)("a %s whose writer is killed %i times, batches of %i", async (store, kills, size) => {
  const seed = Number(process.env["URLMILL_FUZZ_SEED"] ?? Date.now() % 1_000_000);
  const { batches, cut } = await killAgainAndAgain(store, folder, kills, size, new Random(seed));
  console.log(`seed ${seed}: ${batches} batches answered and there, ${cut} bytes cut`);
});

describe.each([2, 4])("%i processes", (writers) => {
  const shares = overlapping(writers, 200);

  test("share an LMDB", async () => {
    const fresh = await runTogether(
      shares.stretches.map((stretch) => ({ ...stretch, lmdbPath: folder, size: SIZE })),
    );
    console.log(`${writers} processes on LMDB: ${fresh} new of ${writers * 200 * SIZE}`);
    expect(fresh).toBe(shares.all * SIZE);
  });

  describe.skipIf(!hasRedis())("with a Redis server", () => {
    const server = new RedisServer();
    beforeEach(() => server.start());
    afterEach(() => server.kill());

    test("share a set that crashes and comes back from its append-only file", async () => {
      const fresh = await shareWhileItCrashes(server, shares, SIZE);
      console.log(`${writers} processes on Redis: ${fresh} new of ${writers * 200 * SIZE}`);
      expect(fresh).toBe(shares.all * SIZE);
    });
  });
});
