import { type Action, hasAnyBytes, type Pattern, type Rule } from "../site-rules/rule.ts";
import { ALL_NAMES, BIT, bytesAt, FACT, nameBit, valueBit } from "./rule-layout.ts";

/** Returns the masks of `PAIR` for a rule: a URL without them need not be looked at. */
export function masksOf(rule: Rule): bigint[] {
  const head = longestHead(pathsOf(rule));
  const mask = bytesAt("\xff".repeat(head.length), 0);
  return [
    bitsNeeded(rule),
    bitsOfWhichOne(rule.action),
    bytesAt(head, 0),
    mask,
    valuesNeeded(rule),
  ];
}

/** Returns the patterns that the whole path must match. */
export function pathsOf({ condition, action }: Rule): Pattern[] {
  return [condition.path, action.type === "path" ? action.from : null].filter(
    (pattern) => pattern !== null,
  );
}

function bitsNeeded({ condition, action }: Rule): bigint {
  let bits = 0n;
  for (const { name, is } of condition.params) if (is !== "absent") bits |= nameBit(name);
  if (action.type === "set") bits |= nameBit(action.param);
  if (action.type === "dropif")
    bits |= hasAnyBytes(action.param) ? BIT.QUERY : nameBit(action.param);
  if (action.type === "keep" || action.type === "unwrap") bits |= BIT.QUERY;
  if (action.type === "sort") bits |= BIT.UNSORTED;
  if (action.type === "lower") bits |= BIT.UPPER;
  if (action.type === "scheme") bits |= BIT.HTTP;
  return bits;
}

function valuesNeeded({ condition, action }: Rule): bigint {
  const equal = condition.params.filter(({ is }) => is === "equal");
  const bits = equal.reduce((sum, { name, value }) => sum | valueBit(name, value), 0n);
  if (action.type !== "dropif" || typeof action.value !== "string") return bits;
  return hasAnyBytes(action.param) ? bits : bits | valueBit(action.param, action.value);
}

function bitsOfWhichOne(action: Action): bigint {
  if (action.type !== "drop" && action.type !== "unwrap") return BIT.ALWAYS;
  return bitsOf(action.params);
}

export function bitsOf(names: readonly string[]): bigint {
  return names.reduce((bits, name) => bits | (hasAnyBytes(name) ? ALL_NAMES : nameBit(name)), 0n);
}

/** Returns the longest text, of up to eight bytes, that begins every path that all patterns match. */
function longestHead(patterns: readonly Pattern[]): string {
  return patterns
    .map(([first]) => (first?.kind === "text" ? first.text.slice(0, 8) : ""))
    .reduce((longest, head) => (head.length > longest.length ? head : longest), "");
}

/**
 * Returns, as bits for each 64 rules, the rules that a removed parameter can wake: they may match then
 * although they did not before.
 */
export function wakesOf(rules: readonly Rule[]): bigint[] {
  const wakes = Array.from({ length: Math.ceil(rules.length / 64) }, () => 0n);
  for (const [index, { action, condition, except, unless = [] }] of rules.entries()) {
    const isWoken =
      // What it makes without the parameter may not be an exception.
      except !== undefined ||
      (action.type === "sub" && !isLocal(action)) ||
      action.type === "sink" ||
      // Another parameter may be the first of its name.
      action.type === "unwrap" ||
      condition.params.some(({ is }) => is === "absent") ||
      unless.some((each) => each.condition.params.some(({ is }) => is !== "absent"));
    if (isWoken) wakes[index >> 6] = (wakes[index >> 6] as bigint) | (1n << BigInt(index & 63));
  }
  return wakes;
}

/** Returns whether every match of an action lies within one parameter, the `&` or `;` before it included. */
export function isLocal(action: Action): boolean {
  if (action.type !== "sub") return false;
  return action.from.every((element, index) => {
    if (element.kind === "end") return false;
    const text = element.kind === "text" ? element.text : "";
    return !/[?&;]/.test(index === 0 ? text.replace(/^[&;]/, "") : text);
  });
}

/** Returns the `FACT` bits of a rule. */
export function factsOf({ condition, action, unless }: Rule): number {
  const isNamed = ["drop", "keep", "dropif", "set", "sort", "unwrap"].includes(action.type);
  return (
    (isNamed || condition.params.length > 0 || unless !== undefined ? FACT.NAMES : 0) |
    (action.type === "sort" ? FACT.ORDER : 0) |
    (action.type === "lower" ? FACT.CASE : 0)
  );
}
