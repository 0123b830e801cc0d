import { addCount, entryOf } from "../../base/tallies.ts";
import { writeCondition } from "../../site-rules/language/condition-text.ts";
import { writeRule } from "../../site-rules/language/rule-line.ts";
import type { Condition, ParamTest, Rule } from "../../site-rules/rule.ts";
import type { ChangeFinder } from "../count/changes.ts";
import { type Counted, counterOf } from "../count/counted.ts";
import { changesOfAll, settled } from "../count/settled.ts";
import { paramConditions, pathConditions } from "../mine/attributes.ts";
import { readBack } from "../mine/candidates.ts";
import { takesSlash } from "../mine/mine-site.ts";
import { sinkOf } from "../mine/sinks.ts";
import { opensTests, withTest } from "../mine/specialize.ts";
import { splitTarget } from "../site/nodes.ts";
import type { Stage } from "../site/stage.ts";
import { isDeclaredBySite, whyNot } from "../thresholds/refusal.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";

/** Names the actions that change no path. */
const OF_QUERY: ReadonlySet<Rule["action"]["type"]> = new Set([
  "drop",
  "keep",
  "dropif",
  "set",
  "sort",
]);

interface Place {
  readonly path: string;
  /** Whether it has all of the evidence. If not, the rest is too little for a rule of its own. */
  readonly isAll: boolean;
}

/**
 * Gives rules the narrowest path that has their evidence. What is right on one script says nothing of the others, so a
 * rule keeps any path (`*`) only if several scripts speak for it. Where one script has pages of several types, a rule for one
 * value of a parameter is narrowed to a type, too.
 */
export class Narrower {
  readonly #stage: Stage;
  readonly #finder: ChangeFinder;
  readonly #isChanged: Uint8Array;
  /** The conditions on each path that was looked at. */
  readonly #conditions = new Map<string, readonly string[]>();

  constructor(stage: Stage, finder: ChangeFinder) {
    this.#stage = stage;
    this.#finder = finder;
    this.#isChanged = new Uint8Array(stage.nodes.count);
  }

  /** Returns the rule for the narrowest path, counted again; the same object if its path stays. */
  narrow(counted: Counted): Counted {
    if (isOfSite(counted)) return counted;
    if (counted.before.length > 0) return this.#narrowBundle(counted);
    return this.#narrowValue(this.#narrowPath(counted));
  }

  #narrowPath(counted: Counted): Counted {
    const { rule, changes } = counted;
    for (const { path, isAll } of this.#places(counted, [rule], 0)) {
      for (const narrow of withPath(rule, path)) {
        // A sink may lead to another page now.
        const own =
          narrow.action.type === "sink"
            ? this.#finder.changes(narrow)
            : this.#finder.narrowed(changes, narrow.condition);
        const other = counterOf(this.#stage).count(narrow, own);
        if (isAll || this.#isOpen(other)) return other;
      }
    }
    return counted;
  }

  /**
   * Narrows a rule that drops one value of a parameter to URLs that pass a test which all of its evidence passes, if other URLs
   * with that parameter do not. `?path=20&product=3` says nothing of `?path=20`, which may be a page of its own.
   */
  #narrowValue(counted: Counted): Counted {
    const { rule, changes } = counted;
    const { action, condition } = rule;
    const value = condition.params.find(
      ({ is, name }) => is === "equal" && action.type === "drop" && action.params.includes(name),
    );
    if (value === undefined) return counted;
    const lacking = new Map(this.#testsOfAll(counted).map((test) => [test, 0]));
    const anyValue: ParamTest = { ...value, is: "present", value: "" };
    this.#finder.passing({ ...condition, params: [anyValue] }, (node) => {
      const own = paramConditions(node, this.#stage.nodes);
      for (const test of lacking.keys()) if (!own.includes(test)) addCount(lacking, test);
    });
    const [[test, others] = ["", 0]] = [...lacking].toSorted(([, a], [, b]) => b - a);
    const [narrow] = others === 0 ? [] : withTest(rule, test);
    if (narrow === undefined) return counted;
    return counterOf(this.#stage).count(narrow, this.#finder.narrowed(changes, narrow.condition));
  }

  /** Lists the tests of other parameters that all evidence of a rule passes. */
  #testsOfAll(counted: Counted): string[] {
    const counts = new Map<string, number>();
    let all = 0;
    for (const node of this.#rightNodes(counted)) {
      all++;
      for (const test of paramConditions(node, this.#stage.nodes)) addCount(counts, test);
    }
    const isOpen = opensTests(counted.rule);
    return [...counts.keys()].filter((test) => counts.get(test) === all && isOpen(test));
  }

  /** Narrows each rule of a bundle to the paths that it finds after those before it. */
  #narrowBundle(counted: Counted): Counted {
    const rules = [...counted.before, counted.rule];
    const narrow = rules.map((rule, at) => {
      const place = this.#places(counted, rules, at).find(({ isAll }) => isAll);
      return (place && withPath(rule, place.path)[0]) ?? rule;
    });
    if (narrow.every((rule, at) => rule === rules[at])) return counted;
    const changes = this.#finder.twinOf(changesOfAll(narrow, this.#stage.nodes));
    const [last, ...before] = narrow.toReversed() as [Rule, ...Rule[]];
    const other = counterOf(this.#stage).count(last, changes, before.toReversed());
    return other.effect.right < counted.effect.right ? counted : other;
  }

  /** Returns whether a rule may be selected without exceptions. */
  #isOpen(counted: Counted): boolean {
    return isDeclaredBySite(counted) || whyNot(counted, this.#stage.pages) === null;
  }

  /** Lists the paths that have the evidence of a rule and are narrower than its own, the narrowest first. */
  #places(counted: Counted, rules: readonly Rule[], at: number): Place[] {
    const start = startOf((rules[at] as Rule).condition);
    if (start === null) return [];
    /** The evidence outside of each path that may be narrow enough. */
    const outside = new Map<string, number>();
    let all = 0;
    /** The path that was last found to be in all places that are left, by its number. */
    let last = -1;
    const { path: pathOf } = this.#stage.nodes;
    const isQueryOnly = rules.slice(0, at).every(({ action }) => OF_QUERY.has(action.type));
    for (const node of this.#rightNodes(counted)) {
      // To apply the rules is slow, and of no use where the URL's own path is in all places that are left.
      if (isQueryOnly && all >= THRESHOLDS.classes) {
        if (pathOf[node] === last) continue;
        if (this.#isInAll(node, outside)) {
          last = pathOf[node] as number;
          continue;
        }
      }
      const path = this.#pathBefore(node, rules, at);
      if (path === null) continue;
      const own = this.#conditionsOf(path).filter(
        (condition) => condition.length > start.length && condition.startsWith(start),
      );
      if (all < THRESHOLDS.classes) {
        for (const condition of own) if (!outside.has(condition)) outside.set(condition, all);
      }
      all++;
      for (const [condition, count] of outside) {
        if (own.includes(condition)) continue;
        if (count + 1 < THRESHOLDS.classes) outside.set(condition, count + 1);
        else outside.delete(condition);
      }
      if (outside.size === 0 && all >= THRESHOLDS.classes) break;
    }
    return [...outside]
      .map(([path, count]) => ({ path, isAll: count === 0 }))
      .toSorted((a, b) => byBreadth(a.path, b.path));
  }

  /** Returns whether the path of a URL is in each of these places. */
  #isInAll(node: number, places: ReadonlyMap<string, number>): boolean {
    const { nodes } = this.#stage;
    const own = this.#conditionsOf(nodes.paths[nodes.path[node] as number] as string);
    return [...places.keys()].every((place) => own.includes(place));
  }

  /** Returns the path that a rule finds, after those before it; null if it does not change the URL then. */
  #pathBefore(node: number, rules: readonly Rule[], at: number): string | null {
    const { nodes } = this.#stage;
    if (rules.length === 1) return nodes.paths[nodes.path[node] as number] as string;
    const text = { target: nodes.targets[node] as string, isHttps: nodes.isHttps[node] as boolean };
    const found = settled(text, rules.slice(0, at));
    if (settled(found, [rules[at] as Rule]) === found) return null;
    return splitTarget(found.target)[0];
  }

  #conditionsOf(path: string): readonly string[] {
    return entryOf(this.#conditions, path, () => [...pathConditions(path)]);
  }

  /** Yields the URLs that the rule rightly makes another's. Where no page is known, each may be right. */
  *#rightNodes({ changes, merges, ...counted }: Counted): Generator<number> {
    const { pages, declared } = this.#stage;
    const { page, total } = isDeclaredBySite(counted) ? declared : pages;
    for (const node of changes.nodes) this.#isChanged[node] = 1;
    try {
      for (let group = 0; group < merges.groups; group++) {
        const members = merges.nodes.subarray(merges.start[group], merges.start[group + 1]);
        for (const node of total === 0 ? members : ofOnePage(members, page)) {
          if (this.#isChanged[node] === 1) yield node;
        }
      }
    } finally {
      for (const node of changes.nodes) this.#isChanged[node] = 0;
    }
  }
}

/** Returns whether a rule is about the whole site: its host, its scheme, or what it declares of slashes. */
function isOfSite(counted: Counted): boolean {
  const { rule } = counted;
  const { type } = rule.action;
  if (type === "host" || type === "scheme") return true;
  return (type === "slash" || takesSlash(rule)) && isDeclaredBySite(counted);
}

/** Returns the nodes of the page that most of a group have; an empty array if no two nodes have one page. */
function ofOnePage(members: Int32Array, page: Int32Array): Int32Array {
  const first = page[members[0] as number] as number;
  if (first >= 0 && members.every((node) => page[node] === first)) return members;
  const counts = new Map<number, number>();
  for (const node of members) {
    const own = page[node] as number;
    if (own >= 0) addCount(counts, own);
  }
  let [most, best] = [1, -1];
  for (const [own, count] of counts) if (count > most) [most, best] = [count, own];
  return best < 0 ? new Int32Array(0) : members.filter((node) => page[node] === best);
}

/**
 * Returns what a narrower path begins with: a directory, or "" for any path. Returns null for a path that is narrow
 * already.
 */
function startOf({ path }: Condition): string | null {
  if (path === null) return "";
  const written = writeCondition({ path, params: [] });
  return written.endsWith("...") ? written.slice(0, -"...".length) : null;
}

/** Orders paths by how much they match: one path, one with any numbers, directories, the deepest first. */
function byBreadth(a: string, b: string): number {
  return (
    Number(a.endsWith("...")) - Number(b.endsWith("...")) ||
    Number(a.includes("<N>")) - Number(b.includes("<N>")) ||
    b.length - a.length
  );
}

/** Returns the rule for another path. A sink that is what its condition asks for becomes what the new one asks for. */
function withPath(rule: Rule, path: string): Rule[] {
  const [site, condition = "", action] = writeRule(rule).split("\t");
  const narrow = [path, ...condition.split(" ").slice(1)].join(" ");
  const isAsked = action === `sink ${sinkOf(condition)}`;
  return readBack([site, narrow, isAsked ? `sink ${sinkOf(narrow)}` : action].join("\t"));
}
