import { bitOf } from "../engine/reasons.ts";
import type { ChunkResult } from "./job.ts";

/** What of a run is counted by code and by rule. */
type Counts = Pick<ChunkResult, "changed" | "errorsByCode" | "rules">;

/** What a run has seen so far. */
export class Tally {
  readonly started = performance.now();
  lines = 0;
  /** Bytes taken from the inputs, as they are in their files. */
  bytesIn = 0;
  bytesOut = 0;
  changed = 0;
  errors = 0;
  /** Records merged with an earlier one; `dedupe` only. */
  duplicates = 0;
  /** Of the set of keys, where keys are kept from run to run: those of earlier runs. */
  keysBefore: number | null = null;
  /** How many lines can be expected to have been merged with another by chance; `dedupe` only. */
  expectedFalseMerges: number | null = null;
  /** Records of web archives that could not be read whole; null where no archive is read. */
  damagedRecords: number | null = null;
  /** Records that each rule changed, where that is counted. */
  readonly rules: Record<string, number> = {};
  readonly errorsByCode: Record<string, number> = {};

  /** Counts the records of a chunk. */
  add(result: Counts & Pick<ChunkResult, "rows">): void {
    this.lines += result.rows;
    for (const count of Object.values(result.errorsByCode)) this.errors += count;
    this.addCounts(result);
  }

  /** Adds counts of lines that are counted as lines already. */
  addCounts({ changed, errorsByCode, rules }: Counts): void {
    this.changed += changed;
    for (const [code, count] of Object.entries(errorsByCode)) addTo(this.errorsByCode, code, count);
    for (const [rule, count] of Object.entries(rules)) addTo(this.rules, rule, count);
  }

  /** Counts one record without a URL. */
  addError(code: string): void {
    this.lines++;
    this.errors++;
    addTo(this.errorsByCode, code, 1);
  }

  /** Rules with the records that each changed, most first; of equal counts in the order of `RULE_NAMES`. */
  rulesByCount(): [rule: string, count: number][] {
    return Object.entries(this.rules).toSorted(
      ([rule, count], [other, otherCount]) => otherCount - count || bitOf(rule) - bitOf(other),
    );
  }

  get seconds(): number {
    return (performance.now() - this.started) / 1000;
  }

  /** The figures of `--stats`. */
  toJSON(): Record<string, unknown> {
    const seconds = this.seconds;
    return {
      lines: this.lines,
      unchanged: this.lines - this.changed - this.errors,
      changed: this.changed,
      duplicates: this.duplicates,
      ...(this.keysBefore !== null && { keysBefore: this.keysBefore }),
      ...(this.expectedFalseMerges !== null && { expectedFalseMerges: this.expectedFalseMerges }),
      errors: this.errors,
      // In an order that does not depend on which thread comes first.
      errorsByCode: Object.fromEntries(Object.entries(this.errorsByCode).toSorted(byName)),
      ...(this.damagedRecords !== null && { damagedRecords: this.damagedRecords }),
      bytesIn: this.bytesIn,
      bytesOut: this.bytesOut,
      seconds: Number(seconds.toFixed(3)),
      linesPerSecond: Math.round(this.lines / seconds),
      changesByRule: Object.fromEntries(this.rulesByCount()),
    };
  }
}

function addTo(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count;
}

function byName([name]: [string, number], [other]: [string, number]): number {
  return name < other ? -1 : 1;
}
