import { addMember } from "../../base/tallies.ts";
/** Holds keys that are one page as groups. */
export class KeyGroups {
  readonly #parent = new Map<string, string>();

  /** Says that two keys are one page. */
  join(a: string, b: string): void {
    const [first, second] = [this.#root(a), this.#root(b)];
    if (first !== second) this.#parent.set(first, second);
  }

  /** Returns the groups of two keys or more. */
  all(): string[][] {
    const groups = new Map<string, string[]>();
    for (const key of [...this.#parent.keys()]) {
      const root = this.#root(key);
      addMember(groups, root, key);
    }
    return [...groups.values()].filter(({ length }) => length > 1);
  }

  #root(key: string): string {
    let at = key;
    for (let next = this.#parent.get(at); next !== at; next = this.#parent.get(at)) {
      if (next === undefined) {
        this.#parent.set(at, at);
        return at;
      }
      const above = this.#parent.get(next) as string;
      this.#parent.set(at, above);
      at = above;
    }
    return at;
  }
}
