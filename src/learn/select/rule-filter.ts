import type { Counted } from "../count/counted.ts";
import type { Pages } from "../site/pages.ts";
import { mayBeClean } from "../thresholds/kind-points.ts";
import { isDeclaredBySite, type Refusal, whyNot } from "../thresholds/refusal.ts";

/** Limits the rules that are tried with exceptions although fingerprints do not speak for them. */
export const MAX_RETRYABLE = 8;

/** Names the reasons for which a rule is tried with exceptions. */
const RETRYABLE: ReadonlySet<Refusal["why"]> = new Set([
  "too few to tell",
  "wrong too often",
  "wrong for a page type",
  "over the budget",
]);

/** Returns whether exceptions may help a rule that is refused. */
export function isRetryable({ why }: Refusal): boolean {
  return RETRYABLE.has(why);
}

/**
 * Tells which rules of a stage may be selected. The lists of the others, up to 12 bytes for each URL and rule, need not
 * be kept.
 */
export class RuleFilter {
  readonly #pages: Pick<Pages, "equality" | "changed">;
  /** Whether no page is known: then nothing speaks against a rule that is proposed. */
  readonly #isBlind: boolean;
  /** The URLs that clean rules with too few merges may still change: they take no more memory than the retryable ones. */
  #room: number;
  /** The right merges of the retryable rules with most of them, the most first. */
  readonly #most: number[] = [];

  constructor(pages: Pick<Pages, "equality" | "changed" | "total" | "page">) {
    this.#pages = pages;
    this.#room = MAX_RETRYABLE * pages.page.length;
    this.#isBlind = pages.total === 0;
  }

  /**
   * Returns whether a rule may be selected: if the site declares it, if fingerprints speak for it, or if it is one of
   * the few that are worth trying with exceptions.
   */
  keeps(counted: Counted): boolean {
    if (this.#isBlind || isDeclaredBySite(counted)) return true;
    const refusal = whyNot(counted, this.#pages);
    if (refusal === null) return true;
    // Other rules of its kind may speak for a clean one.
    if (refusal.why === "too few to tell" && this.#hasRoom(counted)) return true;
    return isRetryable(refusal) && this.#isAmongMost(counted.effect.right);
  }

  #hasRoom(counted: Counted): boolean {
    if (!mayBeClean(counted) || counted.changed > this.#room) return false;
    this.#room -= counted.changed;
    return true;
  }

  #isAmongMost(right: number): boolean {
    const place = this.#most.findIndex((other) => right > other);
    this.#most.splice(place < 0 ? this.#most.length : place, 0, right);
    return this.#most.length <= MAX_RETRYABLE || right >= (this.#most[MAX_RETRYABLE - 1] as number);
  }
}
