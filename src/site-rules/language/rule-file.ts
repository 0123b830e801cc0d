import { withoutMark } from "../../byte-order-mark.ts";
import { UrlmillError } from "../../errors.ts";
import type { Rule } from "../rule.ts";
import { badRule } from "./bad-rule.ts";
import { addException, EXCEPTION, writeExceptions } from "./exception-text.ts";
import { findHostCircle, type PlacedRule } from "./host-circle.ts";
import { ruleFromJson, ruleToJson } from "./rule-json.ts";
import { parseRule, writeRule } from "./rule-line.ts";

/** Gives the first line of a file of rules. The number is the version of the language. */
export const RULES_HEADER = "#urlmill-rules 1";

/**
 * Reads the text of a file of rules: the header, then a rule a line, each as TSV or as a JSON object. The
 * exceptions of a rule follow it, a line each. It skips empty lines, lines that begin with `#`, and a byte
 * order mark at the beginning, so files of one version can be concatenated. Throws `BAD_RULES`, and names the
 * first wrong line and the reason.
 *
 * @example
 * const [rule] = parseRules("#urlmill-rules 1\nexample.org\t*\tdrop sid\n");
 * rule.action; // { type: "drop", params: ["sid"] }
 */
export function parseRules(text: string): Rule[] {
  const lines = withoutMark(text).split(/\r?\n/);
  if (!isHeader(lines[0] as string)) {
    throw at(1, `a file of rules begins with the line "${RULES_HEADER}"`);
  }
  const placed: (PlacedRule & { readonly except: Set<string> })[] = [];
  /** Counts the rules of the files before, if files were concatenated. */
  let before = 0;
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    if (number > 1 && line !== withoutMark(line)) {
      throw at(number, "it begins with a byte order mark, which only a file can; remove the mark");
    }
    if (isHeader(line)) {
      if (line !== RULES_HEADER) {
        throw at(number, `"${line}" is another version than "${RULES_HEADER}"`);
      }
      before = placed.length;
    }
    if (line.startsWith(EXCEPTION)) {
      reasoned(number, () => {
        const last = placed.at(-1);
        if (last === undefined || placed.length === before)
          throw badRule("an exception needs a rule above it");
        addException(last.rule, line.slice(EXCEPTION.length), last.except);
      });
    } else if (line !== "" && !line.startsWith("#")) {
      const rule = reasoned(number, () => parseLine(line));
      placed.push({ rule, line: number, except: new Set(rule.except) });
    }
  }
  const circle = findHostCircle(placed);
  if (circle !== null) throw at(circle.line, circle.reason);
  return placed.map(({ rule, except }) => (except.size === 0 ? rule : { ...rule, except }));
}

function isHeader(line: string): boolean {
  return /^#urlmill-rules(\s|$)/.test(line);
}

/** Reads a line. A rule as TSV has a TAB, so a host that begins with `{` is not taken for JSON. */
function parseLine(line: string): Rule {
  const isJson = line.startsWith("{") && !line.includes("\t");
  return isJson ? ruleFromJson(JSON.parse(line)) : parseRule(line);
}

/** Returns what `read` returns. Throws its errors with the number of the line. */
function reasoned<T>(number: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError) throw at(number, `not JSON: ${error.message}`);
    if (error instanceof UrlmillError) throw at(number, error.message);
    throw error;
  }
}

/**
 * Writes a file of rules, in their order, that `parseRules` reads: one rule on each line, as TSV or JSON. As
 * TSV, the exceptions of a rule follow it, one on each line.
 *
 * @example
 * writeRules([parseRule("example.org\t*\tdrop sid")]); // "#urlmill-rules 1\nexample.org\t*\tdrop sid\n"
 */
export function writeRules(rules: readonly Rule[], format: "tsv" | "json" = "tsv"): string {
  const write = (rule: Rule) =>
    format === "tsv" ? writeRule(rule) + writeExceptions(rule) : JSON.stringify(ruleToJson(rule));
  return `${[RULES_HEADER, ...rules.map(write)].join("\n")}\n`;
}

function at(line: number, reason: string): UrlmillError {
  return new UrlmillError("BAD_RULES", `line ${line} of the rules: ${reason}`);
}
