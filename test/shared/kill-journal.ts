import { expect } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import type { Random } from "./random.ts";
import { Writer } from "./seen-processes.ts";

const SIZE = 500;

function urlsOf(batch: number): string[] {
  return Array.from({ length: SIZE }, (_, row) => `http://a.example/${batch * SIZE + row}`);
}

/**
 * Kills a writer of one journal again and again, at random moments, and checks each time that what it
 * was told is there: all of every batch that was answered, nothing of any that was not begun.
 * Returns how many batches were answered and how many bytes were cut.
 */
export async function killAgainAndAgain(
  journal: string,
  kills: number,
  random: Random,
): Promise<{ batches: number; cut: number }> {
  let next = 0;
  let cut = 0;
  for (let kill = 0; kill < kills; kill++) {
    const writer = new Writer({ journal, first: next, count: 1_000_000, size: SIZE });
    await writer.opened();
    await new Promise((resolve) => setTimeout(resolve, random.below(120)));
    await writer.kill();
    const { answered } = writer;
    const set = await SeenSet.open(journal);
    try {
      cut += (await set.stats()).cutBytes ?? 0;
      const done = [...answered.keys()];
      const has = await set.hasBatch(done.flatMap(urlsOf));
      expect(has.includes(0)).toBe(false);
      const last = Math.max(next - 1, ...done);
      // The batch behind the last answered one was under way.
      const later = await set.hasBatch([last + 2, last + 3].flatMap(urlsOf));
      expect(later.includes(1)).toBe(false);
      const unanswered = await set.hasBatch(urlsOf(last + 1));
      const there = unanswered.reduce((sum, isThere) => sum + isThere, 0);
      expect(await set.size()).toBe(SIZE * (last + 1) + there);
      // Ends it, so that the count of the next round is known.
      await set.addBatch(urlsOf(last + 1));
      next = last + 2;
    } finally {
      await set.close();
    }
  }
  return { batches: next, cut };
}
