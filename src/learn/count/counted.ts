import type { Rule } from "../../site-rules/rule.ts";
import type { Nodes } from "../site/nodes.ts";
import type { Stage } from "../site/stage.ts";
import type { Changes } from "./changes.ts";
import { Components, type Effect, noEffect } from "./components.ts";
import { MergeGatherer, type Merges } from "./merges.ts";

/**
 * Counts what a rule does to the pages of one type: URLs that get the page most of their group
 * have, one of each group aside, and URLs that get another.
 */
export interface TypeTally {
  right: number;
  wrong: number;
}

/** Holds a rule and what it would do if it were the only one. */
export interface Counted {
  readonly rule: Rule;
  /** Rules of spelling that must come before it; without them it would do little. */
  readonly before: readonly Rule[];
  /** The URLs that it was counted on. */
  readonly nodes: Nodes;
  readonly changes: Changes;
  readonly merges: Merges;
  /** By the fingerprints of pages. */
  readonly effect: Effect;
  /** What the rule does to each page type, by its number. */
  readonly types: ReadonlyMap<number, Readonly<TypeTally>>;
  /** By what the site declares. */
  readonly declared: Effect;
}

/** Tells what changes do to the pages of a site. */
export class EffectCounter {
  readonly #nodes: Nodes;
  readonly #gatherer: MergeGatherer;
  readonly #types: Int32Array;
  readonly #pages: Components;
  /** Null where nothing is declared. */
  readonly #declared: Components | null;

  constructor({ nodes, pages, declared, types }: Stage) {
    this.#nodes = nodes;
    this.#gatherer = new MergeGatherer(nodes.index);
    this.#types = types.of;
    this.#pages = new Components(pages);
    this.#declared = declared.total === 0 ? null : new Components(declared);
  }

  /** Counts the rule whose changes these are, with the rules that come before it. */
  count(rule: Rule, changes: Changes, before: readonly Rule[] = []): Counted {
    const merges = this.#gatherer.gather(changes);
    const types = new Map<number, TypeTally>();
    const effect = this.#pages.effect(merges, ({ node, known, minor }) => {
      if (known < 2) return;
      const type = this.#types[node] as number;
      const tally = types.get(type) ?? { right: 0, wrong: 0 };
      types.set(type, tally);
      tally.right += known - 1 - minor;
      tally.wrong += minor;
    });
    return {
      rule,
      before,
      nodes: this.#nodes,
      changes,
      merges,
      effect,
      types,
      declared: this.#declared?.effect(merges) ?? noEffect(),
    };
  }
}
