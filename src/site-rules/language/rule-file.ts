import { checkText } from "../../base/errors.ts";
import { badRule, dataLines, wrongLine } from "../data-lines.ts";
import type { Rule, Unless } from "../rule.ts";
import {
  addException,
  addUnless,
  EXCEPTION,
  UNLESS,
  writeExceptions,
  writeUnless,
} from "./exception-text.ts";
import { findHostCircle, type PlacedRule } from "./host-circle.ts";
import { ruleFromJson, ruleToJson } from "./rule-json.ts";
import { parseRule, writeRule } from "./rule-line.ts";
import { parseSkipLine, type Skip, writeSkipLine } from "./skip-line.ts";
import { parseTrustLine, type Trust, writeTrustLine } from "./trust-line.ts";

/** Gives the first line of a file of rules. The number is the version of the language. */
export const RULES_HEADER = "#urlmill-rules 1";

/** How messages name the file. */
const NAME = "rules";

/**
 * Reads the text of a file of rules: the header, then a rule a line, each as TSV or as a JSON object. The
 * exceptions of a rule, and the URLs that it leaves alone, follow it, one per line. It skips empty lines, lines that
 * begin with `#`, and a byte order mark at the beginning, so files of one version can be concatenated. It checks lines
 * for a crawl, which `parseCrawlLines` reads, and leaves them out. Throws `BAD_RULES`, and names the first wrong line and the
 * reason.
 *
 * @example
 * const [rule] = parseRules("#urlmill-rules 1\nexample.org\t*\tdrop sid\n");
 * rule.action; // { type: "drop", params: ["sid"] }
 */
export function parseRules(text: string): Rule[] {
  checkText(text, "text");
  const placed: Draft[] = [];
  let last: Draft | undefined;
  const read = (line: string, file: number) => {
    if (parseCrawlLine(line) !== null) {
      last = undefined;
      return null;
    }
    const isException = line.startsWith(EXCEPTION);
    if (!isException && !line.startsWith(UNLESS)) return { rule: parseLine(line), file };
    if (last?.file !== file) throw badRule("an exception needs a rule above it");
    if (isException) addException(last.rule, line.slice(EXCEPTION.length), last.except);
    else addUnless(line.slice(UNLESS.length), last.unless);
    return null;
  };
  for (const { number, value } of dataLines(text, RULES_HEADER, NAME, read)) {
    if (value === null) continue;
    const { except, unless = [] } = value.rule;
    last = { ...value, line: number, except: new Set(except), unless: [...unless] };
    placed.push(last);
  }
  const circle = findHostCircle(placed);
  if (circle !== null) throw wrongLine(NAME, circle.line, circle.reason);
  return placed.map(({ rule, except, unless }) => ({
    ...rule,
    ...(except.size === 0 ? {} : { except }),
    ...(unless.length === 0 ? {} : { unless }),
  }));
}

/** Holds a rule to which the lines after it add, and the number of the file that it is in. */
interface Draft extends PlacedRule {
  readonly except: Set<string>;
  readonly unless: Unless[];
  readonly file: number;
}

/** Is a line that changes no URL and tells a crawl what to believe, or what it need not fetch. */
export type CrawlLine = Trust | Skip;

function parseCrawlLine(line: string): CrawlLine | null {
  return parseTrustLine(line) ?? parseSkipLine(line);
}

/** Writes a line that changes no URL as `parseCrawlLines` reads it. */
export function writeCrawlLine(line: CrawlLine): string {
  return "why" in line ? writeSkipLine(line) : writeTrustLine(line);
}

/**
 * Reads the lines of a file of rules that change no URL: those of trust, and of URLs that a crawl need not fetch. Checks the
 * whole file. Throws what `parseRules` throws.
 *
 * @example
 * const [line] = parseCrawlLines("#urlmill-rules 1\na.org\t/print/...\tnoindex\n");
 * line.site; // "a.org"
 */
export function parseCrawlLines(text: string): CrawlLine[] {
  parseRules(text);
  const lines = [...dataLines(text, RULES_HEADER, NAME, parseCrawlLine)];
  return lines.flatMap(({ value }) => value ?? []);
}

/**
 * Reads the lines of trust of a file of rules, and checks the whole file. Throws what `parseRules` throws.
 *
 * @example
 * parseTrust("#urlmill-rules 1\na.org\t*\ttrust canonical\n")[0].statement; // "canonical"
 */
export function parseTrust(text: string): Trust[] {
  return parseCrawlLines(text).filter((line) => "statement" in line);
}

/** Reads a line. A rule as TSV has a TAB, so a host that begins with `{` is not taken for JSON. */
function parseLine(line: string): Rule {
  if (!line.startsWith("{") || line.includes("\t")) return parseRule(line);
  try {
    return ruleFromJson(JSON.parse(line));
  } catch (error) {
    if (error instanceof SyntaxError) throw badRule(`not JSON: ${error.message}`);
    throw error;
  }
}

/**
 * Writes a file of rules, in their order, that `parseRules` reads: one rule on each line, as TSV or JSON. As
 * TSV, the exceptions of a rule follow it, one on each line. Lines for a crawl come last, always as TSV.
 *
 * @example
 * writeRules([parseRule("example.org\t*\tdrop sid")]); // "#urlmill-rules 1\nexample.org\t*\tdrop sid\n"
 */
export function writeRules(
  rules: readonly Rule[],
  format: "tsv" | "json" = "tsv",
  lines: readonly CrawlLine[] = [],
): string {
  const write = (rule: Rule) =>
    format === "tsv"
      ? writeRule(rule) + writeUnless(rule) + writeExceptions(rule)
      : JSON.stringify(ruleToJson(rule));
  return `${[RULES_HEADER, ...rules.map(write), ...lines.map(writeCrawlLine)].join("\n")}\n`;
}
