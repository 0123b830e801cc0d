import { createNormalizer } from "urlmill";
import { SeenSet } from "urlmill/seen";
import { distinctLines } from "./distinct-lines.ts";

/** Lines of a batch: the corpus a whole number of times. */
const BATCH = 1_000_000;
const KEY = new Uint8Array(16);

/** Returns the time of the processor that work took, in nanoseconds. */
async function processorTime(work: () => Promise<unknown> | unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return 1000 * (user + system);
}

/**
 * Prints what adding `count` distinct URLs to a set takes besides reading and fingerprinting them: lines in batches of a
 * million, with room for all given. A growing set takes longer, and `grows` measures that.
 */
export async function measureInserts(count: number, grows: boolean): Promise<void> {
  const normalizer = createNormalizer();
  const set = new SeenSet({ key: KEY, ...(grows ? {} : { capacity: count }) });
  let [added, fingerprinted] = [0, 0];
  for (let first = 0; first < count; first += BATCH) {
    const lines = distinctLines(Math.min(BATCH, count - first), first);
    fingerprinted += await processorTime(() =>
      normalizer.fingerprintPieces(lines, { key: KEY, bits: 128 }, () => {}),
    );
    added += await processorTime(() => set.addBatch(lines));
  }
  const { size, memoryBytes = 0 } = await set.stats();
  const ns = (time: number): string => (time / count).toFixed(0);
  console.log(
    `${count.toLocaleString("en")} lines into a set${grows ? " that grows" : ""}: ${ns(added)} ns of the processor a line, of which ${ns(fingerprinted)} are for fingerprints and ${ns(added - fingerprinted)} for the set; ${size.toLocaleString("en")} URLs of ${(memoryBytes / size).toFixed(1)} bytes`,
  );
  await set.close();
}
