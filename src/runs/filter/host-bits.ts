// The bits of entries and of rows. The kernel has some of them, too (assembly/lists/marks.ts).

/** The bits of an entry of `--block`. Those of `--allow` are ALLOW times as large. */
export const BELOW = 1;
/** The entry means this host alone. */
export const ALONE = 2;
/** The list has prefixes of URLs of this host. */
export const PREFIXES = 4;
/** The factor of the bits of `--allow`. */
export const ALLOW = 8;
/** The bits that an entry has for hosts below its own. */
export const FOR_ALL_BELOW: number = BELOW | (ALLOW * BELOW);
/** The bits that an entry has for its own host. */
export const FOR_HOST = 63;
/** Says that the lists have hosts below this one, for entries of the last labels of hosts (`BASE_LABELS`). */
export const HAS_BELOW = 64;
/** Marks a row whose host is not a plain one, so that it must be looked at as a whole. */
export const UNKNOWN = 128;
/** One more than the largest mark. */
export const MARKS = 256;
