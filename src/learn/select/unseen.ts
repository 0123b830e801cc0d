import type { UnseenCost } from "../count/counted.ts";
import type { Stage } from "../site/stage.ts";
import type { Family } from "./families.ts";

/** Is what all shares are a multiple of, so that sums do not depend on their order. */
const UNIT = 2 ** -20;

/**
 * Estimates what exceptions do not prevent, by leaving out one URL after the other: would its family be an
 * exception without it? If not, and its page is another than that of the rest, its merge is wrong. A URL is
 * merged unless it is the first of its key that comes, which one of `n` URLs is.
 */
export class UnseenEstimate implements UnseenCost {
  readonly wrong = new Map<number, number>();
  readonly lost = new Map<number, number>();
  readonly #stage: Stage;
  /** Counts the URLs that have each page. */
  readonly #urlsOf: Int32Array;

  /** Holds the endings that tell of another page (endings.ts). */
  readonly #telling: ReadonlySet<string>;

  constructor(stage: Stage, telling: ReadonlySet<string>) {
    this.#stage = stage;
    this.#telling = telling;
    this.#urlsOf = new Int32Array(stage.pages.total);
    for (const page of stage.pages.page) {
      if (page >= 0) this.#urlsOf[page] = (this.#urlsOf[page] as number) + 1;
    }
  }

  /** Takes a family. Returns whether it has several pages, so that the rule must not make it one. */
  add({ merged, others }: Family): boolean {
    // Without any one of the merged URLs, this one still tells.
    if (others.some(({ ending }) => this.#telling.has(ending))) return true;
    const { page: pageOf } = this.#stage.pages;
    const counts = new Map<number, number>();
    const count = (node: number): void => {
      const page = pageOf[node] as number;
      if (page >= 0) counts.set(page, (counts.get(page) ?? 0) + 1);
    };
    for (const node of merged) count(node);
    for (const { node } of others) count(node);
    // Without any one URL, a family of three pages or more still has two.
    if (counts.size === 2) {
      for (const node of merged) {
        if (counts.get(pageOf[node] as number) === 1) this.#addWrong(node, merged);
      }
    }
    return counts.size > 1;
  }

  /** Adds a URL that would be merged with others of its family, which all have another page. */
  #addWrong(node: number, merged: readonly number[]): void {
    const { pages, nodes, types } = this.#stage;
    const isHttps = nodes.isHttps[node];
    const known = merged.filter(
      (other) => nodes.isHttps[other] === isHttps && (pages.page[other] as number) >= 0,
    ).length;
    const share = Math.round((known - 1) / known / UNIT) * UNIT;
    const type = types.of[node] as number;
    this.wrong.set(type, (this.wrong.get(type) ?? 0) + share);
    if (this.#urlsOf[pages.page[node] as number] !== 1) return;
    this.lost.set(type, (this.lost.get(type) ?? 0) + share);
  }
}
