import { entryOf } from "../../base/tallies.ts";
import type { Rule } from "../../site-rules/rule.ts";
import type { ChangeFinder } from "../count/changes.ts";
import { type Counted, counterOf } from "../count/counted.ts";
import { changesOfAll } from "../count/settled.ts";
import type { Stage } from "../site/stage.ts";
import type { Points } from "../thresholds/kind-points.ts";
import { type Refusal, whyNot } from "../thresholds/refusal.ts";

/** Holds why a name has too little evidence, and the rule without that name. */
export interface WeakName {
  readonly refusal: Refusal;
  readonly rest: Counted;
  /** Counts the right merges that need the name. */
  readonly right: number;
}

/**
 * Tells whether each name of a `drop` has evidence of its own: the merges that the rule would not make without the name.
 * Otherwise a name of few URLs is dropped by the evidence of another. Names that always come together share theirs.
 */
export class NameEvidence {
  readonly #stage: Stage;
  readonly #finder: ChangeFinder;
  readonly #weakest = new WeakMap<Counted, WeakName | null>();

  constructor(stage: Stage, finder: ChangeFinder) {
    this.#stage = stage;
    this.#finder = finder;
  }

  /** Returns the name with the least evidence of those that have too little, or null. */
  weakest(counted: Counted, points: Points): WeakName | null {
    return entryOf(this.#weakest, counted, () => {
      const weak = [...this.#weakNames(counted, points)];
      return weak.toSorted((a, b) => a.right - b.right)[0] ?? null;
    });
  }

  *#weakNames(counted: Counted, points: Points): Generator<WeakName> {
    const rules = [...counted.before, counted.rule];
    for (const [at, rule] of rules.entries()) {
      const { action } = rule;
      if (action.type !== "drop" || action.params.length < 2) continue;
      for (const name of action.params) {
        const params = action.params.filter((other) => other !== name);
        const rest = this.#count(rules.with(at, { ...rule, action: { ...action, params } }));
        // The evidence of names that always come together is that of the rule.
        if (rest.merges.groups === 0) continue;
        const alone = {
          ...counted,
          rule: { ...rule, action: { ...action, params: [name] } },
          ...counterOf(this.#stage).countAfter(counted.merges, rest.merges),
          changed: this.#countNamed(counted, name),
        };
        const refusal = whyNot(alone, this.#stage.pages, points);
        if (refusal !== null) yield { refusal, rest, right: alone.effect.right };
      }
    }
  }

  #count(rules: readonly Rule[]): Counted {
    const [last, ...before] = rules.toReversed() as [Rule, ...Rule[]];
    const changes =
      before.length === 0
        ? this.#finder.changes(last)
        : this.#finder.twinOf(changesOfAll(rules, this.#stage.nodes));
    return counterOf(this.#stage).count(last, changes, before.toReversed());
  }

  /** Counts the changed URLs that have a parameter of this name. */
  #countNamed({ changes }: Counted, name: string): number {
    const { nodes } = this.#stage;
    const number = nodes.nameNumber(name);
    return changes.nodes.filter((node) => nodes.has(node, number)).length;
  }
}
