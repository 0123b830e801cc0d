import type { LoadedPlan } from "../../plan/decode/decode.ts";
import { FORM } from "../../plan/form.ts";
import { LF } from "../../url/chars.ts";
import { endOf, NORMAL, NORMAL_PATH, normalEnd } from "../../url/normal-text.ts";

/**
 * Finds lines of a byte string that are http, https or file URLs in normal form and that the plan leaves as
 * they are. It looks at each character once. It may miss such a line; the exact path then decides.
 */
export class LineScan {
  readonly #maxLength: number;
  /** Matches such a line; null if the plan may change any line. */
  readonly #expression: RegExp | null;
  #start = 0;
  #normal = 0;

  constructor({
    rewrites,
    form,
    plainUnaffected,
    schemes,
    siteRules,
    pageAliases,
    maxLength,
  }: LoadedPlan) {
    this.#maxLength = maxLength;
    const passes = schemes === null || (schemes.has("http") && schemes.has("https"));
    const isRuled = siteRules !== null || pageAliases !== null;
    const finds = form === FORM.url && !isRuled && (!rewrites || (plainUnaffected && passes));
    this.#expression = finds ? (rewrites ? NORMAL_PATH : NORMAL) : null;
  }

  /** Returns the place of the LF of such a line that begins at `start`; -1 for any other line. */
  end(text: string, start: number): number {
    this.#normal = this.#expression === null ? start : endOf(this.#expression, text, start);
    this.#start = start;
    if (this.#normal === start || text.charCodeAt(this.#normal) !== LF) return -1;
    return this.#normal - start > this.#maxLength ? -1 : this.#normal;
  }

  /**
   * Returns what `normalEnd` returns for the line that `end` was last called for. `line` is the text of that
   * line.
   */
  normalEnd(line: string): number {
    return this.#expression === NORMAL ? this.#normal - this.#start : normalEnd(line);
  }
}
