import { addCount, entryOf } from "../../base/tallies.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { mayChange, settled } from "../count/settled.ts";
import { UNKNOWN_PAGE } from "../site/pages.ts";
import type { Stage } from "../site/stage.ts";

/** Tells what rules make of URLs, as path and query: aliases do not look at the scheme. */
export class KeyReader {
  readonly #stage: Stage;
  readonly #rules: readonly Rule[];
  readonly #may: (target: string) => boolean;
  readonly #keys = new Map<string, string>();

  constructor(stage: Stage, rules: readonly Rule[]) {
    this.#stage = stage;
    this.#rules = rules;
    this.#may = mayChange(rules);
  }

  /** Returns the key of a URL by its number. */
  of(node: number): string {
    const { targets, isHttps } = this.#stage.nodes;
    return this.ofTarget(targets[node] as string, isHttps[node] as boolean);
  }

  /** Returns the key of path and query. */
  ofTarget(target: string, isHttps: boolean): string {
    if (!this.#may(target)) return target;
    return entryOf(this.#keys, target, () => settled({ target, isHttps }, this.#rules).target);
  }
}

/** Stands for the page of a key that no alias may have: its URL failed or changes, or rules made it of different pages. */
export const UNSURE = -2;

/** Holds the pages of keys, as far as they are known, and counts the keys of each page. */
export interface KnownKeys {
  /** Holds pages by key, and `UNSURE`. */
  readonly pageOf: ReadonlyMap<string, number>;
  readonly keysOf: ReadonlyMap<number, number>;
}

/** Returns the keys whose page is known. */
export function knownKeys(
  { pages }: Stage,
  failed: ReadonlySet<number>,
  keys: KeyReader,
): KnownKeys {
  const pageOf = new Map<string, number>();
  for (const [node, own] of pages.page.entries()) {
    const page = failed.has(node) || pages.changing.has(node) ? UNSURE : own;
    if (page === UNKNOWN_PAGE) continue;
    const key = keys.of(node);
    pageOf.set(key, (pageOf.get(key) ?? page) === page ? page : UNSURE);
  }
  const keysOf = new Map<number, number>();
  for (const page of pageOf.values()) addCount(keysOf, page);
  return { pageOf, keysOf };
}
