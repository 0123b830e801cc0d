import { addCount } from "../../base/tallies.ts";
import type { Stage } from "../site/stage.ts";
import { mostChanged } from "./bound.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** The share of the pages of a site that its rules may lose. */
export const MAX_PAGE_LOSS = 0.001;

/** Says what a rule costs and what may be spent. */
export interface Excess {
  readonly reached: number;
  readonly needed: number;
  readonly unit: "pages" | "merges";
}

/** Names the pools of all pages, and of files that are not pages. */
const PAGES = -1;
const FILES = -2;

/**
 * Spends the pages that rules may lose. Pages have one budget and files that are not pages another, so that many
 * pictures do not pay for lost articles. A page type with so many pages that its share is a page or more may lose no
 * more than that share of its own.
 */
export class Budget {
  /** Lists, for each type, the pools that pay. */
  readonly #poolsOf: readonly (readonly number[])[];
  readonly #left = new Map<number, number>();
  readonly #typeOf: Int32Array;
  /** The share of pages that rules may lose, and of merges that they may make wrong. */
  readonly #share: number;
  /** Counts the right merges of all rules so far. */
  right = 0;
  #wrong = 0;
  /** The share of URLs that show a page of their own because it had changed. */
  readonly #changed: number;

  constructor({ pages, types }: Pick<Stage, "pages" | "types">, share: number) {
    this.#share = share;
    this.#changed = pages.changed;
    const counts = new Array<number>(types.isFile.length).fill(0);
    this.#typeOf = new Int32Array(pages.total).fill(-1);
    for (const [node, page] of pages.page.entries()) {
      if (page < 0 || this.typeOf(page) >= 0) continue;
      const type = types.of[node] as number;
      this.#typeOf[page] = type;
      counts[type] = (counts[type] as number) + 1;
    }
    this.#poolsOf = counts.map((count, type) => {
      const all = types.isFile[type] ? FILES : PAGES;
      return count * share >= 1 ? [all, type] : [all];
    });
    for (const [type, pools] of this.#poolsOf.entries()) {
      for (const pool of pools) {
        addCount(this.#left, pool, share * (counts[type] as number));
      }
    }
  }

  /** Returns the type of a page, which is that of its first URL. */
  typeOf(page: number): number {
    return this.#typeOf[page] as number;
  }

  /** Returns what a rule costs too much: what it costs and what is left of that; or null. */
  tooMuch(charge: Charge): Excess | null {
    for (const [pool, pages] of this.#byPool(charge)) {
      const left = this.#left.get(pool) ?? 0;
      if (pages > left) return { reached: pages, needed: left, unit: "pages" };
    }
    const right = charge.right;
    const wrong = this.#wrongOf(charge);
    const merges = this.right + this.#wrong + right + wrong;
    const most = Math.max(0, this.mostWrong(merges) - this.#wrong);
    return wrong <= most ? null : { reached: wrong, needed: most, unit: "merges" };
  }

  /** Returns how many of so many merges may be wrong. */
  mostWrong(merges: number): number {
    // Few merges have a share below one; a single wrong one still may be a page that changed.
    return this.#share > 0 ? Math.max(1, THRESHOLDS.wrongMerges * this.#share * merges) : 0;
  }

  /** Spends what a rule costs. */
  spend(charge: Charge): void {
    for (const [pool, pages] of this.#byPool(charge)) {
      addCount(this.#left, pool, -pages);
    }
    this.right += charge.right;
    this.#wrong += this.#wrongOf(charge);
  }

  /** Returns the pages that each pool loses, but for those that changed before they were fetched. */
  #byPool({ lost, urls, single }: Charge): Map<number, number> {
    const byPool = this.#pooled(lost);
    if (this.#changed === 0) return byPool;
    const [urlsOf, singleOf] = [this.#pooled(urls), this.#pooled(single)];
    for (const [pool, pages] of byPool) {
      const changed = mostChanged(urlsOf.get(pool) ?? 0, this.#changed);
      byPool.set(pool, Math.max(0, pages - Math.min(singleOf.get(pool) ?? 0, changed)));
    }
    return byPool;
  }

  /** Returns the merges that are wrong, but for pages that changed before they were fetched. */
  #wrongOf({ wrong, urls, single }: Charge): number {
    const changed = mostChanged(sumOf(urls), this.#changed);
    return Math.max(0, wrong - Math.min(sumOf(single), changed));
  }

  #pooled(byType: ReadonlyMap<number, number>): Map<number, number> {
    const byPool = new Map<number, number>();
    for (const [type, count] of byType) {
      for (const pool of this.#poolsOf[type] as readonly number[]) {
        addCount(byPool, pool, count);
      }
    }
    return byPool;
  }
}

function sumOf(counts: ReadonlyMap<number, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Says what a rule costs. */
export interface Charge {
  /** Holds the pages it loses, by page type. */
  readonly lost: ReadonlyMap<number, number>;
  /** Hold the URLs that it merges, and those of wrong merges whose page no other URL has, by page type. */
  readonly urls: ReadonlyMap<number, number>;
  readonly single: ReadonlyMap<number, number>;
  readonly right: number;
  readonly wrong: number;
}
