import { busy } from "./function.ts";

export const mapNfc = busy(
  "writeNfc",
  (row) => `https://e\u0301te\u0301-${row}.example/`,
  "two letters with marks to compose",
);
