import { hasAnyBytes, isWhole, type Rule } from "../../site-rules/rule.ts";
import type { Hash } from "../hashes/hash.ts";
import type { Nodes } from "../site/nodes.ts";
import { ConditionTest } from "./condition-test.ts";

/** Holds a rule that drops parameters: the numbers of their names, and its test. */
interface Drop {
  readonly names: readonly number[];
  readonly test: ConditionTest;
}

/** Applies rules that all drop parameters until none changes a URL, as `settled` does, without writing the URL. */
export class DropRun {
  readonly #nodes: Nodes;
  readonly #drops: readonly Drop[];
  /** Marks the names that some rule drops. */
  readonly #named: Uint8Array;
  /** Marks the names that are gone from the URL in hand. */
  readonly #gone: Uint8Array;

  private constructor(rules: readonly Rule[], nodes: Nodes) {
    this.#nodes = nodes;
    this.#named = new Uint8Array(nodes.names.length);
    this.#gone = new Uint8Array(nodes.names.length);
    this.#drops = rules.map(({ action, condition }) => {
      const params = action.type === "drop" ? action.params : [];
      const names = params.map((name) => nodes.nameNumber(name)).filter((number) => number >= 0);
      for (const name of names) this.#named[name] = 1;
      return { names, test: new ConditionTest(nodes, condition) };
    });
  }

  /** Returns null if one of the rules does something else. */
  static of(rules: readonly Rule[], nodes: Nodes): DropRun | null {
    return rules.every(isDrop) ? new DropRun(rules, nodes) : null;
  }

  /** Returns whether the rules change a URL. If so, writes the hash of what they make of it. */
  changes(node: number, into: Hash): boolean {
    if (!this.#nodes.hasOne(node, this.#named)) return false;
    let isChanged = false;
    while (this.#applyAll(node)) isChanged = true;
    if (!isChanged) return false;
    this.#nodes.hashWithout(node, this.#gone, into);
    for (const { names } of this.#drops) for (const name of names) this.#gone[name] = 0;
    return true;
  }

  #applyAll(node: number): boolean {
    let isChanged = false;
    for (const { names, test } of this.#drops) {
      const isOpen = names.some((name) => this.#gone[name] === 0 && this.#nodes.has(node, name));
      if (!isOpen || !test.passes(node, this.#gone)) continue;
      isChanged = true;
      for (const name of names) this.#gone[name] = 1;
    }
    return isChanged;
  }
}

function isDrop({ action, except, unless }: Rule): boolean {
  return (
    action.type === "drop" &&
    !isWhole(action) &&
    !action.params.some(hasAnyBytes) &&
    except === undefined &&
    unless === undefined
  );
}
