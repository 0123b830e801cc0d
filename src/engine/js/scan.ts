import { normalEnd } from "../../url/normal-text.ts";

/**
 * Returns whether a text is in normal form already, as far as one look at each character can tell. This is
 * the fast path. It returns `true` only if `writeRow` would return the same text, and `false` in doubt
 * (test/kernel/scan.test.ts ties the two together).
 */
export function isNormal(text: string): boolean {
  return text !== "" && normalEnd(text) === text.length;
}
