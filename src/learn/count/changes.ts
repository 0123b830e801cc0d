import { applyRule, type RuledParts, substitute } from "../../site-rules/apply/apply.ts";
import { matchPath } from "../../site-rules/apply/match.ts";
import type { Condition, Pattern, Rule } from "../../site-rules/rule.ts";
import type { Hash } from "../site/hash.ts";
import type { Nodes, SiteParam } from "../site/nodes.ts";
import { ChangeList, type Changes, Twins } from "./change-list.ts";

/**
 * Finds what rules change among the nodes of one site. Rules that change the same get the same object, so that it is
 * held and counted once.
 */
export class ChangeFinder {
  readonly #nodes: Nodes;
  readonly #changes = new ChangeList();
  readonly #twins = new Twins();
  readonly #isChanged: Uint8Array;
  readonly #hash: Hash = { low: 0, high: 0 };
  readonly #flags: Uint8Array;
  /** Remembers the last answer of `#matches`. */
  readonly #last: { pattern: Pattern | null; path: number; isMatch: boolean } = {
    pattern: null,
    path: -1,
    isMatch: false,
  };

  constructor(nodes: Nodes) {
    this.#nodes = nodes;
    this.#isChanged = new Uint8Array(nodes.count);
    this.#flags = new Uint8Array(nodes.names.length);
  }

  /** Returns what one rule changes. `within` must hold every node that the rule can change. */
  changes(rule: Rule, within: Iterable<number> = this.#reach(rule)): Changes {
    const isPlainDrop = rule.action.type === "drop" && rule.except === undefined;
    if (isPlainDrop) this.#drop(rule.action.params, rule.condition, within);
    else this.#apply(rule, within);
    const changes = this.#twins.first(this.#changes.take());
    for (const node of changes.nodes) this.#isChanged[node] = 0;
    return changes;
  }

  /** Counts the nodes that pass a condition. */
  countPassing(condition: Condition): number {
    let count = 0;
    let last = -1;
    for (const node of this.#reach({ condition, action: { type: "sort" } })) {
      if (node !== last && this.passes(node, condition)) count++;
      last = node;
    }
    return count;
  }

  /** Returns whether a node passes a condition. */
  passes(node: number, { path, params }: Condition): boolean {
    const nodes = this.#nodes;
    if (path !== null && !this.#matches(path, nodes.path[node] as number)) return false;
    for (const { name, is, value } of params) {
      const number = nodes.nameNumber(name);
      let isFound = false;
      for (
        let at = nodes.paramStart[node] as number;
        at < (nodes.paramStart[node + 1] as number);
        at++
      ) {
        const piece = nodes.params[nodes.paramIds[at] as number] as SiteParam;
        if (piece.name === number && (is !== "equal" || piece.value === value)) isFound = true;
      }
      if (isFound === (is === "absent")) return false;
    }
    return true;
  }

  /** Returns whether the pattern matches a path, given by its number. Remembers the last answer. */
  #matches(pattern: Pattern, path: number): boolean {
    const last = this.#last;
    if (last.path !== path || last.pattern !== pattern) {
      last.pattern = pattern;
      last.path = path;
      last.isMatch = matchPath(pattern, this.#nodes.paths[path] as string) !== null;
    }
    return last.isMatch;
  }

  /**
   * Returns nodes that include all that a rule can change. Takes them from an index of the site if
   * it can.
   */
  #reach({ condition, action }: Pick<Rule, "condition" | "action">): Iterable<number> {
    const nodes = this.#nodes;
    const [first] = condition.path ?? [];
    if (condition.path?.length === 1 && first?.kind === "text") {
      return nodes.nodesOfPath(first.text);
    }
    const equal = condition.params.find(({ is }) => is === "equal");
    if (equal !== undefined) return nodes.nodesOfParam(equal.name, equal.value);
    const asked = condition.params.find(({ is }) => is === "present")?.name;
    if (asked !== undefined) return nodes.nodesOf(asked);
    if (first?.kind === "text") return nodes.nodesWithPrefix(first.text);
    return this.#reachOf(action);
  }

  #reachOf(action: Rule["action"]): Iterable<number> {
    const nodes = this.#nodes;
    switch (action.type) {
      case "drop":
        return action.params.length === 1
          ? nodes.nodesOf(action.params[0] as string)
          : action.params.flatMap((name) => nodes.nodesOf(name));
      case "dropif":
        return nodes.nodesOfParam(action.param, action.value);
      case "set":
        return nodes.nodesOf(action.param);
      case "path": {
        const [start] = action.from;
        return start?.kind === "text" ? nodes.nodesWithPrefix(start.text) : nodes.targets.keys();
      }
      default: {
        const text = neededText(action);
        return text === "" ? nodes.targets.keys() : nodes.nodesContaining(text);
      }
    }
  }

  #drop(names: readonly string[], condition: Condition, within: Iterable<number>): void {
    const nodes = this.#nodes;
    const numbers = names.map((name) => nodes.nameNumber(name)).filter((number) => number >= 0);
    for (const number of numbers) this.#flags[number] = 1;
    for (const node of within) {
      if (this.#isChanged[node] === 1 || !nodes.hasOne(node, this.#flags)) continue;
      if (!this.passes(node, condition)) continue;
      nodes.hashWithout(node, this.#flags, this.#hash);
      this.#add(node);
    }
    for (const number of numbers) this.#flags[number] = 0;
  }

  #apply(rule: Rule, within: Iterable<number>): void {
    const nodes = this.#nodes;
    const text = neededText(rule.action);
    for (const node of within) {
      const target = nodes.targets[node] as string;
      if (text !== "" && !target.includes(text)) continue;
      if (this.#isChanged[node] === 1 || !this.passes(node, rule.condition)) continue;
      if (!this.#rewrite(rule, target, nodes.isHttps[node] as boolean)) continue;
      this.#add(node);
    }
  }

  /** Returns whether the rule changes a URL. If so, sets the hash in hand to that of the result. */
  #rewrite(rule: Rule, target: string, isHttps: boolean): boolean {
    if (rule.action.type === "sub") {
      const written = substitute(target, rule.action.from, rule.action.to);
      if (written === target || !written.startsWith("/")) return false;
      if (rule.except?.has(written)) return false;
      this.#nodes.hashTarget(written, isHttps, this.#hash);
      return true;
    }
    const parts = partsOf(target, isHttps);
    if (!applyRule(parts, rule)) return false;
    this.#nodes.hashTarget(targetOf(parts), parts.scheme === "https", this.#hash);
    return true;
  }

  /** Takes a node whose target has the hash in hand. */
  #add(node: number): void {
    this.#isChanged[node] = 1;
    this.#changes.add(node, this.#hash);
  }
}

/** Returns the longest text that is in every URL which the action changes, or "". */
export function neededText(action: Rule["action"]): string {
  if (action.type === "cut") return action.segment;
  if (action.type === "dropif" || action.type === "set") return action.param;
  if (action.type !== "sub" && action.type !== "path") return "";
  return action.from.reduce(
    (longest, element) =>
      element.kind === "text" && element.text.length > longest.length ? element.text : longest,
    "",
  );
}

/** Splits path and query of a URL into the parts that rules read and write. */
export function partsOf(target: string, isHttps: boolean): RuledParts {
  const question = target.indexOf("?");
  return {
    scheme: isHttps ? "https" : "http",
    host: "",
    port: "",
    path: question < 0 ? target : target.slice(0, question),
    query: question < 0 ? null : target.slice(question + 1),
  };
}

/** Joins path and query. */
export function targetOf({ path, query }: RuledParts): string {
  return query === null ? path : `${path}?${query}`;
}
