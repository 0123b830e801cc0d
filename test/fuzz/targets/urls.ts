import type { NormalizerOptions } from "../../../src/index.ts";
import { Comparison } from "../compare.ts";
import { counted } from "../edges.ts";

export { PLACES, reached } from "../edges.ts";

/** The first byte of an input chooses one of these. */
const OPTIONS: readonly NormalizerOptions[] = [
  {},
  { preset: "crawl" },
  { preset: "aggressive" },
  { preset: "c14n" },
  { preset: "crawl", defaultScheme: "http", duplicateSlashes: "collapse", case: "lower-path" },
  { trailingSlash: "add", www: "add", emptyQuery: "remove", dropParams: ["a*", "*b"] },
];
const comparisons = OPTIONS.map((options) => new Comparison(options));

/** Lines of URLs: both engines agree, and the output is its own normal form. */
export const fuzz = counted((data: Buffer): void => {
  const [first = 0] = data;
  comparisons[first % comparisons.length]?.check(data.subarray(1));
});
