import { busy } from "./function.ts";

export const removeDotSegments = busy(
  "removeDotSegments",
  (row) => `https://example.com/a/b/../c/./d/../../e/${row}`,
  "four dot segments in a path",
);
