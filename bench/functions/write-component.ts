import { busy } from "./function.ts";

export const writeComponent = busy(
  "writeComponent",
  (row) => `https://example.com/a b/%7euser/%c3%a9t%c3%a9/${row}`,
  "triplets and a space in a path",
);
