import { ANY_BYTES } from "../../site-rules/rule.ts";
import { expandRegex, LONGEST } from "./expand-regex.ts";
import { EVERYWHERE, type Place, siteOf } from "./list-draft.ts";

/** Matches the scheme that a pattern begins with. */
export const START = /^\^?https\?:(?:\\\/|\/){2}/;
/** Matches a dot that stands for any byte, and means a dot. */
export const DOT = /(?<!\\)\.(?![*+?{])/g;
/** Stands for any hosts below. */
export const BELOW = /^\(\?:\[a-z0-9-\]\+\\\.\)\*\??/;

/** Returns the places of URLs that a pattern matches, or fewer; null if no rule can say that. */
export function placesOf(pattern: string): Place[] | null {
  if (pattern === ".*") return [EVERYWHERE];
  if (pattern.length > LONGEST || !START.test(pattern)) return null;
  const rest = pattern.replace(START, "");
  const isDomain = BELOW.test(rest);
  const texts = expandRegex(rest.replace(BELOW, "").replace(/\$$/, "").replace(DOT, "\\."));
  const places = texts?.map((text) => placeOf(text, isDomain)) ?? [null];
  return places.every((place) => place !== null) ? places : null;
}

function placeOf(text: string, isDomain: boolean): Place | null {
  const slash = text.indexOf("/");
  const host = slash < 0 ? text : text.slice(0, slash);
  let path = slash < 0 ? "/" : text.slice(slash);
  while (path.endsWith(ANY_BYTES)) path = path.slice(0, -ANY_BYTES.length);
  const site = host.includes(".") ? siteOf(host, isDomain) : null;
  if (site === null || /[?#<>*\\]/.test(path)) return null;
  return { site, path: path === "/" ? "*" : `${path}...` };
}
