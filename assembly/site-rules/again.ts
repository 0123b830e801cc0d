/*
 * Writes the ruled URL, and reads what rules made again.
 *
 * Memory: reads the ruled URL (ruled-url.ts) and the text between the pointers it is given. Writes normal and ruledAgain.
 */
import { normalStart, ruledAgain } from "../memory";
import { rewriteUrl } from "../options/rewrite";
import { hasOptions } from "../plan";
import { writeUrl } from "../url/url";
import { writeTarget } from "./params";
import { writeRuledFragment, writeRuledHead } from "./ruled-url";

/** Writes the ruled URL. */
export function writeRuledUrl(out: usize): usize {
  return writeRuledFragment(writeTarget(writeRuledHead(out)));
}

/** Returns where `writeAgain` writes. */
export function againStart(): usize {
  return hasOptions ? ruledAgain : normalStart;
}

/** Reads the URL in `[p, end)` and applies the options. Returns 0 if it is not a URL or its scheme does not pass. */
export function writeAgain(p: usize, end: usize): usize {
  const stop = writeUrl(p, end, normalStart);
  return stop === 0 || !hasOptions ? stop : rewriteUrl(normalStart, stop, ruledAgain);
}
