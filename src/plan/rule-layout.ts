/**
 * The rules of sites in the plan (layout.ts), which the kernel reads in place (assembly/site-rules).
 *
 *   block      BLOCK words below; for each 64 of its rules, in two words, the bits of those that a removed
 *              parameter can wake; the pairs, one for two rules; then the rules, in their order
 *   pair       PAIR words below; if the number of rules is odd, the last half asks for what no URL has
 *   rule       RULE words below
 *   condition  address of the path's pattern or 0, the number of tests, then TEST words each
 *   names      their number, the bits of all in two words, then NAME words each
 *   pattern    the number of elements, then for each its kind and the address of its text or 0
 *   template   the number of pieces, then for each the number of a capture and 0, or 0 and a text
 *   filter     the number of its words less 1, then these words; each site with rules or aliases sets two bits of one
 *
 * A plan of version 7 may have more; one of version 6 stays as it was:
 *
 *   sites      also domains and their hosts, as SUBDOMAINS. The rules of a host come first, then those of its closest domain,
 *              up to MOST_DOMAINS, then those for every site. The filter has the last two labels of a domain
 *   test       UNLESS: the rule leaves alone the site (HASH: 0 any, or EXACT or SUBDOMAINS of layout.ts; NAME: its text) where
 *              the condition at VALUE holds. Such a condition has none of these tests
 *   names      HASH is PREFIX or SUFFIX of layout.ts, for a name that begins or ends with the text
 *   action     VALUE_PATTERN: the object of dropif is a pattern, which the whole value must match
 *              WHOLE: drop, keep and dropif leave alone parameters next to a `;`, and tests of parameters that are present
 *              find no such one
 *   pattern    in place of the address, the length of a run, or 0
 *
 * The pairs refuse most rules without a look at the rest of the URL. They are masks over the bits of a URL,
 * and the beginning of its path. Each mask has two words for each rule, the low one first.
 */

/** Gives the places of a block's fields, in words; `WORDS` is its size before its rules. */
export const BLOCK = {
  COUNT: 0,
  /** FACT bits: the facts that its rules need of a URL. */
  FACTS: 1,
  /** The bits that some rule asks for, in two words, and the bits of values. */
  ASKED: 2,
  ASKED_VALUES: 4,
  WORDS: 6,
} as const;

export const MASK_WORDS = 2;
/** Gives the places of a pair's fields, in words; `WORDS` is its size. */
export const PAIR = {
  /** Bits that a URL must all have. */
  ALL: 0,
  /** Bits of which it must have at least one. */
  ANY: 4,
  /** Up to eight bytes that its path begins with, and which of them count. */
  HEAD: 8,
  HEAD_MASK: 12,
  /** Bits of values that a URL must all have. */
  VALUES: 16,
  WORDS: 20,
} as const;

/** Gives the places of a rule's fields, in words; `WORDS` is its size. */
export const RULE = {
  /** Length of its path in bytes, at least and at most. */
  SHORTEST: 0,
  LONGEST: 1,
  /** Address of its condition, or 0 if it holds for any URL. */
  CONDITION: 2,
  /** Number of the action in ACTIONS, and LOCAL. */
  ACTION: 3,
  /** Names (drop, keep, dropif, set, unwrap), pattern (sub, path) or text (cut, host, sink). */
  SUBJECT: 4,
  /** Text (dropif, set) or template (sub, path). */
  OBJECT: 5,
  /** Address of its exceptions, or 0. */
  EXCEPTIONS: 6,
  WORDS: 7,
} as const;

/** Gives the places of a condition's fields, in words; `WORDS` is its size before its tests. */
export const CONDITION = { PATH: 0, TESTS: 1, WORDS: 2 } as const;
/** Gives the places of a test's fields, in words; `WORDS` is its size. */
export const TEST = { KIND: 0, HASH: 1, NAME: 2, VALUE: 3, WORDS: 4 } as const;
/** Gives the places of the fields of a list of names, in words; `WORDS` is its size before the first. */
export const NAMES = { COUNT: 0, BITS: 1, WORDS: 3 } as const;
/** Gives the places of the fields of a name in a list, in words; `WORDS` is its size. */
export const NAME = { HASH: 0, TEXT: 1, WORDS: 2 } as const;
/** Gives the place of the number of elements or pieces, in words; `WORDS` is the size of a pattern or template before them. */
export const PARTS = { COUNT: 0, WORDS: 1 } as const;
/** Gives the places of an element's fields, in words; `WORDS` is its size. LENGTH: that of a run, which has no text. */
export const ELEMENT = { KIND: 0, TEXT: 1, LENGTH: 1, WORDS: 2 } as const;
/** Gives the places of a piece's fields, in words; `WORDS` is its size. */
export const PIECE = { CAPTURE: 0, TEXT: 1, WORDS: 2 } as const;
/** Gives the place of the number of a filter's words less 1, in words; `WORDS` is its size before these. */
export const FILTER = { MASK: 0, WORDS: 1 } as const;

/** Lists the tests of parameters; the number of a test is its place here. */
export const TESTS = ["present", "absent", "equal"] as const;
/** Numbers the test that is for a site and a condition: URLs that the rule leaves alone. */
export const UNLESS = 3;
/** Limits the domains above a host whose rules apply to it. */
export const MOST_DOMAINS = 32;
/** Lists the actions; the number of an action is its place here. Those before `set` take parameters away. */
export const ACTIONS = [
  "drop",
  "keep",
  "dropif",
  "set",
  "sort",
  "sub",
  "path",
  "cut",
  "lower",
  "host",
  "scheme",
  "sink",
  "slash",
  // In plans of version 9.
  "unwrap",
] as const;
/**
 * Marks a `sub` that matches in the path or in one parameter: removing a parameter can never make it match.
 */
export const LOCAL = 256;
/** Marks a `dropif` whose object is a pattern. */
export const VALUE_PATTERN = 512;
/** Marks an action that takes parameters between `&` alone, and whose condition finds no others. */
export const WHOLE = 1024;
/** Lists the elements of patterns; the number of an element is its place here. Those from `segment` on have a suffix. */
export const ELEMENTS = ["text", "end", "digits", "hex", "word", "segment", "rest"] as const;

/** Numbers, as bits, the facts that the rules of a block need of a URL. */
export const FACT = { NAMES: 1, ORDER: 2, CASE: 4 } as const;

/**
 * Counts the bits of a URL for the names of its parameters, from bit 0 up. The bits of BIT follow. Values
 * have bits of their own.
 */
const NAME_BITS = 59n;
/** The bits of all names: a name that stands for others may have any. */
export const ALL_NAMES = (1n << NAME_BITS) - 1n;
/** Gives the bits of a URL that are not for the name of a parameter. */
export const BIT = {
  /** Some parameter comes after one with a larger name. */
  UNSORTED: 1n << 59n,
  /** The path holds one of A to Z. */
  UPPER: 1n << 60n,
  HTTP: 1n << 61n,
  QUERY: 1n << 62n,
  /** Every URL has this. */
  ALWAYS: 1n << 63n,
} as const;

const WORD = 64;
const MULTIPLIER = 0x9e3779b97f4a7c15n;

/** Returns the 32-bit hash of a name, from its length and first eight bytes. Its last seven bits are 0. */
export function nameHash(name: string): number {
  const hash = high(bytesAt(name, 0) + BigInt(name.length));
  return Number((hash >> 7n) << 7n);
}

export function nameBit(name: string): bigint {
  return 1n << ((BigInt(nameHash(name)) * NAME_BITS) >> 32n);
}

export function valueBit(name: string, value: string): bigint {
  const hash = BigInt(nameHash(name)) << 32n;
  return 1n << (high(bytesAt(value, 0) + BigInt(value.length) + hash) >> 26n);
}

/** Returns the hash of a site, from its length and first sixteen bytes: 32 bits. */
export function siteHash(site: string): number {
  const second = BigInt.asUintN(WORD, bytesAt(site, 8) * MULTIPLIER);
  return Number(high((bytesAt(site, 0) ^ second) + BigInt(site.length)));
}

function high(mixed: bigint): bigint {
  return BigInt.asUintN(WORD, mixed * MULTIPLIER) >> 32n;
}

/** Returns eight bytes as a little-endian number, zeros after the end of the text. */
export function bytesAt(text: string, start: number): bigint {
  let number = 0n;
  for (let at = start + 7; at >= start; at--) {
    number = (number << 8n) | BigInt(at < text.length ? text.charCodeAt(at) : 0);
  }
  return number;
}

/** Returns where the rules of a block begin, in words from its beginning. */
export function firstRule(count: number): number {
  return BLOCK.WORDS + MASK_WORDS * Math.ceil(count / 64) + PAIR.WORDS * Math.ceil(count / 2);
}
