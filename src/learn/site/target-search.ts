import { addMember, entryOf } from "../../base/tallies.ts";

/** Counts the targets that are searched as one text: few enough for one string, enough to be fast. */
const BLOCK = 1 << 14;
/** Separates two targets. No target contains it. */
const BETWEEN = "\n";

/** Node numbers that are remembered, for each target. */
const REMEMBERED = 8;

const NONE = new Int32Array(0);

/** Holds the targets of a site once more, one after the other, to find texts in them. */
export class TargetSearch {
  readonly #targets: readonly string[];
  readonly #blocks: string[] = [];
  /** Holds the offset of each target in its block. */
  readonly #starts: Int32Array;
  /** Holds the targets that have texts which were asked for. */
  readonly #found = new Map<string, Int32Array>();
  /** Holds, for such texts, their targets by the character that comes after them. */
  readonly #nodesAfter = new Map<string, ReadonlyMap<number, Int32Array>>();
  #room: number;

  constructor(targets: readonly string[]) {
    this.#targets = targets;
    this.#room = REMEMBERED * targets.length;
    this.#starts = new Int32Array(targets.length);
    for (let from = 0; from < targets.length; from += BLOCK) {
      const some = targets.slice(from, from + BLOCK);
      let start = 0;
      for (const [at, target] of some.entries()) {
        this.#starts[from + at] = start;
        start += target.length + BETWEEN.length;
      }
      this.#blocks.push(some.join(BETWEEN));
    }
  }

  /** Returns the targets that have a text, by their numbers, in order. */
  containing(text: string): Int32Array {
    const known = this.#found.get(text);
    if (known !== undefined) return known;
    const found = this.#among(text) ?? this.#inBlocks(text);
    if (found.length <= this.#room) {
      this.#room -= found.length;
      this.#found.set(text, found);
    }
    return found;
  }

  /** Looks among the fewest targets that are known to have a part of the text; null if no part is known. */
  #among(text: string): Int32Array | null {
    let fewest: Int32Array | null = null;
    let start = "";
    for (const [part, nodes] of this.#found) {
      const more = fewest === null ? -1 : nodes.length - fewest.length;
      // Of two parts that as many have, what comes after the longer one tells more.
      if (more > 0 || (more === 0 && part.length <= start.length) || !text.includes(part)) continue;
      fewest = nodes;
      start = part;
    }
    if (fewest === null) return null;
    const some = text.startsWith(start)
      ? (this.#after(start, fewest).get(text.charCodeAt(start.length)) ?? NONE)
      : fewest;
    return some.filter((node) => (this.#targets[node] as string).includes(text));
  }

  /** Returns the nodes that have a text, by what comes after it: texts often differ in their end only. */
  #after(text: string, nodes: Int32Array): ReadonlyMap<number, Int32Array> {
    return entryOf(this.#nodesAfter, text, () => this.#split(text, nodes));
  }

  #split(text: string, nodes: Int32Array): ReadonlyMap<number, Int32Array> {
    const lists = new Map<number, number[]>();
    for (const node of nodes) {
      const target = this.#targets[node] as string;
      for (let at = target.indexOf(text); at >= 0; at = target.indexOf(text, at + 1)) {
        const code = target.charCodeAt(at + text.length);
        if (lists.get(code)?.at(-1) !== node) addMember(lists, code, node);
      }
    }
    return new Map(Array.from(lists, ([code, list]) => [code, Int32Array.from(list)]));
  }

  #inBlocks(text: string): Int32Array {
    const found: number[] = [];
    for (const [number, block] of this.#blocks.entries()) {
      let node = number * BLOCK;
      const end = Math.min(node + BLOCK, this.#starts.length);
      for (let at = block.indexOf(text); at >= 0; ) {
        while (node + 1 < end && (this.#starts[node + 1] as number) <= at) node++;
        found.push(node++);
        at = node < end ? block.indexOf(text, this.#starts[node]) : -1;
      }
    }
    return Int32Array.from(found);
  }
}
