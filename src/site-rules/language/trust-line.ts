import { badRule } from "../data-lines.ts";
import type { Evidence } from "../rule.ts";
import { siteName } from "./action-text.ts";
import { parseEvidence, writeEvidence } from "./evidence-text.ts";

/** Says whether statements of one shape, in the pages of a site, are trusted. It changes no URL by itself. */
export interface Trust {
  /** Names the host, with `:port` if the URL has one. */
  readonly site: string;
  /** Holds path and names of parameters of the URLs that are stated, such as `/t/<N> ?p&q`; `*` is every URL. */
  readonly shape: string;
  /** Names the statement, such as `canonical`: a member of records, or `self #` and the pattern of the fragment. */
  readonly statement: string;
  /** Is false for a shape that is not trusted although a wider one is. */
  readonly isTrusted: boolean;
  /** Counts the URLs of the shape that a page must state at least. */
  readonly fewest: number;
  /** Counts pairs of URLs whose pages are known, and those of one page. Null if somebody wrote the line. */
  readonly evidence: Evidence | null;
}

/** Matches lines of trust. They change no plan. */
export const TRUST = /^[^\t]+\t[^\t]+\t(dis)?trust /;
/** Matches what the third column of a line of trust can be. */
export const STATEMENT =
  /^(?:dis)?trust (canonical|shortlink|og|contentLocation|hreflang|self #[!-~]*)(?: from ([1-9][0-9]{0,3}))?$/;
/** Matches what its second column can be. */
export const SHAPE = /^(\*|\/[!-~]*( \?[!-~]*)?)$/;

/** Holds the columns of a line that changes no URL. The first three are there. */
export type Columns = [site: string, urls: string, text: string, ...rest: string[]];

/** Reads a line of trust, or returns null for another line. Throws `BAD_RULES` for one that is malformed. */
export function parseTrustLine(line: string): Trust | null {
  if (!TRUST.test(line)) return null;
  const [site, shape, text, evidence = "", ...rest] = line.split("\t") as Columns;
  const [, statement = "", fewest = 1] = STATEMENT.exec(text) ?? [];
  if (statement === "" || rest.length > 0)
    throw badRule(
      `"${text}" is not trust in canonical, shortlink, og, contentLocation, hreflang or self #p<N>`,
    );
  if (!SHAPE.test(shape)) throw badRule(`"${shape}" is not a shape such as * or /a/<N> ?p&q`);
  return {
    site: siteName(site),
    shape,
    statement,
    isTrusted: text.startsWith("t"),
    fewest: Number(fewest),
    evidence: parseEvidence(evidence),
  };
}

/** Writes a line of trust as `parseTrustLine` reads it. */
export function writeTrustLine(trust: Trust): string {
  const { site, shape, statement, isTrusted, fewest, evidence } = trust;
  const from = fewest > 1 ? ` from ${fewest}` : "";
  const columns = [site, shape, `${isTrusted ? "trust" : "distrust"} ${statement}${from}`];
  if (evidence !== null) columns.push(writeEvidence(evidence));
  return columns.join("\t");
}
