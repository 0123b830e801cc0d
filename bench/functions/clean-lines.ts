import { busy } from "./function.ts";

export const cleanLines = busy(
  "passCleanLines",
  (row) => `https://www.example.com/some/path/of/page-${row}.html`,
  "lines in normal form, all of one length",
);
