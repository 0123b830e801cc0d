/** One fetched (or only named) URL, as a list has it. */
export interface LearnRecord {
  /** As given, not normalized. */
  readonly url: string;
  /** "kind:value", the kind one of `FP_KINDS`: records of one kind with equal values are the same page. */
  readonly fp?: string;
  /** Bytes: of the payload, or what stands for it in the format (see its reader). */
  readonly size?: number;
  /** HTTP status, 100 to 999. */
  readonly status?: number;
  /** Where it redirects to, may be relative. */
  readonly redirect?: string;
  /** `rel=canonical`, may be relative. */
  readonly canonical?: string;
  /** Time of the capture, as given. */
  readonly ts?: string;
  /** How often it was seen, 1 or more; 1 where it is missing. */
  readonly n?: number;
}

/** A record while its reader fills it. */
export type Draft = { -readonly [Name in keyof LearnRecord]: LearnRecord[Name] };

/**
 * Kinds of fingerprints, from the one that finds the most equal pages on: `cls` a class the user names,
 * `sim` a simhash in hex, `text` the exact visible text, `raw` the payload digest.
 */
export const FP_KINDS = ["cls", "sim", "text", "raw"] as const;
export type FpKind = (typeof FP_KINDS)[number];

/** A line, or a row of it, that its format does not allow. */
export class Malformed {
  /** For people: what is wrong, with an excerpt where it helps. */
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** What a line is: a record, malformed, or null for what is not meant as one (blank, comment, header). */
export type Reading = LearnRecord | Malformed | null;

/**
 * Reads a line without its end; several readings where the format has several rows in a line. Lines come in
 * their order, for a header decides how the others are read.
 */
export type LineReader = (line: string) => Reading | readonly Reading[];
