/**
 * Holds what is known of the pages of nodes, numbered from 0 on; a node has several if its URLs, or
 * its captures, differ.
 */
export interface Pages {
  /** From `start[node]` to `start[node + 1]` in the two below; a node with none is unknown. */
  readonly start: Int32Array;
  readonly page: Int32Array;
  /** Captures of the node that have the page. */
  readonly count: Int32Array;
  /** Pages in all. */
  readonly total: number;
}

/** Numbers the pages of nodes by the names that the captures of each node had. */
export function pagesOf(names: readonly (readonly string[])[]): Pages {
  const start = new Int32Array(names.length + 1);
  const page: number[] = [];
  const count: number[] = [];
  const numbers = new Map<string, number>();
  for (const [node, captures] of names.entries()) {
    const first = page.length;
    for (const name of captures) {
      let number = numbers.get(name);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(name, number);
      }
      const at = page.indexOf(number, first);
      if (at < 0) {
        page.push(number);
        count.push(1);
      } else {
        count[at] = (count[at] as number) + 1;
      }
    }
    start[node + 1] = page.length;
  }
  return { start, page: Int32Array.from(page), count: Int32Array.from(count), total: numbers.size };
}

/**
 * Returns the share of captures of one URL that equal another capture of it: 1 if pages never
 * change, or no URL was captured twice. What two URLs have in common can only be judged against it.
 */
export function selfEquality({ start, count }: Pages): number {
  let pairs = 0;
  let equal = 0;
  for (let node = 0; node + 1 < start.length; node++) {
    let captures = 0;
    for (let at = start[node] as number; at < (start[node + 1] as number); at++) {
      const times = count[at] as number;
      captures += times;
      equal += times * (times - 1);
    }
    pairs += captures * (captures - 1);
  }
  return pairs < FEWEST_PAIRS ? 1 : Math.max(equal / pairs, LEAST_EQUALITY);
}

/** Pairs of captures that say something of how pages change. */
const FEWEST_PAIRS = 40;
/** A site that changes with each capture tells nothing; nothing is made of it either. */
const LEAST_EQUALITY = 0.5;
