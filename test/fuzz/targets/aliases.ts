import { Comparison, unlessRefused } from "../compare.ts";
import { counted } from "../edges.ts";

export { PLACES, reached } from "../edges.ts";

/** A file of page aliases, a NUL, and lines of URLs. */
export const fuzz = counted((data: Buffer): void => {
  const end = data.indexOf(0);
  if (end < 0) return;
  const pageAliases = data.toString("utf8", 0, end);
  unlessRefused(() => new Comparison({ pageAliases }))?.check(data.subarray(end + 1));
});
