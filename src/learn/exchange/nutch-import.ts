import { UrlmillError } from "../../errors.ts";
import type { SiteOptions } from "../../options/options.ts";
import { parseRule, type Rule } from "../../site-rules/index.ts";
import { badRule } from "../../site-rules/language/bad-rule.ts";
import { readFinite } from "./nutch-finite.ts";
import { type NutchRegex, readNutchXml } from "./nutch-xml.ts";
import type { PatternReading } from "./pattern-reading.ts";
import { dropNames, dropPathParameter, nameSpellings, sessionNames } from "./session-rules.ts";

/** Describes a part of a regex-normalize.xml that rules and options do not say. */
export interface IgnoredRegex {
  /** Gives the number of the line, from 1 on. */
  readonly line: number;
  /** Holds the pattern of the part; "" if it has none. */
  readonly pattern: string;
  /** Says, for people, why the part was ignored. */
  readonly reason: string;
}

/** Rules and default pages that are read from one file. */
const MOST_RULES = 100_000;
/** Names of parameters that a pattern of session ids may be made of. */
const MOST_NAMES = 1000;

/**
 * Reads Nutch's regex-normalize.xml as rules for every site and as options: session ids, default
 * pages, fragments, doubled slashes, and patterns that match a countable number of texts. What
 * rules cannot say is in `ignored`, even if it is only a part of a pattern. Throws `BAD_RULES` for
 * text that is not such a file.
 *
 * No pattern is said by rules that merge more, but for these known deviations. Rules run until
 * nothing changes, and Nutch runs each pattern once. Dropping a session parameter by name also
 * drops it without `=`, with a `?` in its value, and between `;`. It also removes the `&` beside
 * it, which Nutch leaves to its later patterns. The option `directoryIndex` compares file names
 * without ASCII case.
 *
 * @example
 * const xml = `<regex-normalize><regex><pattern>#.*</pattern><substitution/></regex></regex-normalize>`;
 * importNutchRules(xml).options; // { fragment: "remove" }
 */
export function importNutchRules(xml: string): {
  rules: Rule[];
  options: SiteOptions;
  ignored: IgnoredRegex[];
} {
  const { regexes, others } = readNutchXml(xml);
  const ignored: IgnoredRegex[] = others.map((line) => ({
    line,
    pattern: "",
    reason: "it is not a <regex>",
  }));
  const rules: Rule[] = [];
  const pages = new Set<string>();
  let options: SiteOptions = {};
  let isFragmentGone = false;
  for (const { line, regex } of regexes) {
    if (regex === null) {
      ignored.push({ line, pattern: "", reason: "it lacks a pattern or a substitution" });
      continue;
    }
    if (rules.length + pages.size >= MOST_RULES) {
      const reason = `${MOST_RULES} rules are read from one file, and those before it are as many`;
      ignored.push({ line, pattern: regex.pattern, reason });
      continue;
    }
    const reading = readPattern(regex, isFragmentGone);
    for (const rule of reading.rules) rules.push(rule);
    const { directoryIndex, ...otherOptions } = reading.options ?? {};
    if (Array.isArray(directoryIndex)) for (const page of directoryIndex) pages.add(page);
    options = { ...options, ...otherOptions };
    for (const reason of reading.left) ignored.push({ line, pattern: regex.pattern, reason });
    isFragmentGone ||= /^#\.\*\??(\(\\\?\|&\|\$\)|\$)$|^#\.\*$/.test(regex.pattern);
  }
  if (pages.size > 0) options = { ...options, directoryIndex: [...pages] };
  return { rules, options, ignored: ignored.toSorted((a, b) => a.line - b.line) };
}

function readPattern(regex: NutchRegex, isFragmentGone: boolean): PatternReading {
  try {
    return (
      readSession(regex) ??
      readFragment(regex) ??
      readSlashes(regex) ??
      readFinite(regex, isFragmentGone) ??
      left(whyNot(regex))
    );
  } catch (error) {
    if (error instanceof UrlmillError) return left(error.message);
    throw error;
  }
}

function left(reason: string): PatternReading {
  return { rules: [], left: [reason] };
}

function whyNot({ pattern }: NutchRegex): string {
  if (pattern.startsWith("^")) return "it reads scheme or host, which these rules leave alone";
  if (/[*+]|\{\d*,/.test(pattern)) return "it repeats what rules cannot repeat";
  return "rules have nothing that says exactly this";
}

/** `(;?\b_?(l|j)?(sid|sessionid)=.*?)(\?|&|#|$)`, replaced by its last group. */
const SESSION =
  /^(\(\?i\))?\((;\?|\[;_\]\?)?(?:\\b)?(_\?)?(?:\((\(\?i\))?([\w|]+)\)\?)?\((\(\?i\))?([\w.|-]+)\)=\.\*\?\)\(\\\?\|\\?&\|#\|\$\)$/;

function readSession({ pattern, substitution }: NutchRegex): PatternReading | null {
  const found = SESSION.exec(pattern);
  if (found === null) return null;
  const [, folded, start = "", underscore = "", inner, prefixes, innermost, roots = ""] = found;
  const isFolded = folded !== undefined || innermost !== undefined;
  if (substitution !== `$${prefixes === undefined ? 3 : 4}`) return null;
  const isUnderscored = underscore !== "" || start.includes("_");
  const starts = ["", ...(prefixes?.split("|") ?? [])];
  const ends = roots.split("|");
  if (starts.length * ends.length > MOST_NAMES) {
    throw badRule(`it has more than ${MOST_NAMES} names of parameters, the most that are listed`);
  }
  const names = sessionNames(starts, ends, isUnderscored);
  const reasons = [
    "a session in a path: of ;name=value, only jsessionid with a plain value is removed",
  ];
  if (isFolded || inner !== undefined) reasons.push("names in other case than the usual ones");
  if (!pattern.includes("\\b")) reasons.push("names that merely end in these");
  const isPath = start.includes(";") && names.includes("jsessionid");
  const spell = isFolded ? nameSpellings : (name: string) => [name];
  return {
    rules: [dropNames(names, spell), ...(isPath ? dropPathParameter("jsessionid", spell) : [])],
    left: reasons,
  };
}

function readFragment({ pattern, substitution }: NutchRegex): PatternReading | null {
  if (!pattern.startsWith("#")) return null;
  if (substitution === "" && /^#(\.\*|\.\*\??\$|\[\^#\]\*\$?)$/.test(pattern)) {
    return { rules: [], options: { fragment: "remove" }, left: [] };
  }
  if (!/^#\.\*\?\(/.test(pattern)) return null;
  return left(
    'it keeps what stands after a ? or & of the fragment, which the option fragment "remove" would merge',
  );
}

/** Patterns that make one slash of several, but not after a colon. */
const SLASHES = /^(\(\?<!:\)|\(\[\^:\/?\]\))\/(\{2,\}|\/\+)$/;

/**
 * These are rules, as the option duplicateSlashes looks at the path alone. A run of slashes begins the path
 * or stands after a delimiter other than `:`, or after what follows a delimiter.
 */
function readSlashes({ pattern, substitution }: NutchRegex): PatternReading | null {
  const before = SLASHES.exec(pattern)?.[1];
  if (before === undefined) return null;
  if (substitution !== (before.startsWith("(?") ? "/" : "$1/")) return null;
  const rules = [
    "path //... => /<1>",
    ..."?&=;".split("").map((delimiter) => `sub ${delimiter}// => ${delimiter}/`),
    ..."/?&=;:".split("").map((delimiter) => `sub ${delimiter}<T>// => ${delimiter}<1>/`),
  ];
  return { rules: rules.map((action) => parseRule(`*\t*\t${action}`)), left: [] };
}
