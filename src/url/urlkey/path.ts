import { unescapeRepeatedly, writeEscaped } from "./escapes.ts";

/** Writes the path of a key. Without a host it is not a path of segments. */
export function writePath(text: string, hasHost: boolean): string {
  const decoded = unescapeRepeatedly(text);
  const path = writeEscaped(hasHost ? withoutDotSegments(decoded) : decoded).toLowerCase();
  const kept = withoutSession(withoutSession(path, isCookieless), isBare);
  return kept.length > 1 && kept.endsWith("/") ? kept.slice(0, -1) : kept;
}

/**
 * Removes empty and dot segments. Unlike RFC 3986 5.2.4, keeps a `..` that has nothing before it; the next `..` removes
 * that one.
 */
function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split("/").slice(1);
  for (const segment of segments) {
    if (segment === ".") continue;
    if (segment === ".." && kept.length > 0) kept.pop();
    else kept.push(segment);
  }
  const last = kept.pop() ?? "";
  return `/${kept.map((segment) => (segment === "" ? "" : `${segment}/`)).join("")}${last}`;
}

const COOKIELESS = /^\((?:[a-z]\([0-9a-z]{24}\))+\)$/;
const BARE = /^\([0-9a-z]{24}\)$/;

/** Session ids of ASP.NET without cookies: `(s(…)f(…))`, and `(…)` of its first version. */
function isCookieless(segment: string): boolean {
  return COOKIELESS.test(segment);
}

function isBare(segment: string): boolean {
  return BARE.test(segment);
}

/**
 * Removes the last segment that is a session id, with its `/`. A name that ends in `.aspx` must come after it, before any
 * `?`, and something before `.aspx`.
 */
function withoutSession(path: string, isSession: (segment: string) => boolean): string {
  if (!path.includes(".aspx") || !path.includes("/(")) return path;
  let aspx = -1;
  let end = path.length;
  for (let at = path.length - 1; at >= 0; at--) {
    const byte = path[at];
    if (byte === "?") aspx = -1;
    else if (byte === "." && aspx < 0 && path.startsWith(".aspx", at)) aspx = at;
    else if (byte === "/") {
      if (aspx > end + 1 && isSession(path.slice(at + 1, end))) {
        return path.slice(0, at + 1) + path.slice(end + 1);
      }
      end = at;
    }
  }
  return path;
}
