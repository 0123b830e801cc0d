// Memory: reads the base region, which holds a URL that this kernel has normalized before, or nothing.

import { baseStart } from "../memory";
import { COLON, HASH, QUESTION, SLASH } from "./chars";
import { find } from "./component";
import { schemeAt } from "./scheme";

// What the last loadBase read. Addresses are in the base region.

/** Whether there is a base. */
export let hasBase: bool = false;
/** The number of its scheme (scheme.ts). */
export let baseScheme: i32 = 0;
/** Whether it has an authority. */
export let baseHasAuthority: bool = false;
/** The end of its scheme and authority. */
export let baseHeadEnd: usize = 0;
/** The start of its path, after the `/.` that guards a path such as `//x` without an authority. */
export let basePath: usize = 0;
/** The end of its path. */
export let basePathEnd: usize = 0;
/** The end of its query, and of the base: it has no fragment. */
export let baseEnd: usize = 0;

/** Reads the `length` bytes that the host has written to the base region; 0 removes the base. */
export function loadBase(length: i32): void {
  hasBase = length > 0;
  if (!hasBase) return;
  const end = baseStart + <usize>length;
  const colon = find(baseStart, end, COLON);
  baseScheme = schemeAt(baseStart, colon);
  baseEnd = find(colon, end, HASH);
  basePathEnd = find(colon, baseEnd, QUESTION);
  baseHeadEnd = colon + 1;
  baseHasAuthority = startsWithSlashes(baseHeadEnd, basePathEnd);
  if (baseHasAuthority) baseHeadEnd = find(baseHeadEnd + 2, basePathEnd, SLASH);
  basePath = baseHeadEnd;
  if (!baseHasAuthority && hasPathGuard(basePath, basePathEnd)) basePath += 2;
}

/** Returns the last `/` of the base's path, or 0. */
export function baseLastSlash(): usize {
  for (let p = basePathEnd; p > basePath; p--) if (load<u8>(p - 1) === SLASH) return p - 1;
  return 0;
}

export function startsWithSlashes(p: usize, end: usize): bool {
  return end - p > 1 && load<u8>(p) === SLASH && load<u8>(p, 1) === SLASH;
}

/**
 * Returns whether a path begins with `/.//`, which the URL Standard writes for a path `//` without an
 * authority.
 */
export function hasPathGuard(p: usize, end: usize): bool {
  return end - p > 3 && load<u32>(p) === 0x2f2f2e2f;
}
