import { matchPath } from "../../site-rules/apply/match.ts";
import type { Condition, ParamTest, Pattern } from "../../site-rules/rule.ts";
import type { Nodes } from "../site/nodes.ts";

/** Asks for a parameter by the number of its text, or by that of its name. */
interface NumberedTest {
  /** Holds the numbers of the parameters of all nodes: of their texts or of their names. */
  readonly numbers: Int32Array;
  readonly number: number;
  readonly isPresent: boolean;
}

/** Tells which nodes of a site pass a condition. */
export class ConditionTest {
  readonly #nodes: Nodes;
  readonly #path: Pattern | null;
  /** The text that such paths end with, which most others do not. */
  readonly #end: string;
  readonly #params: readonly NumberedTest[];
  /** The number of the path that was looked at last, and whether it matched. */
  #last = -1;
  #isMatch = false;

  constructor(nodes: Nodes, { path, params }: Condition) {
    this.#nodes = nodes;
    this.#path = path;
    const last = path?.at(-1);
    this.#end = last?.kind === "text" ? last.text : "";
    this.#params = params.map((test) => numbered(test, nodes));
  }

  /**
   * Returns whether a node passes, perhaps without the parameters whose names are marked. Is fastest if nodes with one
   * path come one after the other.
   */
  passes(node: number, gone: Uint8Array | null = null): boolean {
    if (this.#path !== null && !this.#matches(this.#path, this.#nodes.path[node] as number)) {
      return false;
    }
    for (const { numbers, number, isPresent } of this.#params) {
      if (this.#has(node, numbers, number, gone) !== isPresent) return false;
    }
    return true;
  }

  #has(node: number, numbers: Int32Array, number: number, gone: Uint8Array | null): boolean {
    const { paramStart, paramNames } = this.#nodes;
    const end = paramStart[node + 1] as number;
    for (let at = paramStart[node] as number; at < end; at++) {
      if (numbers[at] === number) return gone === null || gone[paramNames[at] as number] === 0;
    }
    return false;
  }

  #matches(pattern: Pattern, path: number): boolean {
    if (this.#last !== path) {
      this.#last = path;
      const text = this.#nodes.paths[path] as string;
      this.#isMatch = text.endsWith(this.#end) && matchPath(pattern, text) !== null;
    }
    return this.#isMatch;
  }
}

function numbered({ name, is, value }: ParamTest, nodes: Nodes): NumberedTest {
  if (is === "equal") {
    return { numbers: nodes.paramIds, number: nodes.paramNumber(name, value), isPresent: true };
  }
  return {
    numbers: nodes.paramNames,
    number: nodes.nameNumber(name),
    isPresent: is === "present",
  };
}
