// Memory: reads 16 bytes at a time, up to 15 behind the end it is given.
import { HASH, QUESTION } from "./chars";
import { hasRules, schemesTable, sparesPlain } from "./plan";
import { findName } from "./tables";

/**
 * Whether rules leave the row `[p, end)` as it is, one that scan.ts calls normal; `false` also where
 * only a closer look can tell.
 */
export function isSettled(p: usize, end: usize): bool {
  if (!hasRules) return true;
  if (!sparesPlain || hasDelimiter(p, end)) return false;
  if (schemesTable === 0) return true;
  const scheme = load<u8>(p, 4) === 0x3a ? p + 4 : p + 5;
  return findName(schemesTable, p, scheme) !== 0;
}

/** `?`, `#` or `;`. */
function hasDelimiter(p: usize, end: usize): bool {
  const question = i8x16.splat(QUESTION);
  const hash = i8x16.splat(HASH);
  const semicolon = i8x16.splat(0x3b);
  for (; p < end; p += 16) {
    const block = v128.load(p);
    const found = v128.or(
      v128.or(i8x16.eq(block, question), i8x16.eq(block, hash)),
      i8x16.eq(block, semicolon),
    );
    const lanes = i8x16.bitmask(found);
    if (lanes !== 0 && p + <usize>ctz(lanes) < end) return true;
  }
  return false;
}
