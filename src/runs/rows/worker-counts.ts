import { fromSetup } from "../../normalizers.ts";
import { codeOfStatus } from "../base/marks.ts";
import type { ChunkResult } from "../call/job.ts";
import { failedRows, type LineTexts, lineAsBytes } from "./failed-lines.ts";
import { StepCounter } from "./step-counter.ts";

/** Holds what a worker counts for `--stats`, as plain data for other threads. */
export interface WorkerTotals {
  readonly changed: number;
  readonly errorsByCode: Readonly<Record<string, number>>;
  readonly steps: Readonly<Record<string, number>>;
}

/** Holds what is counted of a chunk of lines. */
interface CountedLines {
  readonly changed: number;
  readonly failed: number;
  readonly long: unknown;
  readonly status: Uint8Array;
  readonly reasons: Uint32Array;
  readonly texts: LineTexts;
}

/** Counts the lines of a worker by status, and the changes by step. */
export class WorkerCounts {
  readonly #steps: StepCounter;
  readonly #errorsByCode: Record<string, number> = {};
  /** The changes of records by step. */
  readonly #ofRecords: Record<string, number> = {};
  #changed = 0;

  /** `plan`: the plan of the normalizer. */
  constructor(plan: Uint8Array) {
    // Explaining needs no kernel.
    const normalizer = fromSetup({ plan, module: null, engine: "js" });
    this.#steps = new StepCounter((url) => normalizer.explainBytes(url).steps, false);
  }

  /** Counts the lines of a chunk before any of it is written. */
  add(chunk: CountedLines): void {
    this.#changed += chunk.changed;
    if (chunk.long !== null) this.addLong();
    const { status, reasons, texts } = chunk;
    if (chunk.failed > 0) {
      for (const row of failedRows({ status })) this.#addError(codeOfStatus(status[row] as number));
    }
    if (chunk.changed > 0) this.#steps.add(status, reasons, (row) => lineAsBytes(texts, row));
  }

  /** Counts a line that is too long to be read whole. */
  addLong(): void {
    this.#addError("TOO_LONG");
  }

  /** Adds the counts of a chunk of records. */
  addResult({ changed, errorsByCode, steps }: ChunkResult): void {
    this.#changed += changed;
    addCounts(this.#errorsByCode, errorsByCode);
    addCounts(this.#ofRecords, steps);
  }

  #addError(code: string): void {
    addCounts(this.#errorsByCode, { [code]: 1 });
  }

  /** Returns the counts. */
  totals(): WorkerTotals {
    const errorsByCode = this.#errorsByCode;
    const steps = { ...this.#ofRecords };
    addCounts(steps, this.#steps.take().steps);
    return { changed: this.#changed, errorsByCode, steps };
  }
}

/** Adds counts to others of the same names. */
function addCounts(all: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) all[name] = (all[name] ?? 0) + count;
}
