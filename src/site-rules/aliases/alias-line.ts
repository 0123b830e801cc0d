import { siteName } from "../language/action-text.ts";
import { badRule } from "../language/bad-rule.ts";
import { checkTarget } from "../language/normal-text.ts";
import { EVIDENCE_LEVELS, type EvidenceLevel, levelNamed } from "../rule.ts";
import type { PageAlias } from "./page-alias.ts";

/** Reads the line of an alias whose site is known to be a host. Throws `BAD_RULES` for any other text. */
export function parseAliasLine(line: string, isSite: (site: string) => boolean): PageAlias {
  const [site, from, to, level = "", ...rest] = line.split("\t");
  if (site === undefined || from === undefined || to === undefined || rest.length > 0) {
    throw badRule("an alias is site, URL, target and perhaps evidence, with a TAB between");
  }
  if (!isSite(site)) siteName(site);
  for (const url of [from, to]) checkTarget(url, "a URL of an alias");
  if (from === to) throw badRule(`${from} is its own target; remove the line`);
  return { site, from, to, level: levelOf(level) };
}

/** Writes an alias as the line that `parseAliases` reads. */
export function writeAliasLine({ site, from, to, level }: PageAlias): string {
  return [site, from, to, ...(level === null ? [] : [level])].join("\t");
}

function levelOf(text: string): EvidenceLevel | null {
  if (text === "") return null;
  const level = levelNamed(text);
  if (level !== undefined) return level;
  throw badRule(`"${text}" is not a level of evidence: ${EVIDENCE_LEVELS.join(", ")}`);
}
