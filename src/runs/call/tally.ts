import { bitOf } from "../../engine/reasons.ts";
import { BLOCKED_CODE } from "../base/marks.ts";
import type { ChunkResult } from "./job.ts";

/** Says which results of a run are counted by code and by step. */
type Counts = Pick<ChunkResult, "changed" | "errorsByCode" | "steps">;

/** Holds the counts of a run so far. */
export class Tally {
  readonly hasLists: boolean;
  readonly started = performance.now();
  lines = 0;
  /** The bytes read from the inputs, as stored in their files. */
  bytesIn = 0;
  /** The same of an earlier reading, if the inputs are read twice. */
  bytesBefore = 0;
  bytesOut = 0;
  /** The bytes that went to temporary files, because keys did not fit in memory. */
  temporaryBytes = 0;
  changed = 0;
  /** The records that have the field of the URL, in formats with fields. */
  located = 0;
  /** The lines that have a tab inside, which URLs lose: a table may have been read as lines. */
  tabbed = 0;
  errors = 0;
  /** The records that lists leave out; `errors` counts them, too. */
  blocked = 0;
  /** Records merged with an earlier one; `dedupe` only. */
  duplicates = 0;
  /** Records left out because only keys of several records are written. */
  unrepeated = 0;
  /** The number of keys from earlier runs, if keys are kept from run to run. */
  keysBefore: number | null = null;
  /** The expected number of lines that were merged by chance; `dedupe` only. */
  expectedFalseMerges: number | null = null;
  /** The number of archive records that are damaged, or null if no archive is read. */
  damagedRecords: number | null = null;
  /** The number of members of compressed archives that are damaged; `damagedRecords` has them, too. */
  damagedMembers = 0;
  /** The number of quotes of tables that are not closed. */
  openQuotes = 0;
  /** The number of records that each step changed, if that is counted. */
  steps: Record<string, number> = {};
  errorsByCode: Record<string, number> = {};

  /** `hasLists`: whether lists of URLs are given, so that it is told how many they leave out. */
  constructor(hasLists = false) {
    this.hasLists = hasLists;
  }

  /** Counts the records of a chunk. */
  add(result: Counts & Pick<ChunkResult, "rows">): void {
    this.lines += result.rows;
    for (const count of Object.values(result.errorsByCode)) this.errors += count;
    this.blocked += result.errorsByCode[BLOCKED_CODE] ?? 0;
    this.addCounts(result);
  }

  /** Adds counts of lines that are already totals. */
  addCounts({ changed, errorsByCode, steps }: Counts): void {
    this.changed += changed;
    for (const [code, count] of Object.entries(errorsByCode)) addTo(this.errorsByCode, code, count);
    for (const [step, count] of Object.entries(steps)) addTo(this.steps, step, count);
  }

  /** Begins to count anew, because all work is done again. */
  restart(): void {
    this.readAgain();
    this.bytesBefore = 0;
    this.duplicates = 0;
    this.unrepeated = 0;
  }

  /** Begins to count from the first record on, because the inputs are read again. */
  readAgain(): void {
    this.bytesBefore = this.bytesIn;
    this.lines = 0;
    this.bytesIn = 0;
    this.bytesOut = 0;
    this.changed = 0;
    this.located = 0;
    this.tabbed = 0;
    this.errors = 0;
    this.blocked = 0;
    this.steps = {};
    this.errorsByCode = {};
  }

  /** Counts one record without a URL. */
  addError(code: string): void {
    this.lines++;
    this.errors++;
    addTo(this.errorsByCode, code, 1);
  }

  /**
   * Returns the steps with the number of records that each changed, highest first. Equal counts are in the order of
   * `STEP_NAMES`.
   */
  stepsByCount(): [step: string, count: number][] {
    return Object.entries(this.steps).toSorted(
      ([step, count], [other, otherCount]) => otherCount - count || bitOf(step) - bitOf(other),
    );
  }

  get seconds(): number {
    return (performance.now() - this.started) / 1000;
  }

  /** Returns the figures of `--stats`. */
  toJSON(): Record<string, unknown> {
    const seconds = this.seconds;
    return {
      lines: this.lines,
      unchanged: this.lines - this.changed - this.errors,
      changed: this.changed,
      duplicates: this.duplicates,
      ...(this.unrepeated > 0 && { unrepeated: this.unrepeated }),
      ...(this.keysBefore !== null && { keysBefore: this.keysBefore }),
      ...(this.expectedFalseMerges !== null && { expectedFalseMerges: this.expectedFalseMerges }),
      errors: this.errors,
      ...(this.hasLists && { blocked: this.blocked }),
      // The order must not depend on which thread is first.
      errorsByCode: Object.fromEntries(Object.entries(this.errorsByCode).toSorted(byName)),
      ...(this.damagedRecords !== null && { damagedRecords: this.damagedRecords }),
      ...(this.damagedMembers > 0 && { damagedMembers: this.damagedMembers }),
      ...(this.openQuotes > 0 && { openQuotes: this.openQuotes }),
      bytesIn: this.bytesIn,
      bytesOut: this.bytesOut,
      ...(this.temporaryBytes > 0 && { temporaryBytes: this.temporaryBytes }),
      seconds: Number(seconds.toFixed(3)),
      linesPerSecond: Math.round(this.lines / seconds),
      changesByStep: Object.fromEntries(this.stepsByCount()),
    };
  }
}

function addTo(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count;
}

function byName([name]: [string, number], [other]: [string, number]): number {
  return name < other ? -1 : 1;
}
