import type { LineWindow } from "../engine/engine.ts";
import type { Normalizer } from "../normalizer.ts";
import { Status } from "../status.ts";
import { lineText } from "./window-text.ts";

/** How many lines each rule changed. */
export class RuleCounts {
  readonly #normalizer: Normalizer;
  readonly #base: string | undefined;
  readonly #counts = new Map<string, number>();

  constructor(normalizer: Normalizer, base: string | undefined) {
    this.#normalizer = normalizer;
    this.#base = base;
  }

  add(window: LineWindow): void {
    for (let row = window.status.indexOf(Status.CHANGED); row >= 0; ) {
      const text = Buffer.from(lineText(window, row)).toString();
      const { steps } = this.#normalizer.explain(text, this.#base);
      for (const rule of new Set(steps.map((step) => step.rule))) {
        this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1);
      }
      row = window.status.indexOf(Status.CHANGED, row + 1);
    }
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries([...this.#counts].toSorted(([, a], [, b]) => b - a));
  }
}
