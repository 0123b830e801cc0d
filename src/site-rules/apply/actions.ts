import { type Parts, splitParts } from "../../url/parts.ts";
import { withSlash } from "../../url/path/trailing-slash.ts";
import { type Action, isWhole, type Pattern, type Template } from "../rule.ts";
import { fill, matchAt, matchPath } from "./match.ts";
import { RuledQuery } from "./params.ts";
import { wrappedUrl } from "./unwrap.ts";

/**
 * Holds what rules read and write of an http or https URL. Only `unwrap` replaces userinfo and fragment; both may be left out.
 */
export type RuledParts = Pick<Parts, "scheme" | "host" | "port" | "path" | "query"> &
  Partial<Pick<Parts, "userinfo" | "fragment">>;

/** Returns the normal form of an http or https URL that was in another one, or null if it is not a URL. */
export type ReadUrl = (text: string) => string | null;

/** Holds a URL while rules work on it. */
export class RuledUrl implements RuledParts {
  scheme!: string;
  host!: string;
  port!: string;
  path!: string;
  params!: RuledQuery;
  /** Userinfo and fragment, if the URL came out of another one; else null. */
  #replaced: Pick<Parts, "userinfo" | "fragment"> | null = null;
  /** The bytes of what rules leave alone: delimiters, userinfo and fragment. */
  #rest!: number;

  constructor(parts: RuledParts) {
    this.#take(parts);
  }

  #take({ scheme, host, port, path, query, userinfo = "", fragment = null }: RuledParts): void {
    this.scheme = scheme;
    this.host = host;
    this.port = port;
    this.path = path;
    this.params = new RuledQuery(query);
    const user = userinfo === "" ? 0 : userinfo.length + 1;
    this.#rest = "://".length + user + (fragment === null ? 0 : fragment.length + 1);
  }

  /** Becomes another URL, which is in normal form. */
  become(url: string): void {
    const { hasAuthority: _, ...parts } = splitParts(url);
    this.#take(parts);
    this.#replaced = { userinfo: parts.userinfo, fragment: parts.fragment };
  }

  get query(): string | null {
    return this.params.text;
  }

  set query(query: string | null) {
    this.params.text = query;
  }

  /** Counts the bytes of the URL. */
  get length(): number {
    const { scheme, host, port, path, params } = this;
    return this.#rest + scheme.length + host.length + port.length + path.length + params.length;
  }

  /** Writes the parts to others. */
  writeTo(parts: RuledParts): void {
    const { scheme, host, port, path, query } = this;
    Object.assign(parts, { scheme, host, port, path, query, ...this.#replaced });
  }
}

/**
 * Does the action of a rule whose condition holds; returns whether that changed the URL. If `set` makes the
 * URL longer than `longest` bytes, it may leave parameters as they are.
 */
export function act(action: Action, url: RuledUrl, longest: number, read: ReadUrl): boolean {
  switch (action.type) {
    case "drop":
      return url.params.drop(action.params, isWhole(action));
    case "keep":
      return url.params.keep(action.params, isWhole(action));
    case "dropif":
      return url.params.dropIf(action.param, action.value, isWhole(action));
    case "set":
      return url.params.set(action.param, action.value, longest);
    case "sort":
      return url.params.sort();
    case "sub":
      return setTarget(url, substitute(targetOf(url), action.from, action.to));
    case "path": {
      const match = matchPath(action.from, url.path);
      return match !== null && set(url, "path", fill(action.to, match.captures));
    }
    case "cut":
      return set(url, "path", cutSegment(url.path, action.segment));
    case "lower":
      return set(url, "path", lowerPath(url.path));
    case "slash":
      return set(url, "path", withSlash(url.path));
    case "host":
      return setSite(url, action.to);
    case "scheme":
      return setHttps(url);
    case "sink":
      return setTarget(url, action.target);
    case "unwrap":
      return unwrap(url, action.params, longest, read);
  }
}

function unwrap(url: RuledUrl, names: readonly string[], longest: number, read: ReadUrl): boolean {
  const wrapped = url.query === null ? null : wrappedUrl(url.query, names);
  const written = wrapped === null ? null : read(wrapped);
  if (written === null || written.length > longest) return false;
  url.become(written);
  return true;
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

/** Joins path and query. */
export function targetOf({ path, query }: Pick<RuledParts, "path" | "query">): string {
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
  if (!/[A-Z]/.test(path)) return path;
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
