import { addCount, addMember } from "../../base/tallies.ts";
import { LOST_UNIT } from "../count/components.ts";
import type { UnseenCost } from "../count/counted.ts";
import type { Stage } from "../site/stage.ts";
import type { Endings, Family } from "./families.ts";

/** The chance that a URL of a family, other than the one left out, has not been seen either. */
const UNSEEN = 0.25;
/** Counts the URLs that are never all unseen. */
const NEVER = 15;

/**
 * Estimates what exceptions do not prevent, by leaving out one URL after the other: would its family be an exception
 * without it? If not, and its page is another than that of the rest, its merge is wrong. So that families with many
 * known URLs do not speak for those with few, each other URL that the rule makes one with it counts as seen only three
 * times in four. One URL of `n` is the first of its key, and not merged.
 */
export class UnseenEstimate implements UnseenCost {
  readonly wrong = new Map<number, number>();
  readonly lost = new Map<number, number>();
  readonly #stage: Stage;
  readonly #endings: Endings;
  /** Counts the URLs that have each page. */
  readonly #urlsOf: Int32Array;

  constructor(stage: Stage, endings: Endings) {
    this.#stage = stage;
    this.#endings = endings;
    this.#urlsOf = new Int32Array(stage.pages.total);
    for (const page of stage.pages.page) {
      if (page >= 0) this.#urlsOf[page] = (this.#urlsOf[page] as number) + 1;
    }
  }

  /** Takes a family. Returns whether it has several pages, so that the rule must not make it one. */
  add({ merged, others }: Family): boolean {
    // Whatever merged URLs are not seen, this one still tells.
    const { relevant, telling } = this.#endings;
    if (others.some(({ ending }) => telling.has(ending))) return true;
    const family = others.filter(({ ending }) => relevant.has(ending));
    const beside = this.#nodesOf(family.map(({ node }) => node));
    if (beside.size > 1) return true;
    const byPage = this.#nodesOf(merged);
    const [rest] = beside.keys();
    if (new Set([...beside.keys(), ...byPage.keys()]).size < 2) return false;
    this.#addWrong(byPage, rest);
    return true;
  }

  /** Returns the nodes with known pages by page. */
  #nodesOf(nodes: readonly number[]): Map<number, number[]> {
    const byPage = new Map<number, number[]>();
    for (const node of nodes) {
      const page = this.#stage.pages.page[node] as number;
      if (page < 0) continue;
      addMember(byPage, page, node);
    }
    return byPage;
  }

  /** Adds the URLs of a family that are merged wrongly if only one other page of it has been seen. */
  #addWrong(byPage: ReadonlyMap<number, readonly number[]>, beside: number | undefined): void {
    let all = -1;
    for (const { length } of byPage.values()) all += length;
    const likely = [...byPage].filter(
      ([page, { length }]) => all - length < NEVER && (beside === undefined || page === beside),
    );
    for (const [page, own] of byPage) {
      let share = 0;
      for (const [other, { length }] of likely) {
        if (other !== page) share += (1 - UNSEEN ** length) * UNSEEN ** (all - length);
      }
      const isMerged = all / (all + 1);
      this.#add(page, own, Math.round((isMerged * share) / LOST_UNIT) * LOST_UNIT);
    }
  }

  #add(page: number, own: readonly number[], share: number): void {
    const type = this.#stage.types.of[own[0] as number] as number;
    addCount(this.wrong, type, own.length * share);
    // Another URL of the page may still be fetched.
    if (this.#urlsOf[page] !== own.length) return;
    const node = own[0] as number;
    addCount(this.lost, node, share);
  }
}
