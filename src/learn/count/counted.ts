import type { Rule } from "../../site-rules/rule.ts";
import type { HashIndex } from "../site/hash-index.ts";
import type { Pages } from "../site/pages.ts";
import type { Changes } from "./changes.ts";
import { Components, type Effect, noEffect } from "./components.ts";
import { MergeGatherer, type Merges } from "./merges.ts";

/** Holds a rule and what it would do if it were the only one. */
export interface Counted {
  readonly rule: Rule;
  readonly merges: Merges;
  /** By the fingerprints of pages. */
  readonly effect: Effect;
  /** By what the site declares. */
  readonly declared: Effect;
}

/** Tells what changes do to the pages of a site. */
export class EffectCounter {
  readonly #gatherer: MergeGatherer;
  readonly #pages: Components;
  /** Null where nothing is declared. */
  readonly #declared: Components | null;

  constructor(index: HashIndex, pages: Pages, declared: Pages) {
    this.#gatherer = new MergeGatherer(index);
    this.#pages = new Components(pages);
    this.#declared = declared.total === 0 ? null : new Components(declared);
  }

  count(rule: Rule, changes: Changes): Counted {
    const merges = this.#gatherer.gather(changes);
    return {
      rule,
      merges,
      effect: this.#pages.effect(merges),
      declared: this.#declared?.effect(merges) ?? noEffect(),
    };
  }
}
