/**
 * Lists the names of all rules, as `explain` lists them. The place of a name is the number of its bit.
 * assembly/reasons.ts has the same numbers.
 */
export const RULE_NAMES = [
  "surroundingSpace",
  "tabAndNewline",
  "defaultScheme",
  "base",
  "schemeCase",
  "slashes",
  "userinfo",
  "hostCase",
  "host",
  "emptyPort",
  "port",
  "defaultPort",
  "emptyPath",
  "tripletCase",
  "unreservedTriplets",
  "percentEncoding",
  "dotSegments",
  "reading",
  "hostAliases",
  "trailingDot",
  "www",
  "scheme",
  "explicitPort",
  "sessionIds",
  "case",
  "duplicateSlashes",
  "directoryIndex",
  "trailingSlash",
  "keepParams",
  "dropParams",
  "trackingParams",
  "defaultParams",
  "emptyParams",
  "emptyValues",
  "repeatedParams",
  "valuelessParams",
  "sortQuery",
  "emptyQuery",
  "fragment",
  "rules",
  "aliases",
] as const;

/** Names a rule of `RULE_NAMES`. */
export type RuleName = (typeof RULE_NAMES)[number];

/** Counts the 32-bit words that hold the reasons of one row, the low word first. */
export const REASON_WORDS = 2;

/**
 * Says, in the high word, that only `explain` knows the rules of the row; the other bits then mean nothing.
 */
export const UNTOLD = 0x8000_0000;

const BITS: ReadonlyMap<string, number> = new Map(RULE_NAMES.map((name, bit) => [name, bit]));

/** Returns the number of the bit of a rule. Throws for a name that is not in `RULE_NAMES`. */
export function bitOf(rule: string): number {
  const bit = BITS.get(rule);
  if (bit === undefined) throw new Error(`no bit for the rule ${rule}: add it to RULE_NAMES`);
  return bit;
}

/** Gathers the reasons of one row after the other. */
export class ReasonNotes {
  low = 0;
  high = 0;

  /** Begins a row. */
  clear(): void {
    this.low = 0;
    this.high = 0;
  }

  /** Notes that a rule changed the row. */
  note(rule: RuleName): void {
    const bit = bitOf(rule);
    if (bit < 32) this.low |= 1 << bit;
    else this.high |= 1 << (bit - 32);
  }

  /** Notes that only `explain` knows the rules of the row. */
  noteUntold(): void {
    this.high |= UNTOLD;
  }
}
