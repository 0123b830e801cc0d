import { RULES_HEADER } from "../../../src/site-rules/language/rule-file.ts";
import { Comparison, unlessRefused } from "../compare.ts";
import { counted } from "../edges.ts";

export { PLACES, reached } from "../edges.ts";

/** A file of rules, a NUL, and lines of URLs. */
export const fuzz = counted((data: Buffer): void => {
  const end = data.indexOf(0);
  if (end < 0) return;
  const rules = `${RULES_HEADER}\n${data.toString("utf8", 0, end)}`;
  unlessRefused(() => new Comparison({ rules }))?.check(data.subarray(end + 1));
});
