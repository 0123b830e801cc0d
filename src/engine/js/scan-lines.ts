import type { LoadedPlan } from "../../plan/decode.ts";
import { LF } from "../../url/chars.ts";
import { endOf, NORMAL, NORMAL_PATH } from "../../url/normal-text.ts";

/**
 * Finds lines of a byte string that are http, https or file URLs in normal form, and that the plan leaves alone, by one
 * look at each character. A line that it does not find may still be one: the exact path tells.
 */
export class LineScan {
  readonly #maxLength: number;
  /** What such a line matches; null where the plan leaves no line alone that a look can tell. */
  readonly #expression: RegExp | null;

  constructor({ rewrites, sparesPlain, schemes, siteRules, maxLength }: LoadedPlan) {
    this.#maxLength = maxLength;
    const passes = schemes === null || (schemes.has("http") && schemes.has("https"));
    const finds = siteRules === null && (!rewrites || (sparesPlain && passes));
    this.#expression = finds ? (rewrites ? NORMAL_PATH : NORMAL) : null;
  }

  /** Returns where the LF of such a line stands that begins at `start`; -1 for any other line. */
  end(text: string, start: number): number {
    if (this.#expression === null) return -1;
    const end = endOf(this.#expression, text, start);
    if (end === start || text.charCodeAt(end) !== LF) return -1;
    return end - start > this.#maxLength ? -1 : end;
  }
}
