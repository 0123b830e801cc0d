/** V8's Set holds 2^24 entries at most; a new one begins below that. */
const SET_LIMIT = 15_000_000;

/** A set of strings of any size that memory allows. */
export class KeySet {
  readonly #sets: Set<string>[] = [new Set()];

  /** Adds a key; false when it was there already. */
  add(key: string): boolean {
    for (const set of this.#sets) if (set.has(key)) return false;
    let last = this.#sets.at(-1) as Set<string>;
    if (last.size >= SET_LIMIT) {
      last = new Set();
      this.#sets.push(last);
    }
    last.add(key);
    return true;
  }
}
