import { ANY_BYTES, type Element, type Pattern } from "../../site-rules/rule.ts";
import { writeUrlkey } from "../../url/urlkey/urlkey.ts";
import { literalName } from "./list-draft.ts";

/** Removes the `?` or `&` that is left at the end of a key. */
export const LONE_MARK = "[?&]$";

/** Holds an expression of pywb that removes one parameter of keys, and what it writes for a match. */
export interface Substitution {
  readonly match: string;
  readonly replace: string;
}

/** Says which parameter of which keys is removed. */
export interface KeyFilter {
  /** Holds what keys begin with, up to a part of the path; null is all keys. */
  readonly key: string | null;
  /** Whether the hosts below are meant, too. */
  readonly isDomain: boolean;
  /** Whether the key ends the path. */
  readonly isExact: boolean;
  /** Holds the name, perhaps with `<*>` at one end. */
  readonly name: string;
  /** Holds the class of values in the language of rules; null is any value, also none. */
  readonly value: string | null;
}

const BELOW = "(?:,[^):]*)?";
const ANY_VALUE = "(?:=[^&]*)?";
const END = "(?:&|$)";
/** Begins an expression for a parameter of any key. */
const ALL_KEYS = "(?<=[?&])";
/** Matches from the end of a path to a parameter, and ends the group that is kept. */
const QUERY = "\\?(?:.*&)?)";
const IN_NAME = "[^&=]*";
/** Classes of bytes, with what they match. Hexadecimal digits have an own number of digits. */
const CLASSES: readonly (readonly [Element["kind"], string, string])[] = [
  ["digits", "<N", "[0-9]"],
  ["hex", "<H", "[0-9a-f]"],
  ["word", "<T", "[^/?&=;:]"],
];
const IN_VALUE = "[^&]*";
const SHORTEST_HEX = "{16,}";

/**
 * Writes an expression of Python that removes one parameter from keys, with what it writes for a match. `nameParts`: the texts
 * of its name, with any bytes between.
 */
export function writeKeyFilter({
  key,
  isDomain,
  isExact,
  nameParts,
  value,
}: Omit<KeyFilter, "name" | "value"> & {
  nameParts: readonly string[];
  value: string | Pattern | null;
}): Substitution {
  const param =
    nameParts.map(quote).join(IN_NAME) +
    (value === null ? ANY_VALUE : `=${valueRegex(value)}`) +
    END;
  if (key === null) return { match: `${ALL_KEYS}${param}`, replace: "" };
  const start = isDomain ? quote(key).replace("\\)", `${BELOW}\\)`) : quote(key);
  return { match: `^(${start}${isExact ? "" : "[^?]*"}${QUERY}${param}`, replace: "\\1" };
}

/** Reads what `writeKeyFilter` writes; null for another expression. */
export function readKeyFilter({ match, replace }: Substitution): KeyFilter | null {
  const isAll = match.startsWith(ALL_KEYS);
  const begin = isAll ? 0 : match.indexOf(QUERY);
  const head = isAll ? ALL_KEYS : match.slice(0, begin + QUERY.length);
  if (!isAll && (begin < 0 || !match.startsWith("^("))) return null;
  if (!match.slice(head.length).endsWith(END) || replace !== (isAll ? "" : "\\1")) return null;
  const param = match.slice(head.length, -END.length);
  const start = isAll ? "" : head.slice(2, -QUERY.length);
  const isExact = !isAll && !start.endsWith("[^?]*");
  const isDomain = start.includes(BELOW);
  const key = isAll ? null : unquote(start.replace(/\[\^\?\]\*$/, "").replace(BELOW, ""));
  const isAny = param.endsWith(ANY_VALUE);
  const [, ofName = "", ofValue = ""] = isAny
    ? ["", param.slice(0, -ANY_VALUE.length)]
    : (/^((?:\\.|\[\^&=\]\*|[^\\=[])*)=(.*)$/.exec(param) ?? []);
  const names = ofName.split(IN_NAME).map(nameOf);
  const value = isAny ? null : readValue(ofValue);
  if (ofName === "" || names.includes(null) || (!isAll && key === null)) return null;
  return !isAny && value === null
    ? null
    : { key, isDomain, isExact, name: names.join(ANY_BYTES), value };
}

/** Writes an expression that fits keys which have these parameters, and do not begin with one of `except`. */
export function writeLookupRegex(names: readonly string[], except: readonly string[]): string {
  const params = names.toSorted().map((name) => `.*[?&](${quote(name)}=[^&]+)`);
  return `^(?!${except.map(quote).join("|")})${names.length === 0 ? "()" : params.join("")}`;
}

/** Reads what `writeLookupRegex` writes; null for another expression. */
export function readLookupRegex(regex: string): { names: string[]; except: string[] } | null {
  const [, keys = "", rest = ""] = /^\^\(\?!((?:\\.|[^\\()])+)\)(.+)$/.exec(regex) ?? [];
  const params = rest === "()" ? [] : rest.split(/(?=\.\*\[\?&\]\()/);
  const names = params.map((param) => {
    const [, name] = /^\.\*\[\?&\]\(((?:\\.|[^\\()=])+)=\[\^&\]\+\)$/.exec(param) ?? [];
    return name === undefined ? null : nameOf(name);
  });
  const except = keys.split("|").map(unquote);
  const isWhole = keys !== "" && !names.includes(null) && !except.includes(null);
  return isWhole ? { names: names as string[], except: except as string[] } : null;
}

/**
 * Returns a text of a normalized URL as keys have it: in lower case, triplets decoded. Null if a key has it in no such form, or
 * if it holds one of `delimiters`.
 */
export function keyText(text: string, delimiters: string): string | null {
  const decoded = text.replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const isPlain = /^[!-~]*$/.test(decoded) && !/[#%]/.test(decoded);
  const hasDelimiter = [...decoded].some((each) => delimiters.includes(each));
  return isPlain && !hasDelimiter ? decoded.toLowerCase() : null;
}

/** Returns what the keys of a host begin with, such as `com,example)/`; null if it is not a name. */
export function keyOfHost(host: string): string | null {
  const key = writeUrlkey(`http://${host}/`);
  const isName = typeof key === "string" && /^[a-z0-9_-]+(?:,[a-z0-9_-]+)+(?::\d+)?\)\/$/.test(key);
  return isName && /[a-z].*,/.test(key) ? key : null;
}

function valueRegex(value: string | Pattern): string {
  if (typeof value === "string") return quote(value);
  return value
    .map((element) => {
      if (element.kind === "text") return quote(element.text);
      if (element.kind === "rest") return IN_VALUE + quote(element.suffix);
      const [, , bytes = ""] = CLASSES.find(([kind]) => kind === element.kind) ?? [];
      const length = "length" in element ? element.length : undefined;
      if (length !== undefined) return `${bytes}{${length}}`;
      return bytes + (element.kind === "hex" ? SHORTEST_HEX : "+");
    })
    .join("");
}

/** Reads a value as the language of rules has it; null for another expression. */
function readValue(regex: string): string | null {
  let value = "";
  for (let rest = regex; rest !== ""; ) {
    if (rest.startsWith(IN_VALUE)) {
      value += ANY_BYTES;
      rest = rest.slice(IN_VALUE.length);
      continue;
    }
    const found = CLASSES.find(([, , bytes]) => rest.startsWith(bytes));
    const [whole = ""] =
      found === undefined
        ? (/^(?:\\[^A-Za-z0-9]|[A-Za-z0-9_/,:=;~@!-])/.exec(rest) ?? [])
        : (/^(?:\+|\{\d+,?\})/.exec(rest.slice(found[2].length)) ?? []);
    if (whole === "") return null;
    const [, mark = "", bytes = ""] = found ?? [];
    const length = whole.replace(/[+{}]/g, "");
    if (found === undefined) value += whole.replace(/^\\/, "");
    else if (whole === (mark === "<H" ? SHORTEST_HEX : "+")) value += `${mark}>`;
    else if (/^[1-9]\d*$/.test(length)) value += `${mark}${length}>`;
    else return null;
    rest = rest.slice(bytes.length + whole.length);
  }
  return value;
}

/** Quotes what means something in an expression of Python. */
function quote(text: string): string {
  return text.replace(/[^A-Za-z0-9_/,:=;~@!-]/g, "\\$&");
}

/** Returns the name, or the part of one, that is quoted; null if it means more than itself. */
function nameOf(text: string): string | null {
  const name = unquote(text);
  return name && literalName(name);
}

/** Returns the text of a quoted one; null if it means more than itself. */
function unquote(text: string): string | null {
  if (!/^(?:\\[^A-Za-z0-9]|[A-Za-z0-9_/,:=;~@!-])*$/.test(text)) return null;
  return text.replace(/\\(.)/g, "$1");
}
