import { Status } from "../../base/status.ts";
import type { ExplainedStep } from "../../engine/explain/explain.ts";
import { bitOf, REASON_WORDS, ReasonNotes } from "../../engine/reasons.ts";
import { STEP_NAMES } from "../../options/catalog.generated.ts";
import { EXAMPLES } from "../report/collector.ts";

/** Holds examples of what a rule does, from one chunk. */
const CHUNK_EXAMPLES = 3;

/** Holds the changes by rules in one chunk. Rules are in the order of `STEP_NAMES`. */
export interface RuleCounts {
  /** Records that each rule changed. */
  readonly rules: Record<string, number>;
  /** The first changes by each rule. */
  readonly examples: Record<string, { before: string; after: string }[]>;
}

/**
 * Counts the records that each rule changed, chunk by chunk. The engine usually tells the rules. A record is explained
 * only if the engine cannot tell, or if a rule needs another example.
 */
export class RuleCounter {
  readonly #explain: (url: string) => readonly ExplainedStep[];
  readonly #showsExamples: boolean;
  /** Examples so far, by rule. */
  readonly #given = new Map<string, number>();
  /** The number of records of this chunk, by the number of the rule's bit. */
  readonly #counts = new Uint32Array(STEP_NAMES.length);
  #examples: RuleCounts["examples"] = {};
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
  take(): RuleCounts {
    const rules: Record<string, number> = {};
    for (const [bit, rule] of STEP_NAMES.entries()) {
      const count = this.#counts[bit] as number;
      if (count > 0) rules[rule] = count;
    }
    const examples = this.#examples;
    this.#counts.fill(0);
    this.#examples = {};
    this.#chooseExplained();
    return { rules, examples };
  }

  #addSteps(steps: readonly ExplainedStep[]): void {
    for (const step of new Map(steps.map((step) => [step.rule, step])).values()) {
      const bit = bitOf(step.rule);
      this.#counts[bit] = (this.#counts[bit] as number) + 1;
      if (this.#wantsExample(step.rule)) this.#addExample(step);
    }
    this.#chooseExplained();
  }

  #addExample({ rule, before, after }: ExplainedStep): void {
    this.#given.set(rule, (this.#given.get(rule) ?? 0) + 1);
    const examples = this.#examples[rule] ?? [];
    this.#examples[rule] = examples;
    examples.push({ before, after });
  }

  /** Returns whether a rule needs another example, for the chunk and for the report. */
  #wantsExample(rule: string): boolean {
    if (!this.#showsExamples || (this.#given.get(rule) ?? 0) >= EXAMPLES) return false;
    return (this.#examples[rule]?.length ?? 0) < CHUNK_EXAMPLES;
  }

  #chooseExplained(): void {
    const bits = new ReasonNotes();
    bits.noteUntold();
    for (const rule of STEP_NAMES) if (this.#wantsExample(rule)) bits.note(rule);
    this.#explainedLow = bits.low;
    this.#explainedHigh = bits.high;
  }
}
