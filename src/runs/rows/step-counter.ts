import { Status } from "../../base/status.ts";
import type { ExplainedStep } from "../../engine/explain/explain.ts";
import { bitOf, REASON_WORDS, ReasonNotes } from "../../engine/reasons.ts";
import { STEP_NAMES } from "../../options/catalog.generated.ts";

/** The number of examples to keep of each step, and of whatever else a report shows. */
export const EXAMPLES = 5;
/** The number of examples of a step to take from one chunk. */
const CHUNK_EXAMPLES = 3;

/** Holds the changes by steps in one chunk. Steps are in the order of `STEP_NAMES`. */
export interface StepCounts {
  /** Records that each step changed. */
  readonly steps: Record<string, number>;
  /** The first changes by each step. */
  readonly examples: Record<string, { before: string; after: string }[]>;
}

/**
 * Counts the records that each step changed, chunk by chunk. The engine usually tells the steps. A record is explained
 * only if the engine cannot tell, or if a step needs another example.
 */
export class StepCounter {
  readonly #explain: (url: string) => readonly ExplainedStep[];
  readonly #showsExamples: boolean;
  /** Examples so far, by step. */
  readonly #given = new Map<string, number>();
  /** The number of records of this chunk, by the number of the step's bit. */
  readonly #counts = new Uint32Array(STEP_NAMES.length);
  #examples: StepCounts["examples"] = {};
  /** The reasons for which a record is explained. */
  #explainedLow = 0;
  #explainedHigh = 0;

  /**
   * `explain` lists the steps of a URL, a byte string. Examples are gathered only with `showsExamples`, up
   * to what a report shows.
   */
  constructor(explain: (url: string) => readonly ExplainedStep[], showsExamples: boolean) {
    this.#explain = explain;
    this.#showsExamples = showsExamples;
    this.#chooseExplained();
  }

  /**
   * Counts the rows that are `CHANGED`, by their reasons (engine.ts). `url` returns the URL of a row as a byte string.
   */
  add(status: Uint8Array, reasons: Uint32Array, url: (row: number) => string): void {
    const counts = this.#counts;
    for (let row = 0; row < status.length; row++) {
      if (status[row] !== Status.CHANGED) continue;
      let low = reasons[REASON_WORDS * row] as number;
      let high = reasons[REASON_WORDS * row + 1] as number;
      if (((low & this.#explainedLow) | (high & this.#explainedHigh)) !== 0) {
        this.#addSteps(this.#explain(url(row)));
        continue;
      }
      for (; low !== 0; low &= low - 1) {
        const bit = 31 - Math.clz32(low & -low);
        counts[bit] = (counts[bit] as number) + 1;
      }
      for (; high !== 0; high &= high - 1) {
        const bit = 63 - Math.clz32(high & -high);
        counts[bit] = (counts[bit] as number) + 1;
      }
    }
  }

  /** Returns the counts since the last call. */
  take(): StepCounts {
    const counts: Record<string, number> = {};
    for (const [bit, step] of STEP_NAMES.entries()) {
      const count = this.#counts[bit] as number;
      if (count > 0) counts[step] = count;
    }
    const examples = this.#examples;
    this.#counts.fill(0);
    this.#examples = {};
    this.#chooseExplained();
    return { steps: counts, examples };
  }

  #addSteps(steps: readonly ExplainedStep[]): void {
    for (const step of new Map(steps.map((step) => [step.step, step])).values()) {
      const bit = bitOf(step.step);
      this.#counts[bit] = (this.#counts[bit] as number) + 1;
      if (this.#wantsExample(step.step)) this.#addExample(step);
    }
    this.#chooseExplained();
  }

  #addExample({ step, before, after }: ExplainedStep): void {
    this.#given.set(step, (this.#given.get(step) ?? 0) + 1);
    const examples = this.#examples[step] ?? [];
    this.#examples[step] = examples;
    examples.push({ before, after });
  }

  /** Returns whether a step needs another example, for the chunk and for the report. */
  #wantsExample(step: string): boolean {
    if (!this.#showsExamples || (this.#given.get(step) ?? 0) >= EXAMPLES) return false;
    return (this.#examples[step]?.length ?? 0) < CHUNK_EXAMPLES;
  }

  #chooseExplained(): void {
    const bits = new ReasonNotes();
    bits.noteUntold();
    for (const step of STEP_NAMES) if (this.#wantsExample(step)) bits.note(step);
    this.#explainedLow = bits.low;
    this.#explainedHigh = bits.high;
  }
}
