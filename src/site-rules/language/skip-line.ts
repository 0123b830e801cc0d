import { badRule } from "../data-lines.ts";
import type { Condition, Evidence } from "../rule.ts";
import { siteName } from "./action-text.ts";
import { parseCondition, writeCondition } from "./condition-text.ts";
import { parseEvidence, writeEvidence } from "./evidence-text.ts";
import type { Columns } from "./trust-line.ts";

/**
 * Names why a crawl need not fetch URLs: their pages keep themselves out of indexes, or bring nothing that earlier URLs did
 * not bring.
 */
export type SkipReason = "noindex" | "exhausted";

/** Says which URLs of a site a crawl need not fetch. It changes no URL, and does nothing that was not asked for. */
export interface Skip {
  /** Names the host, with `:port` if the URL has one. */
  readonly site: string;
  /** Says which URLs are meant, after the rules. */
  readonly condition: Condition;
  /** Names the reason. */
  readonly why: SkipReason;
  /** Holds the day of an `exhausted`, such as `2026-11-28`; null for `noindex`. */
  readonly day: string | null;
  /** Counts the known URLs, and those of which it is true. Null if somebody wrote the line. */
  readonly evidence: Evidence | null;
}

/** Matches lines of URLs to skip. They change no plan. */
export const SKIP = /^[^\t]+\t[^\t]+\t(?:noindex|exhausted)(?![^\t ])/;
/** Matches what their third column can be. */
export const SKIP_REASON =
  /^(?:noindex|exhausted (\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])))$/;

/** Reads a line of URLs to skip, or returns null for another line. Throws `BAD_RULES` for one that is malformed. */
export function parseSkipLine(line: string): Skip | null {
  if (!SKIP.test(line)) return null;
  const [site, condition, text, evidence = "", ...rest] = line.split("\t") as Columns;
  const found = SKIP_REASON.exec(text);
  if (found === null || rest.length > 0)
    throw badRule(`"${text}" is not noindex, or exhausted and a day: exhausted 2026-11-28`);
  return {
    site: siteName(site),
    condition: parseCondition(condition),
    why: text === "noindex" ? text : "exhausted",
    day: found[1] ?? null,
    evidence: parseEvidence(evidence),
  };
}

/** Writes a line of URLs to skip as `parseSkipLine` reads it. */
export function writeSkipLine({ site, condition, why, day, evidence }: Skip): string {
  const columns = [site, writeCondition(condition), day === null ? why : `${why} ${day}`];
  if (evidence !== null) columns.push(writeEvidence(evidence));
  return columns.join("\t");
}
