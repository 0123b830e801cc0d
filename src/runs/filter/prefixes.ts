// Prefixes of URLs. An LF ends a URL while it is compared, so a prefix that ends with LF is one URL alone.

/** Holds prefixes in memory that threads share, sorted by their bytes. None begins with another. */
export interface PrefixMemory {
  readonly texts: SharedArrayBuffer;
  /** The start of each in `texts`, and the end of the last: Uint32. */
  readonly starts: SharedArrayBuffer;
}

/** Returns the memory of prefixes, byte strings. */
export function packPrefixes(prefixes: readonly string[]): PrefixMemory {
  const kept = withoutLonger(prefixes);
  const starts = new Uint32Array(new SharedArrayBuffer(4 * (kept.length + 1)));
  let end = 0;
  for (const [at, prefix] of kept.entries()) {
    end += prefix.length;
    starts[at + 1] = end;
  }
  const texts = Buffer.from(new SharedArrayBuffer(end));
  for (const [at, prefix] of kept.entries()) texts.write(prefix, starts[at] as number, "latin1");
  return { texts: texts.buffer as SharedArrayBuffer, starts: starts.buffer };
}

/** Sorts prefixes and leaves out those that begin with another. */
function withoutLonger(prefixes: readonly string[]): string[] {
  const kept: string[] = [];
  for (const prefix of prefixes.toSorted(byBytes)) {
    const last = kept.at(-1);
    if (last === undefined || !prefix.startsWith(last)) kept.push(prefix);
  }
  return kept;
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Finds the prefix of a URL. */
export class Prefixes {
  readonly #texts: Buffer;
  readonly #starts: Uint32Array;

  constructor({ texts, starts }: PrefixMemory) {
    this.#texts = Buffer.from(texts);
    this.#starts = new Uint32Array(starts);
  }

  /** Returns whether a URL, a byte string, begins with one of the prefixes. */
  covers(url: string): boolean {
    const text = `${url}\n`;
    // As none begins with another, only the last one that is not greater than the URL can be its prefix.
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#at(middle) > text) high = middle;
      else low = middle + 1;
    }
    return low > 0 && text.startsWith(this.#at(low - 1));
  }

  #at(index: number): string {
    return this.#texts.toString("latin1", this.#starts[index], this.#starts[index + 1]);
  }
}
