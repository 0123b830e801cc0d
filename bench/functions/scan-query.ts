import { busy } from "./function.ts";

export const scanQuery = busy(
  "scanQuery",
  (row) => `https://example.com/page?category=books&id=${row}&lang=en&page=2&view=list`,
  "five parameters in order, preset crawl: read and left",
  { preset: "crawl" },
);
