import type { SiteOptions } from "../../options/options.ts";
import type { Rule } from "../../site-rules/index.ts";

/** Says what one pattern is in rules and options, and what of it is left out. */
export interface PatternReading {
  readonly rules: readonly Rule[];
  readonly options?: SiteOptions;
  readonly left: readonly string[];
}
