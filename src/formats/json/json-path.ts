import { findElement, findMember, type Member } from "./json-member.ts";

/** Names one step into a value of JSON: a member of an object, or an element of an array. */
type Step = string | number;

/** Holds a value that a path leads to, and the steps that lead there. */
export interface PathValue {
  readonly value: unknown;
  readonly steps: readonly Step[];
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/**
 * Follows a path such as `page.url` or `links.0.url` through an object from `JSON.parse`. A dot leads into an object
 * or an array; a number is the index of an element, from 0 on. If members have dots in their names, the longest name
 * that matches is used. Returns undefined if the path leads to nothing.
 */
export function followPath(object: object, path: readonly string[]): PathValue | undefined {
  let value: unknown = object;
  const steps: Step[] = [];
  for (let at = 0; at < path.length; ) {
    if (typeof value !== "object" || value === null) return undefined;
    const isList = Array.isArray(value);
    const length = isList ? 1 : nameLength(value, path, at);
    const name = path.slice(at, at + length).join(".");
    if (length === 0 || (isList && !INDEX.test(name)) || !Object.hasOwn(value, name)) {
      return undefined;
    }
    steps.push(isList ? Number(name) : name);
    value = (value as Record<string, unknown>)[name];
    at += length;
  }
  return { value, steps };
}

/** Returns how many parts of a path, from `at` on, form the longest name of a member, or 0 if no member matches. */
function nameLength(object: object, path: readonly string[], at: number): number {
  for (let end = path.length; end > at; end--) {
    if (Object.hasOwn(object, path.slice(at, end).join("."))) return end - at;
  }
  return 0;
}

/** Finds the position of the value that steps lead to, in the byte string of an object. The value must exist. */
export function findByPath(text: string, steps: readonly Step[]): Member {
  let from = 0;
  let to = text.length;
  for (const step of steps) {
    const inner = text.slice(from, to);
    const found = typeof step === "number" ? findElement(inner, step) : findMember(inner, step);
    to = from + (found as Member).to;
    from += (found as Member).from;
  }
  return { from, to };
}
