import { checkText } from "../../base/errors.ts";
import { dataLines, wrongLine } from "../data-lines.ts";
import { siteName } from "../language/action-text.ts";
import { badRule } from "../language/bad-rule.ts";
import { checkTarget } from "../language/normal-text.ts";
import { EVIDENCE_LEVELS, type EvidenceLevel, levelNamed } from "../rule.ts";
import type { PageAlias } from "./page-alias.ts";

/** Gives the first line of a file of aliases, with the version of the format. */
export const ALIASES_HEADER = "#urlmill-aliases 1";

/** How messages name the file. */
const NAME = "aliases";

/**
 * Reads a file of aliases, or several one after the other. Throws `BAD_RULES`, and names the first wrong line and
 * the reason. It refuses a URL that has two lines, and a target that is an alias.
 *
 * @example
 * const [alias] = parseAliases("#urlmill-aliases 1\nexample.org\t/?p=12\t/news/\tfingerprint\n");
 * alias; // { site: "example.org", from: "/?p=12", to: "/news/", level: "fingerprint" }
 */
export function parseAliases(text: string): PageAlias[] {
  checkText(text, "text");
  const aliases: PageAlias[] = [];
  const lines: number[] = [];
  /** The line of each URL, by site and URL. */
  const places = new Map<string, Map<string, number>>();
  for (const { number, value } of dataLines(text, ALIASES_HEADER, NAME, (line) =>
    parseAliasLine(line, (site) => places.has(site)),
  )) {
    const own = places.get(value.site) ?? new Map<string, number>();
    places.set(value.site, own);
    const other = own.get(value.from);
    if (other !== undefined) {
      const reason = `${value.from} is already in line ${other}; keep one of the two lines`;
      throw wrongLine(NAME, number, reason);
    }
    own.set(value.from, number);
    aliases.push(value);
    lines.push(number);
  }
  for (const [index, { site, to }] of aliases.entries()) {
    const next = places.get(site)?.get(to);
    if (next === undefined) continue;
    const reason = `the target ${to} is itself an alias, in line ${next}; name the page that the last alias leads to`;
    throw wrongLine(NAME, lines[index] as number, reason);
  }
  return aliases;
}

/**
 * Writes a file of aliases, in their order, that `parseAliases` reads.
 *
 * @example
 * const alias = { site: "example.org", from: "/?p=12", to: "/news/", level: null };
 * writeAliases([alias]); // "#urlmill-aliases 1\nexample.org\t/?p=12\t/news/\n"
 */
export function writeAliases(aliases: readonly PageAlias[]): string {
  return `${[ALIASES_HEADER, ...aliases.map(writeAliasLine)].join("\n")}\n`;
}

/** Reads the line of an alias whose site is known to be a host. Throws `BAD_RULES` for any other text. */
function parseAliasLine(line: string, isSite: (site: string) => boolean): PageAlias {
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
