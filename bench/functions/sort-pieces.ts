import { busy } from "./function.ts";

export const sortPieces = busy(
  "sortPieces",
  (row) => `https://example.com/page?view=list&page=2&lang=en&id=${row}&category=books`,
  "the same parameters backwards",
  { preset: "crawl" },
);
