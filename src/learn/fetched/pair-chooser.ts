import { applySiteRules } from "../../site-rules/apply/apply.ts";
import { ANY_SITE, type Rule } from "../../site-rules/rule.ts";
import { joinParts, splitParts } from "../../url/parts.ts";
import { ChangeFinder } from "../count/changes.ts";
import { MergeGatherer } from "../count/merges.ts";
import { hashOf, mixed } from "../hashes/hash.ts";
import type { Site } from "../site/site.ts";
import { kindOfPage } from "./page-shape.ts";

/** Says how soon a pair is chosen: by round, then by turn, then by order. */
export interface Rank {
  readonly round: number;
  /** Counts the pairs of the round that have the same kind of page and come first. */
  readonly turn: number;
  readonly order: number;
}

/** Holds two URLs that a rule makes one. */
export interface RankedPair extends Rank {
  readonly url: string;
  readonly other: string;
}

/** Holds the pairs of one rule that come first, and how many URLs of the site it makes one with another. */
export interface Chosen {
  readonly pairs: readonly RankedPair[];
  readonly merged: number;
}

/** Holds a pair as two nodes; `other` is -1 for what the rule makes of the node. */
interface Choice extends Omit<Rank, "turn"> {
  readonly node: number;
  readonly other: number;
}

/** Limits the choices that are kept, for each pair that is wanted. Beyond that the worst are dropped. */
const SLACK = 8;

/**
 * Chooses pairs of URLs of one site, evenly over the groups that a rule makes one. The first round has one pair of each
 * group. The second has each URL without a group, paired with what the rule makes of it. The third has a second pair of
 * each group, and so on. Inside a round each kind of page has its turn, and groups come in the order of a seeded hash, which
 * does not depend on their size.
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
  choose(rule: Rule): Chosen {
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
    const pairs = this.#first(choices).flatMap((choice) => this.#withUrls(choice, rule));
    return { pairs, merged: nodes.length - groups };
  }

  /** Returns the pairs of a group of two or more nodes. The node that the rule does not change is its result. */
  #pairsOf(members: Int32Array): Choice[] {
    const target = members.find((node) => this.#isChanged[node] === 0) ?? -1;
    const orderOf = (node: number) => this.#orders[node] as number;
    const others = Array.from(members)
      .filter((node) => node !== target)
      .sort((a, b) => orderOf(a) - orderOf(b) || a - b);
    const shared = target < 0 ? (others.shift() as number) : target;
    const order = orderOf(members.at(-1) as number);
    return others.slice(0, this.#most).map((node, pair) => ({
      node,
      other: shared,
      round: pair === 0 ? 0 : pair + 1,
      order,
    }));
  }

  #first(choices: Choice[]): (Choice & Rank)[] {
    const inOrder = choices.sort(
      (a, b) => a.round - b.round || a.order - b.order || a.node - b.node,
    );
    const before = new Map<string, number>();
    return inOrder
      .map((choice) => {
        const kind = `${choice.round} ${kindOfPage(this.#site.nodes.targets[choice.node] as string)}`;
        const turn = before.get(kind) ?? 0;
        before.set(kind, turn + 1);
        return { ...choice, turn };
      })
      .sort((a, b) => compareRanks(a, b) || a.node - b.node)
      .slice(0, this.#most);
  }

  /** Returns no pair if both URLs are the same, or if the rule makes different URLs from them. */
  #withUrls({ node, other, ...rank }: Choice & Rank, rule: Rule): RankedPair[] {
    const url = this.#url(node);
    const made = madeUrl(rule, url);
    const second = other < 0 ? made : this.#url(other);
    if (second === url || madeUrl(rule, second) !== made) return [];
    return [{ url, other: second, ...rank }];
  }

  #url(node: number): string {
    const { name, nodes } = this.#site;
    return `${nodes.isHttps[node] ? "https" : "http"}://${name}${nodes.targets[node]}`;
  }
}

/** Compares by what is chosen first. */
export function compareRanks(a: Rank, b: Rank): number {
  return a.round - b.round || a.turn - b.turn || a.order - b.order;
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
