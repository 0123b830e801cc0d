import { siteName } from "../language/action-text.ts";
import { badRule } from "../language/bad-rule.ts";
import { parseEvidence, writeEvidence } from "../language/evidence-text.ts";
import type { Evidence } from "../rule.ts";

/** Says whether statements of one shape, in the pages of a site, are trusted. It changes no URL by itself. */
export interface Trust {
  /** Names the host, with `:port` if the URL has one. */
  readonly site: string;
  /**
   * Holds the shape of the URLs that are stated: a path, and with ` ?` before them the names of all parameters. `<N>` is a
   * number, `<H>` 16 or more hexadecimal digits, and `*` a segment. `*` alone is every URL.
   */
  readonly shape: string;
  /** Names the statement: `canonical`, `shortlink`, `og`, or `self #` and the pattern of the fragment. */
  readonly statement: string;
  /** Says that such statements are trusted, or that they are not although a wider shape is. */
  readonly isTrusted: boolean;
  /** Holds the evidence: pairs of URLs whose pages are known, and those of one page. Null if somebody wrote the line. */
  readonly evidence: Evidence | null;
}

/** Matches lines of trust. Engines leave them out. */
export const TRUST = /^[^\t]+\t[^\t]+\t(dis)?trust /;
const STATEMENT = /^(?:dis)?trust (canonical|shortlink|og|self #[!-~]*)$/;
const SHAPE = /^(\*|\/[!-~]*( \?[!-~]*)?)$/;
/** Lists what the package for Python takes. */
export const TRUST_PARTS = { line: TRUST, statement: STATEMENT, shape: SHAPE };

/**
 * Reads a line of trust: site, shape, `trust` or `distrust` with a statement, and perhaps evidence. Returns null for a line
 * that is something else. Throws `BAD_RULES` for a line of trust that is malformed.
 */
export function parseTrustLine(line: string): Trust | null {
  if (!TRUST.test(line)) return null;
  const [site = "", shape = "", text = "", evidence = "", ...rest] = line.split("\t");
  const [, statement] = STATEMENT.exec(text) ?? [];
  if (statement === undefined || rest.length > 0)
    throw badRule(
      `"${text}" is not trust in canonical, shortlink, og, or self and a fragment such as #p<N>`,
    );
  if (!SHAPE.test(shape))
    throw badRule(
      `"${shape}" is not a shape of URLs: *, or a path and perhaps names such as /a/<N> ?p&q`,
    );
  const isTrusted = text.startsWith("t");
  return { site: siteName(site), shape, statement, isTrusted, evidence: parseEvidence(evidence) };
}

/** Writes a line of trust as `parseTrustLine` reads it. */
export function writeTrustLine({ site, shape, statement, isTrusted, evidence }: Trust): string {
  const columns = [site, shape, `${isTrusted ? "trust" : "distrust"} ${statement}`];
  if (evidence !== null) columns.push(writeEvidence(evidence));
  return columns.join("\t");
}
