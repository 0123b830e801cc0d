import { RULES_HEADER } from "../../../src/site-rules/language/rule-file.ts";
import { Comparison, unlessRefused } from "../compare.ts";

export { PLACES, reached } from "../kernel.ts";

/** A file of rules, a NUL, and lines of URLs. */
export function fuzz(data: Buffer): void {
  const end = data.indexOf(0);
  if (end < 0) return;
  const rules = `${RULES_HEADER}\n${data.toString("utf8", 0, end)}`;
  unlessRefused(() => new Comparison({ rules }))?.check(data.subarray(end + 1));
}
