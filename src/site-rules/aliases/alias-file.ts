import { checkText } from "../../base/errors.ts";
import { addMember, entryOf } from "../../base/tallies.ts";
import { badRule, dataLines, wrongLine } from "../data-lines.ts";
import { siteName } from "../language/action-text.ts";
import { checkTarget } from "../language/normal-text.ts";
import { levelNamed } from "../level-named.ts";
import { EVIDENCE_LEVELS, type EvidenceLevel } from "../rule.ts";
import { baseOfAny, findAny, markedBase } from "./any-params.ts";
import { findRange, type NumberRange, rangeIn, withNumber } from "./number-range.ts";

/** Gives the first line of a file of aliases, with the version of the format. */
export const ALIASES_HEADER = "#urlmill-aliases 1";

/** How messages name the file. */
const NAME = "aliases";

interface PlacedRange extends NumberRange {
  readonly line: number;
}

interface SiteLines {
  /** Holds lines by URL, or by the text of a range. */
  readonly urls: Map<string, number>;
  readonly ranges: Map<string, PlacedRange[]>;
  /** Holds those for any other parameters, as plans write their URLs. */
  readonly any: Map<string, { readonly to: string; readonly line: number }>;
}

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
  const sites = new Map<string, SiteLines>();
  for (const { number, value } of dataLines(text, ALIASES_HEADER, NAME, (line) =>
    parseAliasLine(line, (site) => sites.has(site)),
  )) {
    const own = entryOf(
      sites,
      value.site,
      (): SiteLines => ({ urls: new Map(), ranges: new Map(), any: new Map() }),
    );
    const other = own.urls.get(value.from);
    if (other !== undefined) {
      const reason = `${value.from} is already in line ${other}; keep one of the two lines`;
      throw wrongLine(NAME, number, reason);
    }
    own.urls.set(value.from, number);
    const range = rangeIn(value.from);
    if (range !== null) addMember(own.ranges, range.shape, { ...range, line: number });
    const base = baseOfAny(value.from);
    if (base !== null) own.any.set(markedBase(base), { to: value.to, line: number });
    aliases.push(value);
    lines.push(number);
  }
  const overlaps = overlapsOf([...sites.values()].flatMap(({ ranges }) => [...ranges.values()]));
  for (const [index, { site, from, to }] of aliases.entries()) {
    const line = lines[index] as number;
    const { urls, ranges, any } = sites.get(site) as SiteLines;
    const other = overlaps.get(line) ?? findRange(ranges, from)?.line;
    if (other !== undefined) {
      const reason = `${from} has a URL of line ${other}; keep each URL in one line`;
      throw wrongLine(NAME, line, reason);
    }
    const ofAny = findAny(any, to, Infinity);
    const next = urls.get(to) ?? findRange(ranges, to)?.line ?? ofAny?.line;
    if (next === undefined || (next === ofAny?.line && ofAny.to === to)) continue;
    const reason = `the target ${to} is itself an alias, in line ${next}; name the page that the last alias leads to`;
    throw wrongLine(NAME, line, reason);
  }
  return aliases;
}

/** Sorts ranges of each shape. Returns the lines of those that have a number of another one, each with its line. */
function overlapsOf(shapes: readonly PlacedRange[][]): Map<number, number> {
  const overlaps = new Map<number, number>();
  for (const ranges of shapes) {
    ranges.sort((a, b) => a.first - b.first);
    for (const [at, { last, line }] of ranges.entries()) {
      const next = ranges[at + 1];
      if (next === undefined || next.first > last) continue;
      overlaps.set(Math.max(line, next.line), Math.min(line, next.line));
    }
  }
  return overlaps;
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
  for (const url of [...urlsOf(from), to]) checkTarget(url, "a URL of an alias");
  if (from === to) throw badRule(`${from} is its own target; remove the line`);
  return { site, from, to, level: levelOf(level) };
}

/** Returns the URL of an alias, the two at the ends of its range, or what its `<*>` follows. */
function urlsOf(from: string): string[] {
  const base = baseOfAny(from);
  if (base !== null) return [base];
  const range = rangeIn(from);
  if (range === null ? from.includes("<") : range.first >= range.last) {
    throw badRule(
      `a range such as <12..34> is the last number of ${from}: two numbers of at most nine digits, the smaller one first; <*> ends it, after a path and "?", or after one parameter and "&"`,
    );
  }
  return range === null ? [from] : [range.first, range.last].map((n) => withNumber(range.shape, n));
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

/** Says that two URLs of a site have one page. It teaches nothing about other URLs, unless it has a range or `<*>`. */
export interface PageAlias {
  /** Names the host, with `:port` if the URL has one. */
  readonly site: string;
  /**
   * Holds path and query of the normalized URL. A range such as `<12..34>` in place of its last number stands for all
   * URLs with a number from 12 to 34. `?<*>` after a path stands for any query or none, and `&<*>` after a path and one
   * parameter for that parameter and any others or none, in any order; the target stays.
   */
  readonly from: string;
  /** Holds path and query that the URL gets. */
  readonly to: string;
  /** Names the kind of evidence; null if somebody wrote the alias. */
  readonly level: EvidenceLevel | null;
}
