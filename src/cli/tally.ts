import { isError, Status, statusName } from "../status.ts";

/** What a run has seen so far. */
export class Tally {
  readonly started = performance.now();
  lines = 0;
  bytesIn = 0;
  bytesOut = 0;
  changed = 0;
  errors = 0;
  /** Lines merged with an earlier one; `dedupe` only. */
  duplicates = 0;
  readonly #byCode = new Map<string, number>();

  /** Counts the lines of a window by their status. */
  addRows(status: Uint8Array, changed: number): void {
    this.lines += status.length;
    if (changed === 0) return;
    for (const code of status) if (code !== Status.UNCHANGED) this.#addOne(code);
  }

  #addOne(status: number): void {
    if (!isError(status)) {
      this.changed++;
      return;
    }
    this.errors++;
    const code = statusName(status);
    this.#byCode.set(code, (this.#byCode.get(code) ?? 0) + 1);
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
      errors: this.errors,
      errorsByCode: Object.fromEntries(this.#byCode),
      bytesIn: this.bytesIn,
      bytesOut: this.bytesOut,
      seconds: Number(seconds.toFixed(3)),
      linesPerSecond: Math.round(this.lines / seconds),
    };
  }
}
