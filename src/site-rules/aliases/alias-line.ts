import { PATH } from "../../url/chars.ts";
import { siteName } from "../language/action-text.ts";
import { badRule } from "../language/bad-rule.ts";
import { checkDots, normalText, QUERY_BYTES } from "../language/normal-text.ts";
import { EVIDENCE_LEVELS, type EvidenceLevel } from "../rule.ts";
import type { PageAlias } from "./page-alias.ts";

/** Reads the line of an alias whose site is known to be a host. Throws `BAD_RULES` for any other text. */
export function parseAliasLine(line: string, isSite: (site: string) => boolean): PageAlias {
  const [site, from, to, level = "", ...rest] = line.split("\t");
  if (site === undefined || from === undefined || to === undefined || rest.length > 0) {
    throw badRule("an alias is site, URL, target and perhaps evidence, with a TAB between");
  }
  if (!isSite(site)) siteName(site);
  checkTarget(from);
  checkTarget(to);
  if (from === to) throw badRule(`${from} is its own target; remove the line`);
  return { site, from, to, level: levelOf(level) };
}

/** Writes an alias as the line that `parseAliases` reads. */
export function writeAliasLine({ site, from, to, level }: PageAlias): string {
  return [site, from, to, ...(level === null ? [] : [level])].join("\t");
}

/** Throws `BAD_RULES` for a text that is not path and query of a normalized URL. */
function checkTarget(text: string): void {
  if (!text.startsWith("/") || text.includes("#")) {
    throw badRule(`a URL of an alias is a path and perhaps a query, not "${text}"`);
  }
  const question = text.indexOf("?");
  const path = question < 0 ? text : text.slice(0, question);
  normalText(path, PATH);
  if (question >= 0) normalText(text.slice(question + 1), QUERY_BYTES);
  checkDots(path, true);
}

function levelOf(text: string): EvidenceLevel | null {
  if (text === "") return null;
  const level = EVIDENCE_LEVELS.find((known) => known === text);
  if (level !== undefined) return level;
  throw badRule(`"${text}" is not a level of evidence: ${EVIDENCE_LEVELS.join(", ")}`);
}
