/**
 * Rules for one site, learned from a list or written by hand. They work on http and https URLs that
 * are normalized already; names and texts in them stand as normalizing writes them.
 */

/** An element of a pattern. None needs to look back, so matching is linear. */
export type Element =
  /** These bytes. */
  | { readonly kind: "text"; readonly text: string }
  /** `<N>`: the digits up to the next byte that is not a digit; at least one. */
  | { readonly kind: "digits" }
  /** `<H>`: the hexadecimal digits up to the next byte that is not one; at least 16. */
  | { readonly kind: "hex" }
  /** `<T>`: bytes up to the next of `/?&=;:`; at least one. */
  | { readonly kind: "word" }
  /** `*`: the rest of a path segment before `suffix`; at least one byte. */
  | { readonly kind: "segment"; readonly suffix: string }
  /** `...`: the rest of the path before `suffix`; perhaps nothing. */
  | { readonly kind: "rest"; readonly suffix: string }
  /** `<$>`: where path and query end. */
  | { readonly kind: "end" };

export type Pattern = readonly Element[];

/** Text and numbers of captures, from 1 on: what matched the elements that are not text, in order. */
export type Template = readonly (string | number)[];

export interface ParamTest {
  readonly name: string;
  readonly is: "present" | "absent" | "equal";
  /** What `equal` compares; "" with the others. */
  readonly value: string;
}

export interface Condition {
  /** The whole path; null is any. */
  readonly path: Pattern | null;
  /** All of them hold. A parameter is what stands between two of `?`, `&`, `;` and `#`. */
  readonly params: readonly ParamTest[];
}

export type Action =
  /** Removes parameters of these names, or all others. */
  | { readonly type: "drop" | "keep"; readonly params: readonly string[] }
  /** Removes the parameter where it has this value, or gives it this value where it is present. */
  | { readonly type: "dropif" | "set"; readonly param: string; readonly value: string }
  /** Sorts parameters by the bytes of their names; of the same name they keep their order. */
  | { readonly type: "sort" }
  /** Replaces each place in path and query that the pattern matches, from left to right. */
  | { readonly type: "sub"; readonly from: Pattern; readonly to: Template }
  /** Replaces the whole path. */
  | { readonly type: "path"; readonly from: Pattern; readonly to: Template }
  /** Removes path segments that are this. */
  | { readonly type: "cut"; readonly segment: string }
  /** Writes A to Z of the path as a to z. */
  | { readonly type: "lower" }
  /** Another site with the same pages. */
  | { readonly type: "host"; readonly to: string }
  | { readonly type: "scheme"; readonly to: "https" }
  /** One path and query for all that match. */
  | { readonly type: "sink"; readonly target: string };

export const EVIDENCE_LEVELS = ["E0", "E1", "E2", "E3", "E4", "E5"] as const;

/**
 * What speaks for a rule: E0 the standards, E1 the site's own declarations, E2 fingerprints, E3 pages
 * that the user fetched, E4 sizes or titles, E5 URLs alone.
 */
export type EvidenceLevel = (typeof EVIDENCE_LEVELS)[number];

export interface Evidence {
  readonly level: EvidenceLevel;
  /** URLs that the rule would have skipped. */
  readonly n: number;
  /** Of these, those whose page was known already. */
  readonly ok: number;
  /** Lower bound of the share of right merges, rounded down to four digits. */
  readonly lb: number;
}

export interface Rule {
  /** Host, with `:port` where the URL has one; `*` is every site. */
  readonly site: string;
  readonly condition: Condition;
  readonly action: Action;
  /** Null for a rule that somebody wrote. */
  readonly evidence: Evidence | null;
}

export const ANY_SITE = "*";
