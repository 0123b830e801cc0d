import { UrlmillError } from "../../src/base/errors.ts";
import { targetOf } from "../../src/site-rules/apply/actions.ts";
import { applyRule } from "../../src/site-rules/apply/apply.ts";
import { addException } from "../../src/site-rules/language/exception-text.ts";
import { parseRules, RULES_HEADER, writeRules } from "../../src/site-rules/language/rule-file.ts";
import { parseRule } from "../../src/site-rules/language/rule-line.ts";
import type { Rule } from "../../src/site-rules/rule.ts";
import { splitParts } from "../../src/url/parts.ts";
import type { Random } from "./random.ts";

/** Few words, so that rules and URLs made of them meet. */
const SITES = [
  "a.b",
  "www.a.b",
  "a.b:81",
  "c.d",
  "[::1]",
  "a-site-with-a-long-name.example",
  "a.b:443",
];
const NAMES = ["a", "b", "id", "sid", "A", "long_parameter_1", "long_parameter_2", "%C3%A9", "q"];
const VALUES = ["1", "0", "", "en", "12", "xy", "0123456789abcdef01", "a=b", "%2F", "A", "/x"];

// Words at the edges of how the kernel compares: names and values are hashed by eight bytes, sites by sixteen.
const EDGE_SITES = "fifteen.example sixteen1.example sixteen2.example seventeen.example".split(" ");
const EDGE_NAMES = "name_of name_of8 name_of9 name_of_9".split(" ");
const EDGE_VALUES = "1234567 12345678 12345679 123456789".split(" ");

function siteOf(random: Random): string {
  return random.pick(random.chance(16) ? EDGE_SITES : SITES);
}

function nameOf(random: Random): string {
  return random.pick(random.chance(12) ? EDGE_NAMES : NAMES);
}

function wordOf(random: Random): string {
  return random.pick(random.chance(12) ? EDGE_VALUES : VALUES);
}

const SEGMENTS = [
  "p",
  "print",
  "x",
  "index.php",
  "12",
  "Ab",
  "%C3%A9",
  "story_5",
  "v1.2",
  "p;q=1",
  "a&b",
  "",
];
const TEXTS = [
  "/p",
  "p",
  "x",
  "/x",
  "a=",
  "?a",
  "&a",
  "id=",
  "/",
  "story_",
  "12",
  "=1",
  "&",
  ";",
  "%C3",
  "-",
  "A",
  "?",
  ".",
  "./",
];
const MARKS = ["<N>", "<H>", "<T>", "<$>"];

/** Values that are URLs, or nearly. */
const WRAPPED = [
  "http://c.d/p",
  "HTTPS%3A%2F%2Fu:p@a.b%2Fp%3Fa%3D1%26sid%3D2%23f",
  "http%3A%2F%2F%C3%A4.de%2F%20x+y",
  "http://a.b:81/?id=http%253A%252F%252Fc.d%252F%253Fa",
  "http://a.b/p;q=1",
  "http%3A%2F%2Fa%2Fb%0Ac",
  "http://",
  "http://[::1",
  "//c.d/",
  "ftp://c.d/",
];

/** What rules of lists have besides: domains, names that stand for others, classes of values, lengths. */
const DOMAINS = ["*.a.b", "*.b", "*.d", "*.a.b:81", "*.example"];
const WILD = ["a<*>", "<*>id", "long_<*>", "<*>9", "<*>A", "s<*>", "id", "a"];
const CLASSES = ["<N>", "<H>", "<T>", "<N2>", "<H18>", "<T2>", "x<T1>", "<*>", "x<*>", "<N>=b"];
const LENGTHS = ["<N2>", "<H18>", "<N1>"];

function wildList(random: Random): string {
  return [...new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(WILD)))].join(
    ",",
  );
}

function actionOfLists(random: Random): string {
  const whole = random.chance(2) ? "& " : "";
  return random.pick([
    () => `drop ${whole}${wildList(random)}`,
    () => `keep ${whole}${wildList(random)}`,
    () =>
      `dropif ${whole}${random.pick(WILD)}=${random.pick([...CLASSES, ...VALUES, ...EDGE_VALUES])}`,
    () => `sub /${random.pick(LENGTHS)} => /`,
    () => `sub =${random.pick(["<N2>", "<T2>"])} => =`,
  ])();
}

function list(random: Random): string {
  return [...new Set(Array.from({ length: 1 + random.below(3) }, () => nameOf(random)))].join(",");
}

function pair(random: Random): string {
  return `${nameOf(random)}=${wordOf(random)}`;
}

function pathPattern(random: Random): string {
  const pieces = Array.from({ length: 1 + random.below(3) }, () =>
    random.chance(3) ? random.pick(["*", "<N>", "*x", "v<N>.2", "<H>"]) : random.pick(SEGMENTS),
  );
  return `/${pieces.join("/")}${random.chance(4) ? random.pick(["...", "/...", "...x"]) : ""}`;
}

function substring(random: Random): string {
  const mark = random.chance(2) ? random.pick(MARKS) : "";
  return random.pick(TEXTS) + mark + (mark !== "" && random.chance(2) ? random.pick(TEXTS) : "");
}

function template(random: Random, texts: readonly string[]): string {
  return Array.from({ length: random.below(4) }, () =>
    random.chance(3) ? `<${1 + random.below(2)}>` : random.pick(texts),
  ).join("");
}

function condition(random: Random): string {
  const path = random.chance(5) ? pathPattern(random) : random.chance(6) ? "/..." : "*";
  const tests = Array.from({ length: random.chance(3) ? 1 + random.below(2) : 0 }, () =>
    random.pick([nameOf(random), `!${nameOf(random)}`, pair(random)]),
  );
  return tests.length === 0 ? path : `${path} ?${tests.join("&")}`;
}

function action(random: Random, site: string): string {
  return random.pick([
    () => `drop ${list(random)}`,
    () => `keep ${random.chance(4) ? "" : list(random)}`.trimEnd(),
    () => `dropif ${pair(random)}`,
    () => `set ${pair(random)}`,
    () => "sort",
    () => `sub ${substring(random)} => ${template(random, TEXTS)}`.trimEnd(),
    () => `sub ${substring(random)} => ${template(random, TEXTS)}`.trimEnd(),
    () => `path ${pathPattern(random)} => /${template(random, [...SEGMENTS, "/"])}`,
    () => `cut ${random.pick(SEGMENTS)}`,
    () => "lower path",
    () => `host ${site} => ${siteOf(random)}`,
    () => "scheme https",
    () => "slash path",
    () => `unwrap ${list(random)}`,
    () => `unwrap ${wildList(random)}`,
    () => `sink /${random.pick(["", "x", "?a", "x?b=1&a;q"])}`,
  ])();
}

/** A line for a rule of a list, which may be one that does not load. */
export function randomListLine(random: Random): string {
  if (random.chance(4)) return randomRuleLine(random);
  const site = random.pick([...DOMAINS, "a.b", "*"]);
  const where = random.chance(4) ? `/${random.pick(LENGTHS)}` : condition(random);
  return [site, where, actionOfLists(random)].join("\t");
}

/** Lines of URLs that a rule leaves alone, which may be some that do not load. */
function unlessLines(random: Random): string[] {
  return Array.from({ length: random.below(3) }, () => {
    const site = random.pick(["*", "a.b", "*.b", "c.d", "*.a.b"]);
    return `\tunless\t${site}\t${condition(random)}`;
  });
}

/** A file of so many rules of lists that all load, in which hosts do not go in circles. */
export function randomListRules(random: Random, count = 1 + random.below(8)): string {
  let text = RULES_HEADER;
  for (let left = count; left > 0; ) {
    const more = [text, randomListLine(random), ...unlessLines(random)].join("\n");
    if (more.includes("\tslash path")) continue;
    try {
      parseRules(more);
    } catch (error) {
      if (error instanceof UrlmillError) continue;
      throw error;
    }
    text = more;
    left--;
  }
  return `${text}\n`;
}

/** A line for a rule, which may be one that does not load. */
export function randomRuleLine(random: Random): string {
  const site = random.chance(5) ? "*" : random.chance(2) ? "a.b" : siteOf(random);
  return [site, condition(random), action(random, site)].join("\t");
}

/**
 * A file of so many rules that all load, in which hosts do not go in circles. Rules add slashes only if
 * `addsSlashes`: with options that remove them, they are refused.
 */
export function randomRules(
  random: Random,
  count = 1 + random.below(8),
  addsSlashes = false,
): string {
  const lines: string[] = [];
  for (let left = count; left > 0; ) {
    const line = randomRuleLine(random);
    if (!addsSlashes && line.endsWith("\tslash path")) continue;
    try {
      parseRule(line);
      if (line.includes("\thost ")) parseRules([RULES_HEADER, ...lines, line].join("\n"));
    } catch (error) {
      if (error instanceof UrlmillError) continue;
      throw error;
    }
    lines.push(line);
    left--;
  }
  return `${[RULES_HEADER, ...lines].join("\n")}\n`;
}

/** The file with exceptions: some of what its rules make of these URLs, which are in normal form. */
export function withExceptions(random: Random, rules: string, urls: readonly string[]): string {
  const parsed = parseRules(rules);
  const made = new Map<Rule, Set<string>>();
  for (const url of urls) {
    const rule = random.pick(parsed);
    if (!/^https?:/.test(url)) continue;
    const parts = splitParts(url);
    if (!applyRule(parts, rule)) continue;
    const except = made.get(rule) ?? new Set();
    try {
      addException(rule, targetOf(parts), except);
      made.set(rule, except);
    } catch (error) {
      // A rule can make what reading changes, and another URL may have made it already.
      if (!(error instanceof UrlmillError)) throw error;
    }
  }
  return writeRules(
    parsed.map((rule) => {
      const except = made.get(rule);
      return except === undefined ? rule : { ...rule, except };
    }),
  );
}

/** URLs of the same words, most in normal form. */
export function urlsForRules(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => {
    const scheme = random.pick(["http", "https", "http", "https", "ftp", "HTTP"]);
    const user = random.chance(12) ? "u:p@" : "";
    const site = random.chance(3) ? siteOf(random) : random.pick(["a.b", "A.b", "c.d"]);
    const path = Array.from(
      { length: random.below(4) },
      () => `/${random.pick(SEGMENTS)}${random.chance(6) ? random.pick(TEXTS) : ""}`,
    ).join("");
    const params = Array.from({ length: random.chance(12) ? 40 : random.below(5) }, () =>
      random.chance(8)
        ? random.pick(["", ...TEXTS])
        : random.chance(5)
          ? nameOf(random)
          : random.chance(8)
            ? `${nameOf(random)}=${random.pick(WRAPPED)}`
            : pair(random),
    );
    const query = params
      .map((param, at) => (at === 0 ? "?" : random.chance(6) ? ";" : "&") + param)
      .join("");
    const fragment = random.chance(6) ? random.pick(["#", "#f", "#!/a?b", "#a&b=1"]) : "";
    return `${scheme}://${user}${site}${path}${query}${fragment}`;
  });
}

/** Returns the sites that a file of rules names; null if it has rules for every site. */
export function sitesOf(rules: string): { has(site: string): boolean } | null {
  const sites = new Set(parseRules(rules).map(({ site }) => site));
  if (sites.has("*")) return null;
  const domains = [...sites].filter((site) => site.startsWith("*."));
  const isOfDomain = (site: string) => domains.some((each) => `.${site}`.endsWith(each.slice(1)));
  return { has: (site) => sites.has(site) || isOfDomain(site) };
}
