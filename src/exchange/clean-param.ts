import { withoutMark } from "../base/byte-order-mark.ts";
import { checkText, UrlmillError } from "../base/errors.ts";
import { entryOf } from "../base/tallies.ts";
import { badRule } from "../site-rules/data-lines.ts";
import {
  type Evidence,
  type Pattern,
  parseRule,
  type Rule,
  writeRule,
} from "../site-rules/index.ts";
import { siteName } from "../site-rules/language/action-text.ts";
import { ANY_SITE } from "../site-rules/rule.ts";
import { utf8ByteString } from "../url/bytes.ts";
import { PATH, SPECIAL_QUERY } from "../url/chars.ts";
import { writeComponent } from "../url/component.ts";
import { type InexpressibleRule, isNotSaid, NOT_SAID } from "./inexpressible-rule.ts";

/** Marks a rule that a site declared, without counts. */
const DECLARED: Evidence = { level: "declared", n: 0, ok: 0, lb: 0 };
/** Limits the characters of a directive's value, as Yandex does. */
const LONGEST = 500;

/** Describes a line of a robots.txt that the rules do not say, or not in full. */
export interface IgnoredLine {
  /** Gives the number of the line, from 1 on. */
  readonly line: number;
  /** Says, for people, why the line was ignored. */
  readonly reason: string;
}

/**
 * Reads `Clean-param: p1&p2 /prefix` of a site's robots.txt (Yandex Webmaster, "The Clean-param directive") as `drop`
 * rules with evidence `declared`: the site itself says that these parameters do not change a page. The directive counts
 * under any `User-agent`, or without one. Names and prefix are case sensitive and need not be percent-encoded. `*` in
 * the prefix matches any bytes, and every prefix ends with an implied `*`. Throws `BAD_RULES` for a `site` that is not
 * the name of a site.
 *
 * A prefix with a `*` inside becomes a rule for paths that end with the text after the `*`, which are fewer than
 * declared. `ignored` lists these lines and all lines that rules cannot say.
 *
 * @example
 * const { rules } = importCleanParam("Clean-param: sid&ref /forum/", "example.org");
 * writeRule(rules[0]); // "example.org\t/forum/...\tdrop & sid,ref\tdeclared n=0 ok=0 lb=.0000"
 */
export function importCleanParam(
  robotsTxt: string,
  site: string,
): { rules: Rule[]; ignored: IgnoredLine[] } {
  checkText(robotsTxt, "robotsTxt");
  siteName(site);
  const rules: Rule[] = [];
  const ignored: IgnoredLine[] = [];
  for (const [index, text] of withoutMark(robotsTxt)
    .split(/\r\n|\r|\n/)
    .entries()) {
    const value = /^\s*clean-param\s*:([^#]*)/i.exec(text)?.[1]?.trim();
    if (value === undefined) continue;
    const ignore = (reason: string) => ignored.push({ line: index + 1, reason });
    try {
      rules.push(readDirective(value, site, ignore));
    } catch (error) {
      if (!(error instanceof UrlmillError)) throw error;
      ignore(error.message);
    }
  }
  return { rules, ignored };
}

function readDirective(value: string, site: string, ignore: (reason: string) => void): Rule {
  if (value.length > LONGEST) throw badRule(`it is longer than ${LONGEST} characters`);
  const [list = "", prefix = "", ...rest] = value.split(/\s+/);
  if (rest.length > 0) throw badRule("it has more than parameters and a path");
  const names = list.split("&").filter((name) => name !== "");
  if (names.length === 0) throw badRule("it names no parameter");
  const params = new Set(names.map((name) => normal(name, SPECIAL_QUERY)));
  const path = readPrefix(prefix, ignore);
  const action = { type: "drop", params: [...params], whole: true } as const;
  const rule: Rule = { site, condition: { path, params: [] }, action, evidence: DECLARED };
  return parseRule(writeRule(rule));
}

/** Returns a prefix as a pattern of whole paths; null stands for every path. */
function readPrefix(text: string, ignore: (reason: string) => void): Pattern | null {
  const prefix = text.replace(/\*+$/, "");
  if (prefix === "" || prefix === "/") return null;
  if (prefix.startsWith("*")) throw badRule(`${text} begins with *, where a pattern begins with /`);
  if (!prefix.startsWith("/")) throw badRule(`the path ${text} does not begin with /`);
  if (prefix.includes("?")) throw badRule(`${text} is more than a path`);
  const [start = "", end, ...more] = prefix.split(/\*+/).map((piece) => normal(piece, PATH));
  if (more.length > 0) throw badRule(`${text} has more than one * that is not at its end`);
  if (end !== undefined) ignore(`${text} also means paths that go on after ${end}: left out`);
  return [
    { kind: "text", text: start },
    { kind: "rest", suffix: end ?? "" },
  ];
}

/** Writes a text as normalizing writes it. `allowed`: the classes of bytes that need no encoding. */
function normal(text: string, allowed: number): string {
  const bytes = utf8ByteString(text);
  return writeComponent(bytes, 0, bytes.length, allowed);
}

/**
 * Writes `drop` rules as `Clean-param` lines, one robots.txt for each site. Splits a long list of names into several
 * lines. Writes only rules that the directive can say exactly: those for every path or for `/prefix...`, without tests
 * of parameters. `ignored` lists the others.
 *
 * @example
 * exportCleanParam([parseRule("example.org\t*\tdrop sid")]).files[0].robotsTxt; // "User-agent: Yandex\nClean-param: sid\n"
 */
export function exportCleanParam(rules: readonly Rule[]): {
  files: { site: string; robotsTxt: string }[];
  ignored: InexpressibleRule[];
} {
  const linesOf = new Map<string, Set<string>>();
  const ignored: InexpressibleRule[] = [];
  for (const rule of rules) {
    const written = writeDirectives(rule);
    if (typeof written === "string") {
      ignored.push({ rule, reason: written });
      continue;
    }
    const lines = entryOf(linesOf, rule.site, () => new Set());
    for (const line of written) lines.add(line);
  }
  const files = [...linesOf].map(([site, lines]) => ({
    site,
    robotsTxt: `${["User-agent: Yandex", ...lines].join("\n")}\n`,
  }));
  return { files, ignored };
}

/** Returns the lines, or the reason why no line can be written. */
function writeDirectives(rule: Rule): string[] | string {
  const { site, condition, action, except } = rule;
  if (isNotSaid(rule)) return NOT_SAID;
  if (action.type !== "drop") return `Clean-param drops parameters, and cannot ${action.type}`;
  if (site === ANY_SITE) return "a robots.txt belongs to one site";
  if (except !== undefined) return "Clean-param has no exceptions";
  if (condition.params.length > 0) return "Clean-param tests no parameters";
  const prefix = literalPrefix(condition.path);
  if (prefix === null) return "Clean-param takes paths by a prefix, and this pattern is not one";
  if (!/^[A-Za-z0-9./_-]*$/.test(prefix)) return "a prefix of Clean-param has A-Z a-z 0-9 . - / _";
  if (action.params.includes("")) return "Clean-param names no parameter without a name";
  const space = LONGEST - (prefix === "" ? 0 : prefix.length + 1);
  if (action.params.some((name) => name.length > space)) {
    return `Clean-param is at most ${LONGEST} characters long`;
  }
  return listsOf(action.params, space).map((list) => `Clean-param: ${list} ${prefix}`.trimEnd());
}

function literalPrefix(path: Pattern | null): string | null {
  if (path === null) return "";
  const [start, rest, ...more] = path;
  const isPrefix = start?.kind === "text" && rest?.kind === "rest" && rest.suffix === "";
  return isPrefix && more.length === 0 ? start.text : null;
}

/** Joins the names by `&`, in lists of at most `space` bytes. */
function listsOf(names: readonly string[], space: number): string[] {
  const lists: string[] = [];
  for (const name of names) {
    const joined = `${lists.at(-1)}&${name}`;
    if (lists.length > 0 && joined.length <= space) lists[lists.length - 1] = joined;
    else lists.push(name);
  }
  return lists;
}
