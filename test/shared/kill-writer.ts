import { expect } from "vitest";
import { disk, SeenSet } from "../../src/seen/index.ts";
import type { Random } from "./random.ts";
import { Writer } from "./seen-processes.ts";

function urlsOf(batch: number, size: number): string[] {
  return Array.from({ length: size }, (_, row) => `http://a.example/${batch * size + row}`);
}

/**
 * Kills a writer of one journal, or of one set on disk, again and again, at random moments: every other time after it has
 * answered. Checks each time that it holds all of every batch of `size` URLs that was answered, and nothing of a batch that
 * was not begun. Returns how many batches were answered and how many bytes were cut.
 */
export async function killAgainAndAgain(
  store: "journal" | "disk",
  folder: string,
  kills: number,
  size: number,
  random: Random,
): Promise<{ batches: number; cut: number }> {
  const urlsIn = (...batches: number[]): string[] =>
    batches.flatMap((batch) => urlsOf(batch, size));
  const where = store === "disk" ? { diskPath: folder } : { journal: folder };
  const place = store === "disk" ? disk(folder, { memory: 1 << 24 }) : folder;
  let next = 0;
  let cut = 0;
  for (let kill = 0; kill < kills; kill++) {
    const writer = new Writer({ ...where, first: next, count: 1_000_000, size });
    await writer.opened();
    if (kill % 2 === 0) await writer.answeredBatches(3);
    await new Promise((resolve) => setTimeout(resolve, random.below(120 + size / 100)));
    await writer.kill();
    const { answered } = writer;
    const set = await SeenSet.open(place);
    try {
      cut += (await set.stats()).cutBytes ?? 0;
      const done = [...answered.keys()];
      const has = await set.hasBatch(urlsIn(...done));
      expect(has.includes(0)).toBe(false);
      const last = Math.max(next - 1, ...done);
      // The batch after the last answered one was under way.
      const later = await set.hasBatch(urlsIn(last + 2, last + 3));
      expect(later.includes(1)).toBe(false);
      const unanswered = await set.hasBatch(urlsIn(last + 1));
      const there = unanswered.reduce((sum, isThere) => sum + isThere, 0);
      expect(await set.size()).toBe(size * (last + 1) + there);
      // Ends it, so that the count of the next round is known.
      await set.addBatch(urlsIn(last + 1));
      next = last + 2;
    } finally {
      await set.close();
    }
  }
  return { batches: next, cut };
}
