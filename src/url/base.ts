import { isSpecial, schemeEnd } from "./scheme.ts";

/** Holds the parts of a normalized base URL that references are resolved against. */
export interface Base {
  readonly scheme: string;
  /** Holds `//host`, or "" if there is no authority. */
  readonly authority: string;
  readonly path: string;
  /** Holds the query with its `?`, or "". */
  readonly query: string;
  readonly special: boolean;
}

/** Splits a normalized URL into the parts that references are resolved against. */
export function parseBase(url: string): Base {
  const colon = schemeEnd(url);
  const scheme = url.slice(0, colon);
  const hash = url.indexOf("#");
  const end = hash < 0 ? url.length : hash;
  const question = url.slice(0, end).indexOf("?");
  const pathEnd = question < 0 ? end : question;
  let pathStart = colon + 1;
  if (url.startsWith("//", pathStart)) {
    const slash = url.indexOf("/", pathStart + 2);
    pathStart = slash < 0 || slash > pathEnd ? pathEnd : slash;
  }
  return {
    scheme,
    authority: url.slice(colon + 1, pathStart),
    path: withoutGuard(url.slice(pathStart, pathEnd)),
    query: url.slice(pathEnd, end),
    special: isSpecial(scheme),
  };
}

/** Returns `scheme:` and the authority of a base. */
export function headOf(base: Base): string {
  return `${base.scheme}:${base.authority}`;
}

/** Joins authority and path. Writes the path `//x` without an authority as `/.//x` (URL Standard). */
export function writeGuarded(authority: string, path: string): string {
  return authority === "" && path.startsWith("//") ? `/.${path}` : path;
}

function withoutGuard(path: string): string {
  return path.startsWith("/.//") ? path.slice(2) : path;
}
