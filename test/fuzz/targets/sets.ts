import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UrlmillError } from "../../../src/base/errors.ts";
import { disk, journal, SeenSet } from "../../../src/seen/index.ts";
import { counted } from "../edges.ts";

export { PLACES, reached } from "../edges.ts";

/** The least memory of a set on disk. */
const MEMORY = 1 << 24;
const root = mkdtempSync(join(tmpdir(), "urlmill-fuzz-"));
let made = 0;

const urlsOf = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `http://a/${first + at}`);

/** Changes a byte of a file, or cuts the file. */
function damage(directory: string, [which = 0, where = 0, how = 0]: Uint8Array): void {
  const names = readdirSync(directory)
    .filter((name) => name !== "lock")
    .toSorted();
  const file = join(directory, names[which % names.length] as string);
  const bytes = readFileSync(file);
  const at = Math.floor((where * bytes.length) / 256);
  if (how === 0) rmSync(file);
  else if (how === 1) truncateSync(file, at);
  else if (bytes.length > 0) {
    bytes[at] = (bytes[at] as number) ^ how;
    writeFileSync(file, bytes);
  }
}

/**
 * A byte for the store, and steps of two bytes: URLs to add, to ask for, or to close and open the set again. What was
 * answered stays answered. With three bytes left, the files are damaged: the set is refused, or all its answers are right.
 */
export const fuzz = counted(async (data: Buffer): Promise<void> => {
  const directory = join(root, `${made++}`);
  const [kind = 0] = data;
  const isDisk = (kind & 1) === 1;
  const open = (): Promise<SeenSet> =>
    SeenSet.open(
      isDisk ? disk(directory, { memory: MEMORY, immediate: true }) : journal(directory),
    );
  const known = new Set<string>();
  /** Adds or asks, and compares each answer. */
  const check = async (set: SeenSet, urls: string[], adds: boolean): Promise<void> => {
    const answers = await (adds ? set.addBatch(urls) : set.hasBatch(urls));
    for (const [row, url] of urls.entries()) {
      const expected = Number(known.has(url) !== adds);
      if (answers[row] !== expected) throw new Error(`${url}: ${answers[row]}, not ${expected}`);
      if (adds) known.add(url);
    }
  };
  let set = await open();
  try {
    let at = 1;
    for (; at + 5 <= Math.min(data.length, 60); at += 2) {
      const [what = 0, first = 0] = data.subarray(at, at + 2);
      if (what % 8 === 7) {
        await set.close();
        set = await open();
      } else await check(set, urlsOf(first, 1 + (what >> 3)), what % 8 < 5);
    }
    await set.close();
    if (data.length - at >= 3 && data[at + 2] !== 0xff) damage(directory, data.subarray(at));
    try {
      set = await open();
      await check(set, urlsOf(0, 300), false);
      await set.close();
    } catch (error) {
      if (!(error instanceof UrlmillError) || error.code !== "SEEN_CORRUPT") throw error;
    }
  } finally {
    await set.close().catch(() => {});
    rmSync(directory, { recursive: true });
  }
});
