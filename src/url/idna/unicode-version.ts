// Written by tools/unicode-table.mjs.

/** Names the version of the Unicode data that unicode-table.ts holds. */
export const UNICODE_VERSION = "18.0.0";
