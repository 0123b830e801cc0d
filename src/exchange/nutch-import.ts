import { checkText, UrlmillError } from "../base/errors.ts";
import { badRule } from "../site-rules/data-lines.ts";
import type { Rule } from "../site-rules/rule.ts";
import { type NutchRegex, readNutchXml } from "./nutch-xml.ts";
import { dropNames, dropPathParameter, nameSpellings, sessionNames } from "./session-rules.ts";

/** Describes a part of a regex-normalize.xml that rules do not say, or not in full. */
export interface IgnoredRegex {
  /** Gives the number of the line, from 1 on. */
  readonly line: number;
  /** Holds the pattern of the part; "" if it has none. */
  readonly pattern: string;
  /** Says, for people, why the part was ignored. */
  readonly reason: string;
}

/** Holds the rules that one pattern becomes, and says what they leave out. */
interface PatternReading {
  readonly rules: readonly Rule[];
  readonly left: readonly string[];
}

/** Limits the names of parameters that a pattern of session ids may stand for. */
const MAX_NAMES = 1000;

/**
 * Reads two plain forms of Nutch's regex-normalize.xml as rules for every site: session ids
 * (`(;?\b_?(l|j)?(sid|sessionid)=.*?)(\?|&|#|$)` replaced by its last group) and one parameter (`[?&]name=[^&]*`
 * replaced by nothing, or `([?&])name=[^&]*` replaced by nothing or `$1`). All other patterns are in `ignored`, and so
 * is what rules leave of these two. Throws `BAD_RULES` for text that is not such a file.
 *
 * Rules merge no more than their pattern, except for these known deviations. Dropping a parameter by name also drops it
 * without `=`, with a `?` in its value, and between `;`. It also removes the `?` or `&` beside it, which Nutch leaves
 * to its later patterns.
 *
 * @example
 * const xml = `<regex-normalize><regex><pattern>[?&amp;]ref=[^&amp;]*</pattern><substitution/></regex></regex-normalize>`;
 * importNutchRules(xml).rules[0].action; // { type: "drop", params: ["ref"] }
 */
export function importNutchRules(xml: string): { rules: Rule[]; ignored: IgnoredRegex[] } {
  checkText(xml, "xml");
  const { regexes, others } = readNutchXml(xml);
  const ignored: IgnoredRegex[] = others.map((line) => ({
    line,
    pattern: "",
    reason: "it is not a <regex>",
  }));
  const rules: Rule[] = [];
  for (const { line, regex } of regexes) {
    if (regex === null) {
      ignored.push({ line, pattern: "", reason: "it lacks a pattern or a substitution" });
      continue;
    }
    const reading = readPattern(regex);
    for (const rule of reading.rules) rules.push(rule);
    for (const reason of reading.left) ignored.push({ line, pattern: regex.pattern, reason });
  }
  return { rules, ignored: ignored.toSorted((a, b) => a.line - b.line) };
}

function readPattern(regex: NutchRegex): PatternReading {
  try {
    return (
      readSession(regex) ??
      readParameter(regex) ??
      left("not read: only session ids and single parameters are read from such a file")
    );
  } catch (error) {
    if (error instanceof UrlmillError) return left(error.message);
    throw error;
  }
}

function left(reason: string): PatternReading {
  return { rules: [], left: [reason] };
}

/** Matches the pattern `[?&]name=[^&]*`, whose delimiter may be in a group. */
const PARAMETER = /^(?:\[\\?\?&\]|\((?:\[\\?\?&\]|\\\?\|\\?&)\))([\w-]+)=\[\^&#?\][*+]$/;

function readParameter({ pattern, substitution }: NutchRegex): PatternReading | null {
  const name = PARAMETER.exec(pattern)?.[1];
  if (name === undefined) return null;
  const isKept = substitution === "$1" && pattern.startsWith("(");
  return substitution === "" || isKept
    ? { rules: [dropNames([name], (own) => [own])], left: [] }
    : null;
}

/** Matches the pattern `(;?\b_?(l|j)?(sid|sessionid)=.*?)(\?|&|#|$)`, which its last group replaces. */
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
  if (starts.length * ends.length > MAX_NAMES) {
    throw badRule(`it has more than ${MAX_NAMES} names of parameters, the most that are listed`);
  }
  const names = sessionNames(starts, ends, isUnderscored);
  const reasons = ["a session in a path: only ;jsessionid with a plain value is removed"];
  if (isFolded || inner !== undefined) reasons.push("names in other case than the usual ones");
  if (!pattern.includes("\\b")) reasons.push("names that merely end in these");
  const isPath = start.includes(";") && names.includes("jsessionid");
  const spell = isFolded ? nameSpellings : (name: string) => [name];
  return {
    rules: [dropNames(names, spell), ...(isPath ? dropPathParameter("jsessionid", spell) : [])],
    left: reasons,
  };
}
