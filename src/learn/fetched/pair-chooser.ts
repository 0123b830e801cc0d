import { applySiteRules } from "../../site-rules/apply/apply.ts";
import { ANY_SITE, type Rule } from "../../site-rules/rule.ts";
import { joinParts, splitParts } from "../../url/parts.ts";
import { ChangeFinder } from "../count/changes.ts";
import { MergeGatherer } from "../count/merges.ts";
import { hashOf, mixed } from "../hashes/hash.ts";
import type { Site } from "../site/site.ts";

/** Holds two URLs that a rule makes one, and how soon they are chosen: by round, then by order. */
export interface RankedPair {
  readonly url: string;
  readonly other: string;
  readonly round: number;
  readonly order: number;
}

/** Holds a pair as two nodes; `other` is -1 for what the rule makes of the node. */
interface Choice {
  readonly node: number;
  readonly other: number;
  readonly round: number;
  readonly order: number;
}

/** Limits the choices that are kept, for each pair that is wanted. Beyond that the worst are dropped. */
const SLACK = 8;

/**
 * Chooses pairs of URLs of one site, evenly over the groups that a rule makes one. The first round has one pair of each
 * group. The second has each URL without a group, paired with what the rule makes of it. The third has a second pair of
 * each group, and so on. Inside a round groups come in the order of a seeded hash, which does not depend on their size.
 * The hash is that of URLs and not of rules, so rules for the same URLs ask for the same pages if possible. All pairs
 * of a group share one URL: the rule's result, if the list has it.
 */
export class PairChooser {
  readonly #site: Site;
  readonly #most: number;
  readonly #finder: ChangeFinder;
  readonly #gatherer: MergeGatherer;
  readonly #orders: Float64Array;
  readonly #isChanged: Uint8Array;
  readonly #isGrouped: Uint8Array;

  constructor(site: Site, seed: string, most: number) {
    const { name, nodes } = site;
    this.#site = site;
    this.#most = most;
    this.#finder = new ChangeFinder(nodes);
    this.#gatherer = new MergeGatherer(nodes.index);
    const { low, high } = hashOf(`${seed}\n${name}`);
    this.#orders = Float64Array.from(nodes.low, (own, node) =>
      mixed(own ^ low, (nodes.high[node] as number) ^ high),
    );
    this.#isChanged = new Uint8Array(nodes.count);
    this.#isGrouped = new Uint8Array(nodes.count);
  }

  /** Returns the pairs of one rule that come first, in no order. */
  choose(rule: Rule): RankedPair[] {
    const changes = this.#finder.changes(rule);
    const { groups, start, nodes } = this.#gatherer.gather(changes);
    const changed = changes.nodes;
    let choices: Choice[] = [];
    const add = (choice: Choice): void => {
      if (choices.push(choice) > SLACK * this.#most) choices = this.#first(choices);
    };
    for (const node of changed) this.#isChanged[node] = 1;
    for (let group = 0; group < groups; group++) {
      const members = nodes.subarray(start[group], start[group + 1]);
      for (const node of members) this.#isGrouped[node] = 1;
      for (const choice of this.#pairsOf(members)) add(choice);
    }
    for (const node of changed) {
      if (this.#isGrouped[node] === 0) {
        add({ node, other: -1, round: 1, order: this.#orders[node] as number });
      }
    }
    for (const node of changed) this.#isChanged[node] = 0;
    for (const node of nodes) this.#isGrouped[node] = 0;
    return this.#first(choices).flatMap((choice) => this.#withUrls(choice, rule));
  }

  /** Returns the pairs of a group of two or more nodes. The node that the rule does not change is its result. */
  #pairsOf(members: Int32Array): Choice[] {
    const target = members.find((node) => this.#isChanged[node] === 0) ?? -1;
    const others = Array.from(members)
      .filter((node) => node !== target)
      .sort((a, b) => this.#compare(a, b));
    const shared = target < 0 ? (others.shift() as number) : target;
    const order = this.#orders[members.at(-1) as number] as number;
    return others.slice(0, this.#most).map((node, pair) => ({
      node,
      other: shared,
      round: pair === 0 ? 0 : pair + 1,
      order,
    }));
  }

  #compare(a: number, b: number): number {
    return (this.#orders[a] as number) - (this.#orders[b] as number) || a - b;
  }

  #first(choices: Choice[]): Choice[] {
    return choices
      .sort((a, b) => a.round - b.round || a.order - b.order || a.node - b.node)
      .slice(0, this.#most);
  }

  /** Returns no pair if both URLs are the same, or if the rule makes different URLs from them. */
  #withUrls({ node, other, round, order }: Choice, rule: Rule): RankedPair[] {
    const url = this.#url(node);
    const made = madeUrl(rule, url);
    const second = other < 0 ? made : this.#url(other);
    if (second === url || madeUrl(rule, second) !== made) return [];
    return [{ url, other: second, round, order }];
  }

  #url(node: number): string {
    const { name, nodes } = this.#site;
    return `${nodes.isHttps[node] ? "https" : "http"}://${name}${nodes.targets[node]}`;
  }
}

/**
 * Returns what a rule, as the only one, makes of a normalized http or https URL: the URL itself if the rule leaves it
 * alone.
 */
export function madeUrl(rule: Rule, url: string): string {
  const parts = splitParts(url);
  applySiteRules(parts, (site) => (rule.site === ANY_SITE || rule.site === site ? [rule] : []));
  return joinParts(parts);
}
