import { writeGuarded } from "./base.ts";
import { schemeEnd } from "./scheme.ts";

/** Holds a normalized URL in its components, which rules change in place. */
export interface Parts {
  scheme: string;
  readonly hasAuthority: boolean;
  /** Holds the userinfo without its `@`, or "". */
  userinfo: string;
  host: string;
  /** Holds the port with its `:`, or "". */
  port: string;
  /** Holds the path, without the `/.` that guards a path such as `//x` if there is no authority. */
  path: string;
  /** Holds the query without `?`; null if there is none. */
  query: string | null;
  /** Holds the fragment without `#`; null if there is none. */
  fragment: string | null;
}

/** Splits a normalized URL into its components. */
export function splitParts(url: string): Parts {
  const colon = schemeEnd(url);
  const hash = url.indexOf("#");
  const end = hash < 0 ? url.length : hash;
  const question = url.indexOf("?");
  const pathEnd = question < 0 || question > end ? end : question;
  const hasAuthority = url.startsWith("//", colon + 1);
  const slash = hasAuthority ? url.indexOf("/", colon + 3) : colon + 1;
  const pathStart = slash < 0 || slash > pathEnd ? pathEnd : slash;
  const authority = hasAuthority ? url.slice(colon + 3, pathStart) : "";
  const at = authority.indexOf("@");
  const host = authority.slice(at + 1);
  const portColon = host.startsWith("[") ? host.indexOf(":", host.indexOf("]")) : host.indexOf(":");
  const path = url.slice(pathStart, pathEnd);
  return {
    scheme: url.slice(0, colon),
    hasAuthority,
    userinfo: at < 0 ? "" : authority.slice(0, at),
    host: portColon < 0 ? host : host.slice(0, portColon),
    port: portColon < 0 ? "" : host.slice(portColon),
    path: !hasAuthority && path.startsWith("/.//") ? path.slice(2) : path,
    query: pathEnd < end ? url.slice(pathEnd + 1, end) : null,
    fragment: hash < 0 ? null : url.slice(hash + 1),
  };
}

/** Joins components to a normalized URL. */
export function joinParts(parts: Parts): string {
  const { scheme, hasAuthority, userinfo, host, port, path, query, fragment } = parts;
  const authority = hasAuthority ? `//${userinfo === "" ? "" : `${userinfo}@`}${host}${port}` : "";
  const head = `${scheme}:${authority}${writeGuarded(authority, path)}`;
  return `${head}${query === null ? "" : `?${query}`}${fragment === null ? "" : `#${fragment}`}`;
}
