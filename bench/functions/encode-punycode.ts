import { busy } from "./function.ts";

export const encodePunycode = busy(
  "encodePunycode",
  (row) => `https://пример-${row}.испытание/`,
  "two Cyrillic labels",
);
