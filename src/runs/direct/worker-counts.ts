import { statusName } from "../../base/status.ts";
import { fromSetup } from "../../normalizers.ts";
import { failedRows, lineAsBytes } from "../chunked/failed-lines.ts";
import { StepCounter } from "../chunked/step-counter.ts";
import type { ChunkKernel } from "./chunk-kernel.ts";

/** Holds what a worker counts for `--stats`, as plain data for other threads. */
export interface WorkerTotals {
  readonly changed: number;
  readonly errorsByCode: Readonly<Record<string, number>>;
  readonly steps: Readonly<Record<string, number>>;
}

/** Counts the lines of a worker by status, and the changes by rule. */
export class WorkerCounts {
  readonly #steps: StepCounter;
  readonly #errorsByCode: Record<string, number> = {};
  #changed = 0;

  /** `plan`: the plan of the normalizer. */
  constructor(plan: Uint8Array) {
    // Explaining needs no kernel.
    const normalizer = fromSetup({ plan, module: null, engine: "js" });
    this.#steps = new StepCounter((url) => normalizer.explainBytes(url).steps, false);
  }

  /** Counts the lines of a chunk before any of it is written. */
  add(chunk: ChunkKernel): void {
    this.#changed += chunk.changed;
    if (chunk.long !== null) this.#addError("TOO_LONG");
    const { status, reasons, texts } = chunk;
    if (chunk.failed > 0) {
      for (const row of failedRows({ status })) this.#addError(statusName(status[row] as number));
    }
    if (chunk.changed > 0) this.#steps.add(status, reasons, (row) => lineAsBytes(texts, row));
  }

  #addError(code: string): void {
    this.#errorsByCode[code] = (this.#errorsByCode[code] ?? 0) + 1;
  }

  /** Returns the counts. */
  totals(): WorkerTotals {
    const errorsByCode = this.#errorsByCode;
    return { changed: this.#changed, errorsByCode, steps: this.#steps.take().steps };
  }
}
