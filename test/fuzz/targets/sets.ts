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
import { createNormalizer } from "../../../src/index.ts";
import { disk, journal, SeenSet } from "../../../src/seen/index.ts";
import { counted } from "../edges.ts";

export { PLACES, reached } from "../edges.ts";

/** The least memory of a set on disk, as it is here (test/fuzz/main.mjs). */
const MEMORY = 1 << 20;
/** The engine does not matter here, and an instance of the kernel takes time, as it does to ask for the memory there is. */
const OPTIONS = { engine: "js", key: new Uint8Array(16), maxBytes: 1 << 24 } as const;
/** How many of the 256 partitions get keys: a merge writes a file for each, and tells the manifest eight at a time. */
const PARTITIONS = 12;
const root = mkdtempSync(join(tmpdir(), "urlmill-fuzz-"));
let made = 0;

/** The URLs of all steps. */
const URLS = urlsOfPartitions();

function urlsOfPartitions(): string[] {
  const urls = Array.from({ length: 4_000 }, (_, at) => `http://a/${at}`);
  const { key, engine } = OPTIONS;
  const { fingerprints } = createNormalizer({ engine }).fingerprintBatch(urls, { key });
  return urls.filter((_, row) => (fingerprints[16 * row + 9] as number) < PARTITIONS);
}

const urlsOf = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => URLS[(first + at) % URLS.length] as string);

/** Changes a byte of a file, or cuts the file, or removes it. */
function damage(directory: string, [which = 0, high = 0, low = 0, how = 0]: Uint8Array): void {
  const names = readdirSync(directory).toSorted();
  const file = join(directory, names[which % names.length] as string);
  const bytes = readFileSync(file);
  const at = Math.floor(((high * 256 + low) * bytes.length) / 65_536);
  if (how === 0) rmSync(file);
  else if (how === 1) truncateSync(file, at);
  else if (bytes.length > 0) {
    bytes[at] = (bytes[at] as number) ^ how;
    writeFileSync(file, bytes);
  }
}

/** Holds an open set, and compares each answer with what was said before. */
class Checked {
  readonly #directory: string;
  readonly #isDisk: boolean;
  readonly #known = new Set<string>();
  /** The rows that were enqueued, and how many of them are settled. */
  readonly #rows: { readonly url: string; readonly answer: number }[] = [];
  #settled = 0;
  #isImmediate = true;
  #set: SeenSet | null = null;

  constructor(directory: string, isDisk: boolean) {
    this.#directory = directory;
    this.#isDisk = isDisk;
  }

  async open(isImmediate: boolean): Promise<void> {
    this.#isImmediate = isImmediate || !this.#isDisk;
    const store = this.#isDisk
      ? disk(this.#directory, { memory: MEMORY, immediate: isImmediate })
      : journal(this.#directory);
    this.#set = await SeenSet.open(store, OPTIONS);
  }

  async close(): Promise<void> {
    const set = this.#set;
    this.#set = null;
    await set?.close();
  }

  /** Runs a step. Where the set cannot do it, another is in its place. */
  async step(what: number, first: number): Promise<void> {
    const urls = urlsOf(first, 1 + (what >> 3));
    const step = what % 8;
    if (step === 7) {
      await this.close();
      await this.open(first % 2 === 0);
    } else if (this.#isDisk && (step < 2 || (step < 5 && !this.#isImmediate))) {
      await this.#enqueue(urls);
    } else if (this.#isDisk && (step === 2 || !this.#isImmediate)) {
      await this.drain(first);
    } else await this.#ask(urls, step < 5);
  }

  /** Adds URLs, or asks for them. */
  async #ask(urls: readonly string[], adds: boolean): Promise<void> {
    const set = this.#set as SeenSet;
    const answers = await (adds ? set.addBatch(urls) : set.hasBatch(urls));
    for (const [row, url] of urls.entries()) {
      const expected = adds ? this.#add(url) : Number(this.#known.has(url));
      if (answers[row] !== expected) throw new Error(`${url}: ${answers[row]}, not ${expected}`);
    }
  }

  async #enqueue(urls: readonly string[]): Promise<void> {
    const row = await (this.#set as SeenSet).enqueueBatch(urls, { payload: "url" });
    if (row !== this.#rows.length) throw new Error(`row ${row}, not ${this.#rows.length}`);
    for (const url of urls) this.#rows.push({ url, answer: this.#add(url) });
  }

  /** Drains all, and settles that if `what` is even. */
  async drain(what: number): Promise<void> {
    let next = this.#settled;
    for await (const { row, answers, payloads, commit } of (this.#set as SeenSet).drain()) {
      if (row !== next) throw new Error(`row ${row}, not ${next}`);
      for (const [at, answer] of answers.entries()) {
        const { url, answer: expected } = this.#rows[row + at] ?? {};
        const given = Buffer.from(payloads?.[at] ?? []).toString();
        if (given !== url || answer !== expected)
          throw new Error(`${given}: ${answer}, not ${url}: ${expected}`);
      }
      next += answers.length;
      if (what % 2 === 0) {
        await commit();
        this.#settled = next;
      }
    }
    if (next !== this.#rows.length) throw new Error(`${next} rows, not ${this.#rows.length}`);
  }

  /** Asks the set for all that it was told. */
  async checkAll(): Promise<void> {
    await this.open(true);
    await this.#ask(URLS, false);
    if (this.#isDisk) await this.drain(0);
    const size = await (this.#set as SeenSet).size();
    if (size !== this.#known.size) throw new Error(`${size} URLs, not ${this.#known.size}`);
    await this.close();
  }

  /** Returns the answer for a URL that is added. */
  #add(url: string): number {
    const isNew = !this.#known.has(url);
    this.#known.add(url);
    return Number(isNew);
  }
}

/**
 * A byte for the store, and steps of two bytes: URLs to add, to ask for or to enqueue, all to drain, or the set to close and
 * open again. What was answered stays answered. With four bytes left, the files are damaged: the set is refused, or all its
 * answers are right.
 */
export const fuzz = counted(async (data: Buffer): Promise<void> => {
  const directory = join(root, `${made++}`);
  const [kind = 0] = data;
  const set = new Checked(directory, (kind & 3) !== 3);
  try {
    await set.open((kind & 4) === 0);
    let at = 1;
    for (; at + 6 <= Math.min(data.length, 60); at += 2) {
      const [what = 0, first = 0] = data.subarray(at, at + 2);
      await set.step(what, first);
    }
    await set.close();
    const left = data.subarray(at);
    const isDamaged = left.length >= 4 && left[3] !== 0xff;
    if (isDamaged) damage(directory, left);
    try {
      await set.checkAll();
    } catch (error) {
      if (!(isDamaged && error instanceof UrlmillError && error.code === "SEEN_CORRUPT"))
        throw error;
    }
  } finally {
    await set.close().catch(() => {});
    rmSync(directory, { recursive: true });
  }
});
