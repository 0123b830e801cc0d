/**
 * The plan: one immutable block of little-endian 32-bit words, which the kernel reads in place
 * (assembly/plan.ts, assembly/tables.ts). Addresses are bytes from the start of the plan; 0 means that there
 * is no such part.
 *
 *   header    HEADER words below
 *   profile   PROFILE words below; CHOICES holds the number of the value of each choice, at its place
 *   table     TABLE words below, then `mask + 1` slots: addresses of entries, linear probing
 *   entry     ENTRY words below, then the name, padded to a word
 *   text      its length in bytes, then the bytes, padded to a word
 *   URLs      URLS words below, then for each slot the number of its first entry, and the number of entries;
 *             then the entries, sorted by slot and bytes: the address of the URL as a text. An entry of an alias has
 *             three words more: the address of its target, and the first and last number of its range, or 0 and 0.
 *             Its URL has `<` in place of a range; entries of one such URL are sorted by these numbers. It ends with
 *             `>` in place of any other parameters
 *   rules     the rules of a site, in blocks, as rule-layout.ts describes
 *
 * Names of parameters, files and schemes are hashed from their first byte on, so each prefix costs one step
 * (FNV-1a, 32 bits). Hosts are hashed from their last byte on, so each parent domain costs one step. A SUFFIX
 * is hashed from its last byte too.
 */

/**
 * Numbers the version of this layout. An engine refuses a plan of another one. A new layout takes a number above all that
 * earlier layouts had, those of the next three constants too. A new choice takes none: an engine that does not know it
 * refuses a plan that sets it.
 */
export const PLAN_VERSION = 6;
/** Numbers the version of plans with what rules of lists need (rule-layout.ts). All other plans stay as they were. */
export const LISTS_PLAN_VERSION = PLAN_VERSION + 1;
/** Numbers the version of plans with aliases for any other parameters, and perhaps what rules of lists need. */
export const ANY_PARAMS_PLAN_VERSION = PLAN_VERSION + 2;
/** Numbers the version of plans with the action unwrap or aliases of first labels, and perhaps what those before have. */
export const UNWRAP_PLAN_VERSION = PLAN_VERSION + 3;
/** Lists the versions that an engine reads. */
export const PLAN_VERSIONS = [
  PLAN_VERSION,
  LISTS_PLAN_VERSION,
  ANY_PARAMS_PLAN_VERSION,
  UNWRAP_PLAN_VERSION,
];
/** Numbers the latest of them. */
export const LATEST_PLAN_VERSION = UNWRAP_PLAN_VERSION;

/** Gives the places of the header's fields, in words; `WORDS` is its size. */
export const HEADER = {
  VERSION: 0,
  MAX_LENGTH: 1,
  /** Low half: number of the scheme in OPTION_VALUES.defaultScheme from 1, or 0. High half: what rows become (form.ts). */
  DEFAULT_SCHEME: 2,
  /** Table of the schemes that pass, or 0 for all. */
  SCHEMES: 3,
  /** Table of hosts whose value is the host to write instead, a text. */
  ALIASES: 4,
  /** Table of hosts whose value is a profile. */
  SITES: 5,
  /** The profile of all other hosts. */
  PROFILE: 6,
  /** Bytes of the longest text among the aliases. */
  LONGEST_ALIAS: 7,
  /** Table of sites, a host and perhaps `:port`, whose value is a block of rules. */
  SITE_RULES: 8,
  /** Block of the rules for every site, which come after a site's own. */
  ANY_RULES: 9,
  /** Filter that passes every site with rules or aliases and few others, or 0 if no site has any. */
  RULE_FILTER: 10,
  /** Table of sites whose value is a table of URLs: path and query, and what they become. */
  PAGE_ALIASES: 11,
  WORDS: 12,
} as const;

/** Gives the places of a profile's fields, in words; `WORDS` is its size. */
export const PROFILE = {
  CHOICES: 0,
  /** Words that CHOICES takes. */
  CHOICE_WORDS: 5,
  KEEP_PARAMS: 5,
  DROP_PARAMS: 6,
  /** Names of the package's lists that are dropped; the value is SESSION or TRACKING. */
  LISTED_PARAMS: 7,
  /** Table of names whose value is a text. */
  DEFAULT_PARAMS: 8,
  DIRECTORY_INDEX: 9,
  WORDS: 10,
} as const;

/** Bytes of a profile that hold choices: place n is the low half of byte n, place CHOICE_BYTES + n the high half. */
export const CHOICE_BYTES = 4 * PROFILE.CHOICE_WORDS;

/** Returns where a profile has the choice of a place, which is four bits: its word, and its lowest bit. */
export function choiceBits(place: number): readonly [word: number, bit: number] {
  const byte = place % CHOICE_BYTES;
  return [PROFILE.CHOICES + (byte >> 2), 8 * (byte & 3) + (place < CHOICE_BYTES ? 0 : 4)];
}

/** Gives the places of a table's fields, in words; `WORDS` is its size before the slots. */
export const TABLE = {
  MASK: 0,
  /** 1: names are lower-case and compared without ASCII case. */
  IGNORE_CASE: 1,
  /** Bit n: some PREFIX entry has n + 1 bytes; bit 31: one has 32 or more. */
  PREFIX_LENGTHS: 2,
  /** Bit n: some SUFFIX entry has n + 1 bytes; bit 31: one has 32 or more. */
  SUFFIX_LENGTHS: 3,
  /** Bytes of the longest name. */
  LONGEST: 4,
  WORDS: 5,
} as const;

/** Gives the places of an entry's fields, in words; `WORDS` is its size before the name. */
export const ENTRY = { HASH: 0, KIND: 1, VALUE: 2, LENGTH: 3, WORDS: 4 } as const;

/** Gives the place of a text's length in bytes, in words; `WORDS` is its size before the bytes. */
export const TEXT = { LENGTH: 0, WORDS: 1 } as const;

/** Gives the places of the fields of a table of URLs, in words; `WORDS` is its size before the slots. */
export const URLS = {
  MASK: 0,
  /** Bytes of the longest URL without a mark. */
  LONGEST: 1,
  /** Bytes of the longest URL with a mark, `<` or `>`; 0 if there is none. */
  LONGEST_SHAPE: 2,
  WORDS: 3,
} as const;

/**
 * Numbers what an entry means: the name itself, names that begin with it, a domain and its hosts,
 * names that end with it.
 */
export const KIND = { EXACT: 1, PREFIX: 2, SUBDOMAINS: 3, SUFFIX: 4 } as const;

/** Numbers the lists of built-in names. */
export const LISTED = { SESSION: 1, TRACKING: 2 } as const;

/** The prime of FNV-1a with 32 bits. */
export const FNV_PRIME = 0x01000193;

/** Returns the hash after one more byte (FNV-1a, 32 bits). */
export function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, FNV_PRIME) >>> 0;
}

/** Gives the hash of no bytes (FNV-1a, 32 bits). */
export const HASH_START = 0x811c9dc5;

/** Returns the hash of a name from its first byte on. */
export function hashForward(name: string): number {
  let hash = HASH_START;
  for (let at = 0; at < name.length; at++) hash = hashByte(hash, name.charCodeAt(at));
  return hash;
}

/** Returns the hash of a name from its last byte on. */
export function hashBackward(name: string): number {
  let hash = HASH_START;
  for (let at = name.length - 1; at >= 0; at--) hash = hashByte(hash, name.charCodeAt(at));
  return hash;
}

/** Returns the length of the longest text, 0 if there is none. */
export function longest(texts: readonly string[]): number {
  return texts.reduce((length, text) => Math.max(length, text.length), 0);
}
