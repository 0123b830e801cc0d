import { expect } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import { lmdb } from "../../src/seen/lmdb.ts";
import type { Random } from "./random.ts";
import { Writer } from "./seen-processes.ts";

/**
 * Kills a crawler again and again, every other time after it has answered, that holds each batch of `size` URLs, puts it into
 * its queue (says so) and commits it. Checks each time that every URL in the set was in the queue: one that is in the set
 * alone would never be fetched. Returns how many batches were queued, and how many of these, at most one a kill, come again.
 */
export async function killHolders(
  store: "journal" | "lmdb",
  folder: string,
  kills: number,
  size: number,
  random: Random,
): Promise<{ queued: number; repeated: number }> {
  const place = store === "lmdb" ? lmdb(folder) : folder;
  let next = 0;
  let queued = 0;
  let repeated = 0;
  for (let kill = 0; kill < kills; kill++) {
    const where = store === "lmdb" ? { lmdbPath: folder } : { journal: folder };
    const writer = new Writer({ ...where, first: next, count: 1_000_000, size, holds: true });
    await writer.opened();
    if (kill % 2 === 0) await writer.answeredBatches(1);
    await new Promise((resolve) => setTimeout(resolve, random.below(100)));
    await writer.kill();
    const last = Math.max(next - 1, ...writer.answered.keys());
    const set = await SeenSet.open(place);
    try {
      const has = async (batch: number): Promise<boolean> => {
        const urls = Array.from(
          { length: size },
          (_, row) => `http://a.example/${batch * size + row}`,
        );
        const answers = await set.hasBatch(urls);
        expect(new Set(answers).size).toBe(1);
        return answers[0] === 1;
      };
      for (let batch = next; batch < last; batch++) expect(await has(batch)).toBe(true);
      if (last >= next && !(await has(last))) repeated++;
      expect(await has(last + 1)).toBe(false);
      expect(await has(last + 2)).toBe(false);
    } finally {
      await set.close();
    }
    queued += last + 1 - next;
    next = last + 1;
  }
  return { queued, repeated };
}
