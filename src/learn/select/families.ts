import { entryOf } from "../../base/tallies.ts";
import { targetOf } from "../../site-rules/apply/actions.ts";
import { applyRule } from "../../site-rules/apply/apply.ts";
import { matchAt } from "../../site-rules/apply/match.ts";
import type { Rule } from "../../site-rules/rule.ts";
import type { Counted } from "../count/counted.ts";
import type { Merges } from "../count/merges.ts";
import { type Nodes, partsOf } from "../site/nodes.ts";
import type { Pages } from "../site/pages.ts";
import type { Stage } from "../site/stage.ts";
import { wilson } from "../thresholds/bound.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";

/**
 * Holds URLs of a stage that tell whether a rule is right for one thing: those that it makes one, and those that are
 * about the same thing.
 */
export interface Family {
  /** Lists the URLs that the rule makes one, with what it makes of them if that is a URL of the stage. */
  readonly merged: number[];
  /** Lists the other URLs that begin with the text before the place where the pattern matches. */
  readonly others: Other[];
}

/** Describes a URL that a rule does not change, and that begins as ones do that it changes. */
export interface Other {
  readonly node: number;
  /** Holds what follows that beginning, with one mark for each number: `.<N>` of `/?topic=7.20`. */
  readonly ending: string;
}

/**
 * Returns the families of a rule by what it makes, path and query. A rule whose pattern has something in front of it
 * has families beyond what it changes: `/?topic=7.20` is of the family of `/?topic=7.msg9`, which `sub .msg<N><$> =>
 * .0` changes. Of any other rule, on a site of one scheme, only families with several pages are returned.
 */
export function familiesOf(
  { rule, changes, merges, nodes }: Counted,
  { page }: Pick<Pages, "page">,
): Map<string, Family> {
  const families = new Map<string, Family>();
  const familyOf = (made: string): Family =>
    entryOf(families, made, () => ({ merged: [], others: [] }));
  const isChanged = new Uint8Array(nodes.count);
  for (const node of changes.nodes) isChanged[node] = 1;
  const prefixes = PrefixFinder.of(rule, changes.nodes, nodes);
  const isAll = prefixes !== null || new Set(nodes.isHttps).size > 1;
  for (const node of isAll ? changes.nodes : nodesOfSeveral(merges, page)) {
    if (isChanged[node] === 0) continue;
    const parts = partsOf(nodes.targets[node] as string, nodes.isHttps[node] as boolean);
    applyRule(parts, rule);
    familyOf(targetOf(parts)).merged.push(node);
  }
  if (prefixes !== null) {
    for (const [node, target] of nodes.targets.entries()) {
      if (isChanged[node] === 1) continue;
      for (const [made, ending] of prefixes.beside(target)) {
        familyOf(made).others.push({ node, ending });
      }
    }
  }
  const hash = { low: 0, high: 0 };
  for (const [made, { merged }] of families) {
    for (const isHttps of [false, true]) {
      nodes.hashTarget(made, isHttps, hash);
      const node = nodes.index.find(hash);
      if (node >= 0 && isChanged[node] === 0) merged.push(node);
    }
  }
  return families;
}

/** Yields the nodes of each group of merges that has several pages. */
function* nodesOfSeveral({ groups, start, nodes }: Merges, page: Int32Array): Generator<number> {
  for (let group = 0; group < groups; group++) {
    const members = nodes.subarray(start[group], start[group + 1]);
    let first = -1;
    for (const node of members) {
      const own = page[node] as number;
      if (own < 0) continue;
      if (first >= 0 && own !== first) {
        yield* members;
        break;
      }
      first = own;
    }
  }
}

/** The delimiters of words, and the mark of a word with a digit. */
const DELIMITERS = "/?&=;:";
const MARK = "<T>";

/** Finds, in URLs that a rule does not change, the texts that stand before its pattern in others. */
class PrefixFinder {
  /** The byte that the pattern begins with. */
  readonly #first: string;
  /** What the rule writes for a match. */
  readonly #written: string;
  /** The texts before the pattern, as `shapeOf` writes them. */
  readonly #shapes = new Set<string>();
  /** Counts the bytes of the longest of them. */
  #longest = 0;

  private constructor(first: string, written: string) {
    this.#first = first;
    this.#written = written;
  }

  /** Returns null for a rule that has no such texts, or that copies what it matches. */
  static of({ action }: Rule, changed: Int32Array, nodes: Nodes): PrefixFinder | null {
    if (action.type !== "sub") return null;
    const [first] = action.from;
    if (first?.kind !== "text" || action.to.some((piece) => typeof piece === "number")) return null;
    const finder = new PrefixFinder(first.text.slice(0, 1), action.to.join(""));
    for (const node of changed) {
      const target = nodes.targets[node] as string;
      let at = target.indexOf(first.text);
      while (at >= 0 && matchAt(action.from, target, at) === null) {
        at = target.indexOf(first.text, at + 1);
      }
      if (at > 0) finder.#add(shapeOf(target.slice(0, at)));
    }
    return finder;
  }

  #add(shape: string): void {
    this.#shapes.add(shape);
    this.#longest = Math.max(this.#longest, shape.length);
  }

  /** Yields what the rule would make of a URL that has its pattern where this one has something else, and that. */
  *beside(target: string): Generator<[made: string, ending: string]> {
    if (!target.includes(this.#first, 1)) return;
    // The shape of what is before the word in hand, so that a long URL need not be read again from each place.
    let before = "";
    let [start, hasDigit] = [0, false];
    for (let at = 0; at < target.length; at++) {
      const byte = target[at] as string;
      const isLong = before.length + (hasDigit ? MARK.length : at - start) > this.#longest;
      const isPlace = byte === this.#first && at > 0 && !isLong;
      const word = () => (hasDigit ? MARK : target.slice(start, at));
      if (isPlace && this.#shapes.has(before + word())) {
        const made = target.slice(0, at) + this.#written;
        if (made !== target) yield [made, target.slice(at).replace(/\d+/g, "<N>")];
      }
      if (DELIMITERS.includes(byte)) {
        before += word() + byte;
        if (before.length > this.#longest) return;
        [start, hasDigit] = [at + 1, false];
      } else hasDigit ||= /\d/.test(byte);
    }
  }
}

/** Writes one mark for each word with a digit: texts of one shape name things of one kind. */
function shapeOf(prefix: string): string {
  return prefix.replace(/[^/?&=;:]*\d[^/?&=;:]*/g, MARK);
}

type StagePages = Pick<Stage, "nodes" | "pages">;

/** Holds the endings of other URLs of families that say something of what a rule makes one. */
export interface Endings {
  /** Where such a URL is known, the URLs that the rule makes one have several pages more often than elsewhere. */
  readonly relevant: ReadonlySet<string>;
  /**
   * Of these, the endings that nearly never have the page of the URL that the rule makes. So `.<N>` tells of the later
   * pages of a topic: one URL with it is enough to know that the topic has several.
   */
  readonly telling: ReadonlySet<string>;
}

/** Returns the endings of a rule's families that say something. */
export function endingsOf(families: ReadonlyMap<string, Family>, stage: StagePages): Endings {
  const relevant = relevantEndings(families.values(), stage);
  return { relevant, telling: tellingEndings(families, relevant, stage) };
}

/** Counts cases, and those of them in which something holds. */
interface Tally {
  all: number;
  true: number;
}

function count(tallies: Map<string, Tally>, ending: string, holds: boolean): void {
  const tally = entryOf(tallies, ending, () => ({ all: 0, true: 0 }));
  tally.all++;
  if (holds) tally.true++;
}

function relevantEndings(families: Iterable<Family>, { pages }: StagePages): Set<string> {
  const tallies = new Map<string, Tally>();
  const all = { all: 0, true: 0 };
  for (const { merged, others } of families) {
    const known = merged.map((node) => pages.page[node] as number).filter((page) => page >= 0);
    if (known.length < 2) continue;
    const isSeveral = known.some((page) => page !== known[0]);
    all.all++;
    if (isSeveral) all.true++;
    for (const ending of new Set(others.map(({ ending }) => ending))) {
      count(tallies, ending, isSeveral);
    }
  }
  const isRelevant = (tally: Tally): boolean => {
    const elsewhere = all.all - tally.all;
    const single = elsewhere - (all.true - tally.true);
    const least = wilson(tally.true, tally.all, THRESHOLDS.boundPoint);
    return (
      tally.all >= THRESHOLDS.classes &&
      least > 1 - wilson(single, elsewhere, THRESHOLDS.boundPoint)
    );
  };
  return new Set([...tallies].filter(([, tally]) => isRelevant(tally)).map(([ending]) => ending));
}

function tellingEndings(
  families: ReadonlyMap<string, Family>,
  relevant: ReadonlySet<string>,
  { nodes, pages }: StagePages,
): Set<string> {
  const tallies = new Map<string, Tally>();
  for (const [made, { merged, others }] of families) {
    const own = merged.find((node) => nodes.targets[node] === made);
    const page = own === undefined ? -1 : (pages.page[own] as number);
    if (page < 0) continue;
    for (const { node, ending } of others) {
      const other = pages.page[node] as number;
      if (other >= 0 && relevant.has(ending)) count(tallies, ending, other !== page);
    }
  }
  const isTelling = (tally: Tally) =>
    wilson(tally.true, tally.all, THRESHOLDS.boundPoint) >= THRESHOLDS.bound;
  return new Set([...tallies].filter(([, tally]) => isTelling(tally)).map(([ending]) => ending));
}
