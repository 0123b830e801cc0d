import { UrlmillError } from "../base/errors.ts";
import { addMember } from "../base/tallies.ts";
import { splitParts } from "../url/parts.ts";
import { isMet } from "./apply/apply.ts";
import { parseCrawlLines } from "./language/rule-file.ts";
import type { Skip, SkipReason } from "./language/skip-line.ts";

/** Holds the options of `SkipFilter`. */
export interface SkipFilterOptions {
  /** Says how many days a line of an exhausted pattern counts. @default 7 */
  readonly days?: number;
  /** Gives the time in milliseconds, as `Date.now` does. @default now */
  readonly now?: number;
}

const REASONS: readonly string[] = ["noindex", "exhausted"] satisfies SkipReason[];
/** So many days a line of an exhausted pattern counts, unless another number is given. */
export const SKIP_DAYS = 7;
const DAY_MS = 86_400_000;
/** A hundred years. */
const MOST_DAYS = 36_525;
/** Lets one URL in so many of an exhausted pattern pass, so that it is seen when the pattern brings new pages again. */
const ONE_PASSES = 20;

/** Holds the lines of URLs to skip by site. It can be sent to other threads. */
export type Skips = ReadonlyMap<string, readonly Skip[]>;

/** Returns the lines of a file of rules that count. Throws `BAD_RULES`, and `BAD_OPTION` for a reason that does not exist. */
export function skipsOf(
  rules: string,
  reasons: readonly SkipReason[],
  { days = SKIP_DAYS, now = Date.now() }: SkipFilterOptions = {},
): Skips {
  const unknown = reasons.find((reason) => !REASONS.includes(reason));
  if (unknown !== undefined)
    throw new UrlmillError("BAD_OPTION", `"${unknown}" is not a reason: noindex or exhausted`);
  if (!(days >= 0 && days <= MOST_DAYS))
    throw new UrlmillError("BAD_OPTION", `option days is 0 to ${MOST_DAYS}, not ${days}`);
  const first = new Date(now - days * DAY_MS).toISOString().slice(0, 10);
  const skips = new Map<string, Skip[]>();
  for (const line of parseCrawlLines(rules)) {
    if (!("why" in line) || !reasons.includes(line.why)) continue;
    if (line.day === null || line.day >= first) addMember(skips, line.site, line);
  }
  return skips;
}

/** Returns why a URL, in normal form, need not be fetched, or null if nothing says so. */
export function whySkipped(url: string, skips: Skips): SkipReason | null {
  const parts = splitParts(url);
  const own = skips.get(parts.host + parts.port);
  const found = own?.filter(({ condition }) => isMet(condition, parts)) ?? [];
  if (found.some(({ why }) => why === "noindex")) return "noindex";
  return found.length > 0 && hashOf(url) % ONE_PASSES !== 0 ? "exhausted" : null;
}

/** Returns a hash that orders texts as if they were shuffled: that of FNV, mixed as murmur3 does at its end. */
export function mixedHash(text: string): number {
  let hash = hashOf(text);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Returns the FNV-1a hash of a text in ASCII. It chooses the same URLs on each machine, and in Python. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

/**
 * Tells which URLs a crawl need not fetch, by the lines with `noindex` and `exhausted` in a file of rules. Only the reasons
 * that are given count. Of an exhausted pattern, one URL in twenty passes, by a hash of the URL.
 *
 * @example
 * const filter = new SkipFilter("#urlmill-rules 1\na.org\t/print/...\tnoindex\n", ["noindex"]);
 * filter.why("http://a.org/print/7"); // "noindex"
 * filter.why("http://a.org/7"); // null
 */
export class SkipFilter {
  readonly #skips: Skips;

  /** Takes the text of a file of rules. Throws `BAD_RULES` for any other text, and `BAD_OPTION` for another reason. */
  constructor(rules: string, reasons: readonly SkipReason[], options: SkipFilterOptions = {}) {
    this.#skips = skipsOf(rules, reasons, options);
  }

  /** Returns why a URL need not be fetched, or null. Give the normalized URL, to which the rules were applied. */
  why(url: string): SkipReason | null {
    return whySkipped(url, this.#skips);
  }
}
