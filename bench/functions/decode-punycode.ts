import { busy } from "./function.ts";

export const decodePunycode = busy(
  "decodePunycode",
  (row) => `https://xn--e1afmkfd.ü${row}.xn--80akhbyknj4f/`,
  "two labels in Punycode beside one that is not, so that they are checked",
);
