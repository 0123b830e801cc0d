import { badRule } from "../data-lines.ts";
import type { Condition, ParamTest } from "../rule.ts";
import { ANY_BYTES, hasAnyBytes } from "../rule.ts";
import { escapeText, QUERY_BYTES, splitEscaped, unescapeText } from "./normal-text.ts";
import { parsePattern, writePattern } from "./pattern.ts";

const NAME_MARKS = "!,=";
/** The name of a parameter without a name, as in `?=x` and `?&&`. */
const NO_NAME = '""';

/** Reads the condition `PATH ?TEST&TEST`. Either part may be missing; `*` alone is any URL of the site. */
export function parseCondition(text: string): Condition {
  if (text === "*" || text === "") return { path: null, params: [] };
  const [first = "", second, ...rest] = text.split(" ");
  if (rest.length > 0) throw badRule(`the condition "${text}" has more than a path and parameters`);
  const isPath = !first.startsWith("?");
  if (!isPath && second !== undefined) throw badRule(`in "${text}" the path must come first`);
  const query = isPath ? second : first;
  return {
    path: isPath && first !== "*" ? parsePattern(first, "path") : null,
    params: query === undefined ? [] : parseTests(query),
  };
}

function parseTests(text: string): ParamTest[] {
  if (!text.startsWith("?") || text === "?") throw badRule(`"${text}" tests no parameter`);
  return text
    .slice(1)
    .split("&")
    .map((test) => {
      const [name = "", ...values] = splitEscaped(test, "=");
      if (values.length > 0) {
        if (name.startsWith("!"))
          throw badRule(`"${test}": an absent parameter cannot have a value`);
        return { name: paramName(name), is: "equal", value: paramText(values.join("=")) };
      }
      if (name.startsWith("!")) return { name: paramName(name.slice(1)), is: "absent", value: "" };
      return { name: paramName(name), is: "present", value: "" };
    });
}

/** Writes a condition as `parseCondition` reads it. */
export function writeCondition({ path, params }: Condition): string {
  const written = path === null ? "*" : writePattern(path);
  if (params.length === 0) return written;
  return `${written} ?${params.map(writeTest).join("&")}`;
}

function writeTest({ name, is, value }: ParamTest): string {
  if (is === "equal") return `${writeName(name)}=${escapeText(value, "")}`;
  return is === "absent" ? `!${writeName(name)}` : writeName(name);
}

export function writeName(name: string): string {
  return name === "" ? NO_NAME : escapeText(name, NAME_MARKS);
}

/** Reads a name. Throws `BAD_RULES` for a name that no parameter can have. */
export function paramName(text: string): string {
  if (text === NO_NAME) return "";
  if (text === "")
    throw badRule(`a name is missing: write the name of a parameter without a name as ${NO_NAME}`);
  const name = paramText(text);
  if (name.includes("=")) throw badRule(`no parameter is named "${name}"`);
  return name;
}

/**
 * Reads a name that may have `<*>` at its beginning or its end. Throws `BAD_RULES` for another place, and for `<*>` alone,
 * which is every parameter.
 */
export function paramNames(text: string): string {
  if (!hasAnyBytes(text)) return paramName(text);
  const atEnd = text.endsWith(ANY_BYTES);
  const plain = atEnd ? text.slice(0, -ANY_BYTES.length) : text.slice(ANY_BYTES.length);
  const isOne = (atEnd || text.startsWith(ANY_BYTES)) && !hasAnyBytes(plain) && plain !== "";
  if (!isOne) throw badRule(`in "${text}" there must be text, and ${ANY_BYTES} once, at one end`);
  return atEnd ? paramName(plain) + ANY_BYTES : ANY_BYTES + paramName(plain);
}

/** Reads a name or a value. Throws `BAD_RULES` if it holds a delimiter of parameters. */
export function paramText(text: string): string {
  const plain = unescapeText(text, QUERY_BYTES);
  const end = /[&;#]/.exec(plain);
  if (end !== null) throw badRule(`"${plain}" is not part of a parameter: ${end[0]} ends it`);
  return plain;
}
