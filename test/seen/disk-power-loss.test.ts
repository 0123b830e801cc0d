// At full length only: it cuts the power at many moments.

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { checkLife, live, type Note } from "../shared/disk-life.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { filesAfterCut } from "../shared/power-loss.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const recorded = await vi.hoisted(async () => {
  const { RecordedDisk } = await import("../shared/power-loss.ts");
  return new RecordedDisk();
});
vi.mock("../../src/base/peer.ts", async (original) => {
  const peer = await original<typeof import("../../src/base/peer.ts")>();
  const wrapped = recorded.wrap(peer.files());
  return { ...peer, files: () => wrapped };
});

/**
 * How many states are looked at for each moment. By default one state of some moments, whichever; `npm run proof seen` looks
 * at more.
 */
const STATES = Number(process.env["URLMILL_POWER_STATES"] ?? 0);
/** Of so many moments, one is looked at by default. */
const STEP = atLength(1500, 300, 100);

const folder = tempFolder();
let directory = "";
let count = 0;
beforeEach(() => {
  directory = join(folder, `set-${count++}`);
});

async function put(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory);
  for (const [name, bytes] of files) await writeFile(join(directory, name), bytes);
}

test.each(sampleOf(["batch", "second", "close"] as const, 3))(
  "after a power cut a set has what it promised, on disk by %s",
  async (fsync) => {
    const note = (what: Note): void => recorded.note(JSON.stringify(what));
    /** A second later at most, all that was answered is on disk. */
    const pause = async (): Promise<void> => {
      if (fsync !== "second") return;
      const isOnDisk = (): void => expect(recorded.moments.at(-1)?.possible).toEqual([]);
      await vi.waitFor(isOnDisk, { timeout: 30_000 });
      note(["synced"]);
    };
    await put(new Map());
    recorded.begin(directory, new Map());
    await live(directory, fsync, note, pause);
    recorded.end();
    const moments = [...recorded.moments];
    const random = new Random(9);
    for (const moment of moments) {
      if (STATES === 0 && !random.chance(STEP)) continue;
      const notes = moment.notes.map((text): Note => JSON.parse(text));
      for (let state = 0; state < Math.max(1, STATES); state++) {
        const files = filesAfterCut(moment, random.pick(["all", "none", random, random] as const));
        await put(files);
        await checkLife(directory, notes, random);
      }
    }
  },
  STATES === 0 ? 120_000 : 3_600_000,
);
