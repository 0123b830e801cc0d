import { targetOf } from "../../site-rules/apply/actions.ts";
import { applyRule, substitute } from "../../site-rules/apply/apply.ts";
import { ANY_BYTES, type Condition, hasAnyBytes, type Rule } from "../../site-rules/rule.ts";
import type { Hash } from "../hashes/hash.ts";
import { type Nodes, partsOf } from "../site/nodes.ts";
import { ChangeList, type Changes, Twins } from "./change-list.ts";
import { ConditionTest } from "./condition-test.ts";
import { DropRun } from "./drop-run.ts";

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
  /** The places of nodes in the changes that were narrowed last. */
  readonly #places: Int32Array;
  #placed: Changes | null = null;

  constructor(nodes: Nodes) {
    this.#nodes = nodes;
    this.#isChanged = new Uint8Array(nodes.count);
    this.#places = new Int32Array(nodes.count);
  }

  changes(rule: Rule): Changes {
    const drop = DropRun.of([rule], this.#nodes);
    if (drop === null) this.#apply(rule);
    else this.#drop(drop, rule);
    return this.#take();
  }

  /** Returns what a rule that is not a drop changes among these nodes. */
  changesAmong(nodes: Iterable<number>, rule: Rule): Changes {
    this.#apply(rule, [nodes]);
    return this.#take();
  }

  #take(): Changes {
    const changes = this.#twins.first(this.#changes.take());
    for (const node of changes.nodes) this.#isChanged[node] = 0;
    return changes;
  }

  /** Returns changes that were found before and are equal to these, or else these. */
  twinOf(changes: Changes): Changes {
    return this.#twins.first(changes);
  }

  /** Lets go of changes that are not needed any more: of a rule that does the same, they are found again. */
  forget(changes: Changes): void {
    this.#twins.forget(changes);
  }

  /** Returns what a rule changes that asks for more than the one with these changes, and else does the same. */
  narrowed(changes: Changes, condition: Condition): Changes {
    const { nodes, low, high } = changes;
    const test = new ConditionTest(this.#nodes, condition);
    const places = this.#placesOf(changes);
    const listed = this.#listed(condition);
    const within = listed !== null && listed.length < nodes.length / 2 ? listed : nodes;
    const [first] = condition.path ?? [];
    const [from, to] = this.#nodes.rangeOfPrefix(first?.kind === "text" ? first.text : "");
    let last = -1;
    for (const node of within) {
      if (node < from || node >= to || node === last) continue;
      const at = places[node] as number;
      if (nodes[at] !== node || !test.passes(node)) continue;
      this.#hash.low = low[at] as number;
      this.#hash.high = high[at] as number;
      this.#changes.add(node, this.#hash);
      last = node;
    }
    return this.#twins.first(this.#changes.take());
  }

  /** Returns the place of each node in a list of changes. Others have any place. */
  #placesOf(changes: Changes): Int32Array {
    if (this.#placed !== changes) {
      this.#placed = changes;
      for (const [at, node] of changes.nodes.entries()) this.#places[node] = at;
    }
    return this.#places;
  }

  /** Tells `take` of the nodes that pass a condition. */
  passing(condition: Condition, take: (node: number) => void): void {
    let last = -1;
    const test = new ConditionTest(this.#nodes, condition);
    for (const nodes of this.#reach({ condition, action: { type: "sort" } })) {
      for (const node of nodes) {
        if (node !== last && test.passes(node)) take(node);
        last = node;
      }
    }
  }

  /** Returns lists of nodes that include all that a rule can change. Takes them from an index of the site if it can. */
  #reach({ condition, action }: Pick<Rule, "condition" | "action">): Iterable<number>[] {
    const listed = this.#listed(condition);
    if (listed !== null) return [listed];
    const [first] = condition.path ?? [];
    if (first?.kind === "text") return [this.#nodes.nodesWithPrefix(first.text)];
    return this.#reachOf(action);
  }

  /** Returns all nodes that can pass a condition, from an index; null if no index lists them. */
  #listed({ path, params }: Condition): readonly number[] | Int32Array | null {
    const nodes = this.#nodes;
    const [first] = path ?? [];
    if (path?.length === 1 && first?.kind === "text") return nodes.nodesOfPath(first.text);
    const equal = params.find(({ is }) => is === "equal");
    if (equal !== undefined) return nodes.nodesOfParam(equal.name, equal.value);
    const asked = params.find(({ is }) => is === "present")?.name;
    return asked === undefined ? null : nodes.nodesOf(asked);
  }

  #reachOf(action: Rule["action"]): Iterable<number>[] {
    const nodes = this.#nodes;
    switch (action.type) {
      case "drop":
        return action.params.some(hasAnyBytes)
          ? [nodes.targets.keys()]
          : action.params.map((name) => nodes.nodesOf(name));
      case "dropif":
        if (hasAnyBytes(action.param)) return [nodes.targets.keys()];
        return typeof action.value === "string"
          ? [nodes.nodesOfParam(action.param, action.value)]
          : [nodes.nodesOf(action.param)];
      case "set":
        return [nodes.nodesOf(action.param)];
      case "path": {
        const [start] = action.from;
        return [start?.kind === "text" ? nodes.nodesWithPrefix(start.text) : nodes.targets.keys()];
      }
      default: {
        const text = neededText(action);
        return [text === "" ? nodes.targets.keys() : nodes.nodesContaining(text)];
      }
    }
  }

  #drop(drop: DropRun, rule: Rule): void {
    for (const reached of this.#reach(rule)) {
      for (const node of reached) {
        if (this.#isChanged[node] === 0 && drop.changes(node, this.#hash)) this.#add(node);
      }
    }
  }

  #apply(rule: Rule, reach = this.#reach(rule)): void {
    const nodes = this.#nodes;
    const text = neededText(rule.action);
    const test = new ConditionTest(nodes, rule.condition);
    for (const reached of reach) {
      for (const node of reached) {
        const target = nodes.targets[node] as string;
        if (text !== "" && !target.includes(text)) continue;
        if (this.#isChanged[node] === 1 || !test.passes(node)) continue;
        if (this.#rewrite(rule, target, nodes.isHttps[node] as boolean)) this.#add(node);
      }
    }
  }

  /** Returns whether the rule changes a URL. If so, sets the hash in hand to that of the result. */
  #rewrite(rule: Rule, target: string, isHttps: boolean): boolean {
    if (rule.action.type === "sub" && rule.unless === undefined) {
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
  if (action.type === "dropif" || action.type === "set") return action.param.replace(ANY_BYTES, "");
  if (action.type !== "sub" && action.type !== "path") return "";
  return action.from.reduce(
    (longest, element) =>
      element.kind === "text" && element.text.length > longest.length ? element.text : longest,
    "",
  );
}
