import { entryOf } from "../../base/tallies.ts";
import type { Rule } from "../../site-rules/rule.ts";
import type { Known } from "../site/known.ts";
import type { Nodes } from "../site/nodes.ts";
import type { HostPair, Site } from "../site/site.ts";
import type { Stage } from "../site/stage.ts";
import type { Changes } from "./change-list.ts";
import { ChangeFinder } from "./changes.ts";
import { Components, type Effect, noEffect } from "./components.ts";
import { MergeGatherer, type Merges } from "./merges.ts";

/**
 * Counts what a rule does to the pages of one type. `right` counts the URLs that keep their page, except one of each
 * group. `wrong` counts the URLs that get another page, which most of their group have.
 */
export interface TypeTally {
  right: number;
  wrong: number;
}

/** Holds a rule and what it would do if it were the only one, in numbers. */
export interface Tallied {
  readonly rule: Rule;
  /** Lists the rules of spelling that must come before it, because it would do little without them. */
  readonly before: readonly Rule[];
  /** Says what it does, judged by the fingerprints of pages. */
  readonly effect: Effect;
  /** What the rule does to each page type, by its number. */
  readonly types: ReadonlyMap<number, Readonly<TypeTally>>;
  /** Counts its right groups whose page few URLs show: what many show may be an empty result, or an error. */
  readonly rare: number;
  /** Counts the URLs that it changes. */
  readonly changed: number;
  /** Says what it does, judged by what the site declares. */
  readonly declared: Effect;
  /** Lists up to three pairs of URLs, as path and query, that it makes one. */
  readonly examples: readonly (readonly [string, string])[];
}

/** Holds a rule with all that it would change and merge if it were the only one. */
export interface Counted extends Tallied {
  /** The URLs that it was counted on. */
  readonly nodes: Nodes;
  readonly changes: Changes;
  readonly merges: Merges;
  /** What the rule is expected to do to URLs not seen yet; the effect has it too. Only with exceptions. */
  readonly unseen?: UnseenCost;
}

/** Says what a rule with exceptions is expected to do to URLs that are not seen yet. */
export interface UnseenCost {
  /** Holds the wrong merges by page type. */
  readonly wrong: ReadonlyMap<number, number>;
  /** Holds the pages that would be lost, by a node of each. */
  readonly lost: ReadonlyMap<number, number>;
}

/** What changes do, whatever the rule. */
type Count = Omit<Counted, "rule" | "before" | "nodes" | "unseen">;

/** What merges do to pages. */
type OfPages = Pick<Tallied, "effect" | "types" | "rare">;

/** Limits the URLs that show a page which is not an empty result, or an error. */
const FEW = 20;
/** Lists so many pairs of URLs as examples. */
const EXAMPLES = 3;
/** Returns the numbers of a rule without its lists, which are large. */
export function tallyOf(counted: Counted): Tallied {
  const { rule, before, effect, types, rare, changed, declared, examples } = counted;
  return { rule, before, effect, types, rare, changed, declared, examples };
}

const counters = new WeakMap<Stage, EffectCounter>();

/** Returns the counter of a stage. What was counted on it once is not counted again. */
export function counterOf(stage: Stage): EffectCounter {
  return entryOf(counters, stage, () => new EffectCounter(stage));
}

/** Tells what changes do to the pages of a site. */
class EffectCounter {
  readonly #nodes: Nodes;
  readonly #gatherer: MergeGatherer;
  readonly #types: Int32Array;
  readonly #stagePages: Stage["pages"];
  readonly #pages: Components;
  /** Null if nothing is declared. */
  readonly #declared: Components | null;
  readonly #known = new WeakMap<Changes, Count>();

  constructor({ nodes, pages, declared, types }: Stage) {
    this.#nodes = nodes;
    this.#gatherer = new MergeGatherer(nodes.index);
    this.#types = types.of;
    this.#stagePages = pages;
    this.#pages = new Components(pages);
    this.#declared = declared.total === 0 ? null : new Components(declared);
  }

  /** Counts a rule with its changes. `before`: the rules that come before it. */
  count(rule: Rule, changes: Changes, before: readonly Rule[] = []): Counted {
    const count = entryOf(this.#known, changes, () => this.#count(changes));
    const counted = { rule, before, nodes: this.#nodes, ...count };
    return this.#isNamedWrongly(counted) ? { ...counted, effect: noEffect() } : counted;
  }

  /** Returns whether a sink is known to be another page than most of what it merges: then no merge is right. */
  #isNamedWrongly({ rule: { action }, merges }: Pick<Counted, "rule" | "merges">): boolean {
    if (action.type !== "sink") return false;
    const { page } = this.#stagePages;
    const known = merges.nodes.filter((node) => (page[node] as number) >= 0);
    const named = known.find((node) => this.#nodes.targets[node] === action.target);
    if (named === undefined) return false;
    return 2 * known.filter((node) => page[node] === page[named]).length <= known.length;
  }

  /** Counts what merges add to others that are made before them. */
  countAfter(merges: Merges, before: Merges): OfPages {
    const pages = new Components(this.#stagePages);
    pages.merge(before);
    return this.#ofPages(merges, pages);
  }

  #ofPages(merges: Merges, pages: Components): OfPages {
    const types = new Map<number, TypeTally>();
    let rare = 0;
    const effect = pages.effect(merges, ({ node, known, urls, minor }) => {
      if (known < 2) return;
      if (urls > 0 && urls <= FEW) rare++;
      const type = this.#types[node] as number;
      const tally = entryOf(types, type, () => ({ right: 0, wrong: 0 }));
      tally.right += known - 1 - minor;
      tally.wrong += minor;
    });
    return { effect, types, rare };
  }

  #count(changes: Changes): Count {
    const merges = this.#gatherer.gather(changes);
    return {
      changes,
      merges,
      ...this.#ofPages(merges, this.#pages),
      changed: changes.nodes.length,
      declared: this.#declared?.effect(merges) ?? noEffect(),
      examples: this.#examplesOf(merges),
    };
  }

  #examplesOf({ groups, start, nodes }: Merges): [string, string][] {
    return Array.from({ length: Math.min(EXAMPLES, groups) }, (_, group) => {
      const first = start[group] as number;
      const [a, b] = [nodes[first] as number, nodes[first + 1] as number];
      return [this.#nodes.targets[a] as string, this.#nodes.targets[b] as string];
    });
  }
}

/** Holds what counting finds on a site, or on a part of its URLs. Parts add up, in any order. */
export interface SiteEvidence {
  /** Names the site: its host, perhaps with `:port`. */
  readonly site: string;
  /** Holds what records say of each URL's page. @internal */
  readonly known: Known;
  /** Holds the different URLs of the site. @internal */
  readonly nodes: Nodes;
  /** Lists the rules that were counted, with what each changes. @internal */
  readonly rules: readonly RuleChanges[];
  /** Lists the rules that were found to be wrong before all was counted. @internal */
  readonly ruledOut: readonly Tallied[];
  /** Lists what the site declares of its own pages and of other sites' pages. */
  readonly hosts: readonly HostPair[];
}

interface RuleChanges {
  readonly rule: Rule;
  /** Lists the URLs that the rule changes, and the hash of what it makes of each. */
  readonly changes: Changes;
}

/** Holds a rule without evidence. */
export interface MinedRule {
  /** Holds the rule. */
  readonly rule: Rule;
  /** Lists the URLs that the rule changes, if that was counted. @internal */
  readonly changes?: Changes | undefined;
  /** Holds what the rule does if it cannot be selected; then its changes are not kept. @internal */
  readonly ruledOut?: Tallied | undefined;
}

/**
 * Counts what rules do to all URLs of a site.
 *
 * @example
 * const collector = new SiteCollector();
 * collector.add([{ url: "http://a/?sid=1" }]);
 * const [site] = collector.sites();
 * countSite(site, mineSite(site)).site; // "a"
 */
export function countSite(site: Site, rules: readonly MinedRule[]): SiteEvidence {
  const { name, nodes, known, hosts } = site;
  const finder = new ChangeFinder(nodes);
  return {
    site: name,
    nodes,
    known,
    rules: rules
      .filter(({ ruledOut }) => ruledOut === undefined)
      .map(({ rule, changes }) => ({ rule, changes: changes ?? finder.changes(rule) })),
    ruledOut: rules.flatMap(({ ruledOut }) => ruledOut ?? []),
    hosts,
  };
}
