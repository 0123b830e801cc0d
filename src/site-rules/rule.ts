/**
 * Rules for one site, learned from a list or written by hand. They work on http and https URLs that are
 * normalized already. Names and texts in rules are in the form that normalizing writes.
 */

/** Describes an element of a pattern. No element needs to look back, so matching is linear. */
export type Element =
  /** Matches these bytes. */
  | { readonly kind: "text"; readonly text: string }
  /** Matches `<N>`: the digits up to the next byte that is not a digit; at least one, or as many as `length` says. */
  | { readonly kind: "digits"; readonly length?: number }
  /** Matches `<H>`: the hexadecimal digits up to the next byte that is not one; at least 16, or `length`. */
  | { readonly kind: "hex"; readonly length?: number }
  /** Matches `<T>`: bytes up to the next of `/?&=;:`; at least one, or as many as `length` says. */
  | { readonly kind: "word"; readonly length?: number }
  /** Matches `*`: the rest of a path segment before `suffix`; at least one byte. */
  | { readonly kind: "segment"; readonly suffix: string }
  /** Matches `...`: the rest of the path before `suffix`, which may be empty. */
  | { readonly kind: "rest"; readonly suffix: string }
  /** Matches `<$>`: the end of path and query. */
  | { readonly kind: "end" };

/** Limits the elements of a pattern, and the pieces of a template. @internal */
export const LONGEST_PATTERN = 64;

/** Lists the elements of a pattern, which match one after the other. */
export type Pattern = readonly Element[];

/**
 * Lists what to write for a match: texts, and numbers of captures. Capture 1 is what matched the
 * first element that is not text.
 */
export type Template = readonly (string | number)[];

/** Tests one query parameter of a URL. */
export interface ParamTest {
  /** Names the parameter, as a normalized URL has it. */
  readonly name: string;
  /** Says what must hold: the parameter is present, is absent, or has `value`. */
  readonly is: "present" | "absent" | "equal";
  /** Holds the value that `equal` compares; "" for the other tests. */
  readonly value: string;
}

/** Says which URLs of a site a rule applies to. */
export interface Condition {
  /** Matches the whole path; null matches any path. */
  readonly path: Pattern | null;
  /** Lists tests that all must hold. A parameter is the text between two of `?`, `&`, `;` and `#`. */
  readonly params: readonly ParamTest[];
}

/** Says where a rule of many sites does not apply: to URLs of this site for which the condition holds. */
export interface Unless {
  /** Names a host on any port; `*.` before it adds the hosts below; `*` is every site. */
  readonly site: string;
  /** Says which URLs of the site stay as they are. */
  readonly condition: Condition;
}

/** Stands for any bytes, also none, at one end of a name. No normalized URL has `<`. */
export const ANY_BYTES = "<*>";

/** Describes what a rule does to a URL. */
export type Action =
  /**
   * Removes the parameters with these names (`drop`), or all others (`keep`). `utm_<*>` is all names that begin so,
   * `<*>_id` all that end so. With `whole`, parameters next to a `;` stay, and a test of the rule does not find them.
   */
  | { readonly type: "drop" | "keep"; readonly params: readonly string[]; readonly whole?: true }
  /** Removes the parameter if it has this value, or one that the pattern matches. `param` may have `<*>`, as in `drop`. */
  | {
      readonly type: "dropif";
      readonly param: string;
      readonly value: string | Pattern;
      readonly whole?: true;
    }
  /** Gives the parameter this value if it is present. */
  | { readonly type: "set"; readonly param: string; readonly value: string }
  /** Sorts parameters by the bytes of their names; parameters of one name keep their order. */
  | { readonly type: "sort" }
  /** Replaces each match of the pattern in path and query, from left to right. */
  | { readonly type: "sub"; readonly from: Pattern; readonly to: Template }
  /** Replaces the whole path. */
  | { readonly type: "path"; readonly from: Pattern; readonly to: Template }
  /** Removes the path segments that equal this one. */
  | { readonly type: "cut"; readonly segment: string }
  /** Writes A to Z of the path as a to z. */
  | { readonly type: "lower" }
  /** Adds a slash to a path that does not end in one and has no dot in its last segment. */
  | { readonly type: "slash" }
  /** Moves the URL to another site with the same pages. */
  | { readonly type: "host"; readonly to: string }
  /** Writes https for http. */
  | { readonly type: "scheme"; readonly to: "https" }
  /** Writes one path and query for all URLs that match. */
  | { readonly type: "sink"; readonly target: string }
  /**
   * Moves to the URL in the value of the first parameter with one of these names. Parameters are between `&` alone. The value
   * is decoded once, and must be an http or https URL with its scheme. Its userinfo and fragment replace those of the URL.
   */
  | { readonly type: "unwrap"; readonly params: readonly string[] };

/**
 * Lists the levels of evidence, the strongest first.
 *
 * @example
 * EVIDENCE_LEVELS.indexOf("fingerprint"); // 2
 */
export const EVIDENCE_LEVELS = [
  "standard",
  "declared",
  "fingerprint",
  "fetched",
  "list",
  "size",
  "pattern",
] as const;

/**
 * Names the source of the evidence for a rule: the standards, the site's own declarations, fingerprints of pages, pages
 * that the user fetched, a list that others keep, sizes or titles, the pattern of URLs alone. The last three are proposals.
 */
export type EvidenceLevel = (typeof EVIDENCE_LEVELS)[number];

/**
 * Returns whether evidence is as strong as `accepted`, so that its rule is applied. A rule without evidence is written by
 * hand.
 *
 * @internal
 */
export function isAccepted(level: EvidenceLevel | null, accepted: EvidenceLevel): boolean {
  return level === null || EVIDENCE_LEVELS.indexOf(level) <= EVIDENCE_LEVELS.indexOf(accepted);
}

const MEANINGS: Readonly<Record<EvidenceLevel, string>> = {
  standard: "the standards make these URLs one",
  declared: "the site itself declares it",
  fingerprint: "fingerprints of the pages agree",
  fetched: "pages that you fetched agree",
  list: "a list has it: a proposal",
  size: "sizes or titles agree: a proposal",
  pattern: "only the URLs look alike: a proposal",
};

/**
 * Returns what a level of evidence means, as one line for people.
 *
 * @example
 * explainEvidence("fingerprint"); // "fingerprints of the pages agree"
 */
export function explainEvidence(level: EvidenceLevel): string {
  return MEANINGS[level];
}

/** Says what speaks for a rule, in numbers. */
export interface Evidence {
  /** Names the kind of evidence. */
  readonly level: EvidenceLevel;
  /** Counts the URLs that the rule would have skipped. */
  readonly n: number;
  /** Counts those of the `n` URLs whose page was known already. */
  readonly ok: number;
  /** Gives a lower bound of the share of right merges, 0 to 1, rounded down to four digits. */
  readonly lb: number;
  /** Names the list and its day, such as `clearurls 2026-11-26`, for the level `list` only. The figures are 0 then. */
  readonly list?: string;
}

/** Describes a rule for one site, learned from a list or written by hand. */
export interface Rule {
  /**
   * Names the host, with `:port` if the URL has one. `*.` before it adds the hosts below, on the same port; `*` is every
   * site.
   */
  readonly site: string;
  /** Says which URLs of the site the rule applies to. */
  readonly condition: Condition;
  /** Says what the rule does to these URLs. */
  readonly action: Action;
  /** Holds the evidence for the rule; null for a rule that somebody wrote. */
  readonly evidence: Evidence | null;
  /**
   * Holds what the rule must not make, as path and query in normal form. Where the action would make one of
   * these, the URL stays as it was before the rule. Left out if there are no exceptions.
   */
  readonly except?: ReadonlySet<string>;
  /** Lists URLs to which the rule does not apply. Left out if there are none. */
  readonly unless?: readonly Unless[];
}

/** Names every site, in place of a host. */
export const ANY_SITE = "*";

/** Begins the name of a site that is a domain and the hosts below it. @internal */
export const DOMAIN = "*.";

/** Returns whether what names a site, a domain or every site names this site. @internal */
export function isOfSite(named: string, site: string): boolean {
  if (named === ANY_SITE || named === site) return true;
  return named.startsWith(DOMAIN) && `.${site}`.endsWith(named.slice(DOMAIN.length - 1));
}

/** Returns whether an action is for parameters between `&` alone. @internal */
export function isWhole(action: Action): boolean {
  return "whole" in action;
}

/** Returns whether a name stands for others that begin or end so. @internal */
export function hasAnyBytes(name: string): boolean {
  return name.includes(ANY_BYTES);
}
