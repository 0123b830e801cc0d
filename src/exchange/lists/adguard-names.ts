import { ANY_BYTES } from "../../site-rules/rule.ts";
import { expandRegex, splitAlternatives } from "./expand-regex.ts";

/** Names in lower case, as their parts between any bytes. */
export type Names = readonly (readonly string[])[];

/** What an expression says: names, and a class of their values or null for any. */
export interface Expression {
  readonly names: readonly string[];
  readonly own: string | null;
  /** Whether it is looked for at any place in a name. */
  readonly isOpen?: boolean;
}

/**
 * Reads an expression that is looked for in `name=value`. One that does not say where it begins is read at the beginning: fewer
 * names.
 */
export function readRegex(value: string): Expression | null {
  const { choices, flags } = alternativesOf(value) ?? { choices: null, flags: "" };
  if (choices === null) return null;
  const isOpen = choices.some((each) => !each.startsWith("^"));
  const body = choices.map((each) => each.replace(/^\^/, "")).join("|");
  const equals = body.indexOf("=");
  const names = expandRegex(equals < 0 ? body : body.slice(0, equals));
  if (names === null || names.some((name) => name === "" || name.includes("<"))) return null;
  if (equals < 0) return { names: names.map((name) => name + ANY_BYTES), own: null, isOpen };
  const own = classOf(body.slice(equals + 1), flags);
  return own === null ? null : { names, own, isOpen };
}

/** Splits an expression at each `|` that is not in a group, and leaves out what follows any name; null if it cannot be read. */
function alternativesOf(value: string): { choices: string[]; flags: string } | null {
  const end = value.lastIndexOf("/");
  const flags = value.slice(end + 1);
  const isWhole = end > 0 && /^[a-z]*$/.test(flags);
  const choices = splitAlternatives(isWhole ? value.slice(1, end) : "");
  return choices && { choices: choices.map((each) => each.replace(/(?<!=)\.\*\$?$/, "")), flags };
}

/** Returns the class of values that an expression matches, up to their end, or null if no class has just these. */
function classOf(regex: string, flags: string): string | null {
  if (regex === "" || regex === ".*" || regex === ".*$") return "<*>";
  const [, run = "", count = ""] = /^(\\d|\[[^\]]+\])(\+|\{[1-9]\d{0,3}\})\$$/.exec(regex) ?? [];
  const length = count.replace(/[{}+]/g, "");
  if (run === "\\d" || run === "[0-9]") return `<N${length}>`;
  const isHex =
    /^\[(?:(?:\\d|0-9)a-fA-F|a-fA-F(?:\\d|0-9))\]$/.test(run) ||
    (flags.includes("i") && /^\[(?:(?:\\d|0-9)a-f|a-f(?:\\d|0-9))\]$/.test(run));
  return isHex && length !== "" ? `<H${length}>` : null;
}

/** Returns whether two lists of names may have one in common; null is all names. */
export function mayShare(some: Names | null, others: Names | null): boolean {
  if (some === null || others === null) return true;
  return some.some((each) => others.some((other) => overlap(each, other)));
}

/** Returns whether there may be a name that has the parts of both. */
function overlap(parts: readonly string[], others: readonly string[]): boolean {
  const [start, end] = [parts[0] as string, parts.at(-1) as string];
  const [otherStart, otherEnd] = [others[0] as string, others.at(-1) as string];
  if (others.length === 1) return fits(parts, otherStart);
  if (parts.length === 1) return fits(others, start);
  const isStart = start.startsWith(otherStart) || otherStart.startsWith(start);
  return isStart && (end.endsWith(otherEnd) || otherEnd.endsWith(end));
}

/** Returns the names that an exception is about; null if they may be all. */
export function namesOf(value: string): Names | null {
  if (value === "" || value.startsWith("~")) return null;
  if (!value.startsWith("/")) return [[value.toLowerCase()]];
  const names: string[][] = [];
  for (const each of alternativesOf(value)?.choices ?? [""]) {
    const [name = "", ...own] = each.split("=");
    const found = each.startsWith("^") ? expandRegex(name.slice(1)) : null;
    if (found === null) return null;
    for (const text of found) names.push(partsOf(own.length > 0 ? text : text + ANY_BYTES));
  }
  return names;
}

/** Returns the parts of a name between any bytes, in lower case: expressions may ask for any case. */
export function partsOf(name: string): string[] {
  return name.toLowerCase().split(ANY_BYTES);
}

/** Returns whether a name has these parts, and between them any bytes. */
function fits([start = "", ...rest]: readonly string[], name: string): boolean {
  const end = rest.pop();
  if (end === undefined) return name === start;
  if (!name.startsWith(start)) return false;
  let at = start.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return name.length - at >= end.length && name.endsWith(end);
}
