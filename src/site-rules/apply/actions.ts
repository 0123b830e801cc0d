import type { Parts } from "../../url/parts.ts";
import { withSlash } from "../../url/trailing-slash.ts";
import type { Action, Pattern, Template } from "../rule.ts";
import { fill, matchAt, matchPath } from "./match.ts";
import { joinParams, type Param, type ParamsOfQuery, textOf } from "./params.ts";

/** Holds what rules read and write of an http or https URL. */
export type RuledParts = Pick<Parts, "scheme" | "host" | "port" | "path" | "query">;

/**
 * Does the action of a rule whose condition holds; returns whether that changed the URL. If `set` makes the
 * URL longer than `longest` bytes, the URL may be cut.
 */
export function act(
  action: Action,
  parts: RuledParts,
  given: ParamsOfQuery,
  longest: number,
): boolean {
  switch (action.type) {
    case "drop":
      return keep(parts, given, ({ name }) => !action.params.includes(name));
    case "keep":
      return keep(parts, given, ({ name }) => action.params.includes(name));
    case "dropif":
      return keep(
        parts,
        given,
        ({ name, value }) => name !== action.param || value !== action.value,
      );
    case "set":
      return setValue(parts, given.of(parts.query), action, longest);
    case "sort":
      return setQuery(parts, sorted(given.of(parts.query)));
    case "sub":
      return setTarget(parts, substitute(targetOf(parts), action.from, action.to));
    case "path": {
      const match = matchPath(action.from, parts.path);
      return match !== null && set(parts, "path", fill(action.to, match.captures));
    }
    case "cut":
      return set(parts, "path", cutSegment(parts.path, action.segment));
    case "lower":
      return set(parts, "path", lowerPath(parts.path));
    case "slash":
      return set(parts, "path", withSlash(parts.path));
    case "host":
      return setSite(parts, action.to);
    case "scheme":
      return setHttps(parts);
    case "sink":
      return setTarget(parts, action.target);
  }
}

function set<K extends "path" | "query">(
  parts: RuledParts,
  name: K,
  value: RuledParts[K],
): boolean {
  if (parts[name] === value) return false;
  parts[name] = value;
  return true;
}

function keep(parts: RuledParts, given: ParamsOfQuery, isKept: (param: Param) => boolean): boolean {
  const params = given.of(parts.query);
  return !params.every(isKept) && setQuery(parts, params.filter(isKept));
}

/**
 * Sets the value of a parameter. Cuts a query after it exceeds `longest`, because the text could be too long
 * for a string.
 */
function setValue(
  parts: RuledParts,
  params: readonly Param[],
  { param: name, value }: { readonly param: string; readonly value: string },
  longest: number,
): boolean {
  const written: Param[] = [];
  let length = 0;
  for (const param of params) {
    written.push(param.name === name ? { ...param, value } : param);
    length += param.separator.length + textOf(written.at(-1) as Param).length;
    if (length > longest) break;
  }
  return setQuery(parts, written);
}

function setQuery(parts: RuledParts, params: readonly Param[]): boolean {
  return params.length > 0 || parts.query !== null
    ? set(parts, "query", joinParams(params))
    : false;
}

/**
 * Sorts parameters by the bytes of their names; equal names keep their order. Separators keep their places.
 */
function sorted(params: readonly Param[]): readonly Param[] {
  const isSorted = params.every(
    ({ name }, at) => at === 0 || (params[at - 1] as Param).name <= name,
  );
  if (isSorted) return params;
  return params
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map((param, index) => ({ ...param, separator: (params[index] as Param).separator }));
}

/** Joins path and query. */
export function targetOf({ path, query }: RuledParts): string {
  return query === null ? path : `${path}?${query}`;
}

/** Sets path and query. Returns false also for a target without a path, and then leaves the URL as it is. */
function setTarget(parts: RuledParts, target: string): boolean {
  if (!target.startsWith("/")) return false;
  const question = target.indexOf("?");
  const path = question < 0 ? target : target.slice(0, question);
  const query = question < 0 ? null : target.slice(question + 1);
  const isPathChanged = set(parts, "path", path);
  return set(parts, "query", query) || isPathChanged;
}

/** Replaces each match of the pattern, from left to right. */
export function substitute(text: string, from: Pattern, to: Template): string {
  const [first] = from;
  if (first?.kind !== "text") return text;
  let written = "";
  let kept = 0;
  let at = text.indexOf(first.text);
  while (at >= 0) {
    const match = matchAt(from, text, at);
    if (match !== null) {
      written += text.slice(kept, at) + fill(to, match.captures);
      kept = match.end;
    }
    at = text.indexOf(first.text, match === null ? at + 1 : kept);
  }
  return kept === 0 ? text : written + text.slice(kept);
}

function cutSegment(path: string, segment: string): string {
  if (!path.includes(segment)) return path;
  const kept = path.split("/").filter((text, index) => index === 0 || text !== segment);
  return kept.length === 1 ? "/" : kept.join("/");
}

/** Writes the path in lower case, but not the hexadecimal digits of triplets. */
function lowerPath(path: string): string {
  let lower = "";
  for (let at = 0; at < path.length; at++) {
    if (path[at] === "%") {
      lower += path.slice(at, at + 3);
      at += 2;
    } else {
      lower += (path[at] as string).toLowerCase();
    }
  }
  return lower;
}

function setSite(parts: RuledParts, site: string): boolean {
  const colon = site.indexOf(":", site.indexOf("]") + 1);
  parts.host = colon < 0 ? site : site.slice(0, colon);
  parts.port = colon < 0 ? "" : site.slice(colon);
  return true;
}

function setHttps(parts: RuledParts): boolean {
  if (parts.scheme !== "http") return false;
  parts.scheme = "https";
  if (parts.port === ":443") parts.port = "";
  return true;
}
