// Memory: none. The bits of entries and of rows, as src/runs/filter/host-bits.ts describes them.

/** The bits that an entry has for hosts below its own, in both lists. */
export const FOR_ALL_BELOW: u32 = 1 | 8;
/** The bits that an entry has for its own host. */
export const FOR_HOST: u32 = 63;
/** The row must be looked at as a whole. */
export const UNKNOWN: u32 = 128;
