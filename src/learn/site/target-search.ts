/**
 * Counts the targets that are searched as one text: few enough for one string, enough to be fast.
 */
const BLOCK = 1 << 14;
/** Separates two targets. No target contains it. */
const BETWEEN = "\n";

/** Holds the targets of a site once more, one after the other, to find texts in them. */
export class TargetSearch {
  readonly #blocks: string[] = [];
  /** Holds the offset of each target in its block. */
  readonly #starts: Int32Array;

  constructor(targets: readonly string[]) {
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

  /** Yields the targets that have a text, by their numbers, in order. */
  *containing(text: string): Generator<number> {
    for (const [number, block] of this.#blocks.entries()) {
      let node = number * BLOCK;
      const end = Math.min(node + BLOCK, this.#starts.length);
      for (let at = block.indexOf(text); at >= 0; ) {
        while (node + 1 < end && (this.#starts[node + 1] as number) <= at) node++;
        yield node++;
        at = node < end ? block.indexOf(text, this.#starts[node]) : -1;
      }
    }
  }
}
