import { expect } from "vitest";
import { type DiskOptions, disk, SeenSet } from "../../src/seen/index.ts";
import { atLength } from "./length.ts";
import { Random } from "./random.ts";

/*
 * A life of a set on disk whose every step is noted when it begins and when it returns, and a check of what is left of the
 * set after a crash: it has what was promised by the notes, and nothing that was not begun.
 */

/** The least memory of a set. */
export const MEMORY = 1 << 24;
const SIZE = 24;
/** URLs of this many numbers come in a life; those after them never do. */
const NUMBERS = atLength(40, 200);

/** What was begun, and what has returned. */
export type Note =
  | readonly ["add" | "added", number]
  | readonly ["enqueue", number, boolean]
  | readonly ["enqueued", number, boolean]
  | readonly ["durable", number]
  /** All that was answered is on disk for certain. */
  | readonly ["synced"]
  | readonly ["handed", number, readonly number[]]
  | readonly ["settle" | "settled", number];

const urlOf = (number: number): string => `http://a.example/${number}`;

/** Returns the URLs of a step: many come in other steps too, and some are not URLs. */
function urlsOf(step: number): string[] {
  const random = new Random(1000 + step);
  if (step % 7 === 5) return ["x", "y", "z"];
  return Array.from({ length: SIZE }, () =>
    random.chance(12) ? "x" : urlOf(random.below(Math.min(NUMBERS, 20 + 15 * step))),
  );
}

const isUrl = (url: string): boolean => url.length > 1;

/** Lives: takes notes of each step. */
class Life {
  #set: SeenSet | null = null;
  #step = 0;
  readonly #directory: string;
  readonly #fsync: NonNullable<DiskOptions["fsync"]>;
  readonly #note: (note: Note) => void;

  constructor(
    directory: string,
    fsync: NonNullable<DiskOptions["fsync"]>,
    note: (note: Note) => void,
  ) {
    this.#directory = directory;
    this.#fsync = fsync;
    this.#note = note;
  }

  get set(): SeenSet {
    return this.#set as SeenSet;
  }

  async open(immediate: boolean): Promise<void> {
    const options = { memory: MEMORY, fsync: this.#fsync, immediate };
    this.#set = await SeenSet.open(disk(this.#directory, options));
  }

  async close(): Promise<void> {
    const set = this.set;
    this.#set = null;
    await set.close();
    this.#note(["synced"]);
  }

  async add(): Promise<void> {
    const step = this.#step++;
    this.#note(["add", step]);
    await this.set.addBatch(urlsOf(step));
    this.#note(["added", step]);
    if (this.#fsync === "batch") this.#note(["synced"]);
  }

  async enqueue(hasPayload: boolean): Promise<void> {
    const step = this.#step++;
    this.#note(["enqueue", step, hasPayload]);
    await this.set.enqueueBatch(urlsOf(step), hasPayload ? { payload: "url" } : {});
    this.#note(["enqueued", step, hasPayload]);
    await this.noteDurable();
  }

  async noteDurable(): Promise<void> {
    this.#note(["durable", (await this.set.stats()).durableRow as number]);
  }

  async sync(): Promise<void> {
    await this.set.sync();
    this.#note(["synced"]);
    await this.noteDurable();
  }

  /** Drains; commits some of the pieces, or none. */
  async drain(commits: number): Promise<void> {
    let left = commits;
    for await (const { row, answers, commit } of this.set.drain()) {
      this.#note(["handed", row, [...answers]]);
      if (left-- <= 0) continue;
      const end = row + answers.length;
      this.#note(["settle", end]);
      await commit();
      this.#note(["settled", end]);
    }
  }

  /** Closes what is open after an error, which all calls throw from then on. */
  async fail(error: unknown): Promise<void> {
    const set = this.#set;
    if (set === null) return;
    const calls = [
      () => set.size(),
      () => set.enqueueBatch(["http://a/"]),
      () => set.drain().next(),
      () => set.sync(),
    ];
    for (const call of calls) await expect(call()).rejects.toBe(error);
    await expect(set.close()).rejects.toBeDefined();
  }
}

/**
 * Lives with all that a set on disk can do, in both shapes. `pause` comes when all must be on disk a second later. Throws the
 * first error, after it has closed the set.
 */
export async function live(
  directory: string,
  fsync: NonNullable<DiskOptions["fsync"]>,
  note: (note: Note) => void,
  pause: () => Promise<void>,
): Promise<void> {
  const life = new Life(directory, fsync, note);
  try {
    await life.open(true);
    await life.add();
    await life.enqueue(true);
    await life.enqueue(false);
    await pause();
    await life.add(); // answers what waits first
    await life.drain(1);
    await life.enqueue(true); // are not URLs
    await life.enqueue(true);
    await life.close();
    await life.open(false);
    await life.enqueue(true);
    await life.enqueue(false);
    await life.drain(0);
    await life.drain(2);
    await life.enqueue(false);
    await life.sync();
    await life.enqueue(true);
    await life.close();
    await life.open(true);
    await life.add();
    await life.enqueue(false);
    await life.drain(9);
    await life.add();
    await life.close();
  } catch (error) {
    await life.fail(error);
    throw error;
  }
}

interface Row {
  readonly url: string;
  readonly hasPayload: boolean;
  /** The answers that it may get. */
  readonly answers: Set<number>;
}

/** What must be there, by the notes of a life. */
class Promised {
  readonly rows: Row[] = [];
  readonly #sure = new Set<string>();
  readonly #possible = new Set<string>();
  #added: string[] = [];
  durableRow = 0;
  settled = 0;
  settledAtMost = 0;

  constructor(notes: readonly Note[]) {
    const synced = notes.findLastIndex(([what]) => what === "synced");
    for (const [index, note] of notes.entries()) this.#take(note, index < synced);
  }

  #take(note: Note, isSynced: boolean): void {
    if (note[0] === "add") this.#addMaybe(urlsOf(note[1]).filter(isUrl));
    else if (note[0] === "added" && isSynced) for (const url of this.#added) this.#sure.add(url);
    else if (note[0] === "enqueue") this.#enqueue(urlsOf(note[1]), note[2]);
    else if (note[0] === "enqueued" && isSynced) this.durableRow = this.rows.length;
    else if (note[0] === "durable") this.durableRow = note[1];
    else if (note[0] === "handed") this.#hand(note[1], note[2]);
    else if (note[0] === "settle") this.settledAtMost = note[1];
    else if (note[0] === "settled") this.settled = note[1];
  }

  #addMaybe(urls: string[]): void {
    this.#added = urls;
    for (const url of urls) this.#possible.add(url);
  }

  #enqueue(urls: readonly string[], hasPayload: boolean): void {
    const before = new Set(this.rows.map(({ url }) => url));
    for (const url of urls) {
      const isSeen = before.has(url) || this.#sure.has(url);
      const answers = isSeen ? [0] : this.#possible.has(url) ? [0, 1] : [1];
      this.rows.push({ url, hasPayload, answers: new Set(isUrl(url) ? answers : [3]) });
      before.add(url);
    }
  }

  #hand(row: number, answers: readonly number[]): void {
    for (const [index, answer] of answers.entries()) {
      const allowed = (this.rows[row + index] as Row).answers;
      expect(allowed).toContain(answer);
      allowed.clear();
      allowed.add(answer);
    }
  }

  /** Enqueues rows after a crash, before a merge that it cut goes on. Returns the number after the last. */
  async enqueueMore(set: SeenSet, end: number): Promise<number> {
    for (const { url } of this.rows.splice(end)) this.#possible.add(url);
    const urls = urlsOf(9);
    expect(await set.enqueueBatch(urls)).toBe(end);
    this.#enqueue(urls, false);
    return this.rows.length;
  }

  /** Checks whether URLs are there: those of rows before `end` and of added batches that are on disk. */
  checkThere(there: (number: number) => boolean, end: number): void {
    const rows = new Set(this.rows.slice(0, end).map(({ url }) => url));
    const later = new Set(this.rows.slice(end).map(({ url }) => url));
    for (let number = 0; number < 2 * NUMBERS; number++) {
      const url = urlOf(number);
      if (rows.has(url) || this.#sure.has(url)) expect([url, there(number)]).toEqual([url, true]);
      else if (!later.has(url) && !this.#possible.has(url)) {
        expect([url, there(number)]).toEqual([url, false]);
      }
    }
  }
}

/** Opens what a crash left, and checks that all that was promised is there, and nothing else. */
export async function checkLife(
  directory: string,
  notes: readonly Note[],
  random: Random,
): Promise<void> {
  const promised = new Promised(notes);
  const open = (immediate: boolean): Promise<SeenSet> =>
    SeenSet.open(disk(directory, { memory: MEMORY, fsync: "close", immediate }));
  let set = await open(random.chance(2));
  const { nextRow, settledRow } = (await set.stats()) as { nextRow: number; settledRow: number };
  expect(nextRow).toBeGreaterThanOrEqual(promised.durableRow);
  expect(nextRow).toBeLessThanOrEqual(promised.rows.length);
  expect(settledRow).toBeGreaterThanOrEqual(promised.settled);
  expect(settledRow).toBeLessThanOrEqual(promised.settledAtMost);
  const end = random.chance(2) ? await promised.enqueueMore(set, nextRow) : nextRow;
  const answers = await drained(set, promised, settledRow, end, false);
  if (random.chance(2)) {
    await set.close();
    set = await open(false);
  }
  expect(await drained(set, promised, settledRow, end, true)).toEqual(answers);
  // It can be written to, and be read again.
  expect(await set.enqueueBatch([urlOf(1e6), urlOf(1e6)])).toBe(end);
  await set.close();
  set = await open(true);
  expect((await set.stats()).cutBytes).toBe(0);
  for await (const piece of set.drain()) {
    expect([piece.row, ...piece.answers]).toEqual([end, 1, 0]);
    await piece.commit();
  }
  expect([...(await set.addBatch([urlOf(1e6), urlOf(1e6 + 1)]))]).toEqual([0, 1]);
  await set.close();
  set = await open(true);
  for await (const piece of set.drain()) expect(piece.row).toBe("settled");
  const urls = Array.from({ length: 2 * NUMBERS }, (_, number) => urlOf(number));
  const has = await set.hasBatch(urls);
  promised.checkThere((number) => has[number] === 1, end);
  const size = has.reduce((sum, isThere) => sum + isThere, 2);
  expect(await set.size()).toBe(size);
  await set.close();
}

/** Drains and checks all rows from `first` to `end`. Returns their answers. */
async function drained(
  set: SeenSet,
  { rows }: Promised,
  first: number,
  end: number,
  isCommitted: boolean,
): Promise<number[]> {
  const all: number[] = [];
  for await (const { row, answers, payloads, commit } of set.drain()) {
    expect(row).toBe(first + all.length);
    for (const [index, answer] of answers.entries()) {
      const { url, hasPayload, answers: allowed } = rows[row + index] as Row;
      expect(allowed, `row ${row + index}`).toContain(answer);
      expect(payloads === null ? null : Buffer.from(payloads[index] ?? []).toString()).toBe(
        hasPayload ? url : null,
      );
      all.push(answer);
    }
    if (isCommitted) await commit();
  }
  expect(first + all.length).toBe(end);
  return all;
}
