import { writeGuarded } from "../../url/base.ts";
import { DECODED, FRAGMENT, PATH, SPECIAL_QUERY, USERINFO } from "../../url/chars.ts";
import { writeComponent } from "../../url/component.ts";
import { Failure } from "../../url/failure.ts";
import { findAuthorityEnd, findPathEnd } from "../../url/hierarchy.ts";
import { writeDomainHost, writeOtherHost } from "../../url/host/host.ts";
import { isSlash, PathWriter } from "../../url/path/path.ts";
import { defaultPort, isSpecial, schemeEnd } from "../../url/scheme.ts";

/** Holds the pieces of a URL as they are in it, with their delimiters. Joined, they are the text. */
export interface RawParts {
  scheme: string;
  slashes: string;
  userinfo: string;
  host: string;
  port: string;
  path: string;
  query: string;
  fragment: string;
}

/** Describes one step of sections 2 and 3. */
interface Step {
  readonly step: string;
  readonly standard: string;
  readonly apply: (parts: RawParts) => Partial<RawParts>;
}

const special = ({ scheme }: RawParts): boolean => isSpecial(scheme.slice(0, -1).toLowerCase());

/** Returns the command that prints what the specification says on a step, with the section of a standard. */
export function referenceTo(step: string, standard = ""): string {
  return `urlmill help ${step}${standard === "" ? "" : ` (${standard})`}`;
}

/** Lists the steps in the order they are shown. Each works on the result of those before it. */
export const STEPS: readonly Step[] = [
  {
    step: "schemeCase",
    standard: "RFC 3986 6.2.2.1",
    apply: ({ scheme }) => ({ scheme: scheme.toLowerCase() }),
  },
  {
    step: "slashes",
    standard: "WHATWG URL 4.4",
    apply: writeSlashes,
  },
  {
    step: "userinfo",
    standard: "WHATWG URL 4.4, RFC 3986 3.2.1",
    apply: ({ userinfo }) => ({ userinfo: writeUserinfo(userinfo) }),
  },
  {
    step: "hostCase",
    standard: "RFC 3986 6.2.2.1",
    // The digits of triplets are not letters of the host.
    apply: ({ host }) => ({
      host: host.replaceAll(/%[0-9A-Fa-f]{2}|[A-Z]+/g, (text) =>
        text.startsWith("%") ? text : text.toLowerCase(),
      ),
    }),
  },
  {
    step: "host",
    standard: "WHATWG URL 3.5, UTS #46",
    apply: (parts) => ({ host: writeHost(parts) }),
  },
  {
    step: "emptyPort",
    standard: "RFC 3986 6.2.3",
    apply: ({ port }) => ({ port: port === ":" ? "" : port }),
  },
  {
    step: "port",
    standard: "WHATWG URL 4.4",
    apply: (parts) => ({
      port: special(parts) ? parts.port.replace(/^:0+(?=\d)/, ":") : parts.port,
    }),
  },
  {
    step: "defaultPort",
    standard: "RFC 3986 6.2.3",
    apply: ({ scheme, port }) => ({
      port: port === `:${defaultPort(scheme.slice(0, -1))}` ? "" : port,
    }),
  },
  {
    step: "emptyPath",
    standard: "RFC 3986 6.2.3",
    apply: (parts) =>
      special(parts) && !parts.path.startsWith("/") ? { path: `/${parts.path}` } : {},
  },
  {
    step: "tripletCase",
    standard: "RFC 3986 6.2.2.1",
    apply: (parts) =>
      eachComponent(parts, (text) => text.replaceAll(TRIPLET, (triplet) => triplet.toUpperCase())),
  },
  {
    step: "percentEncoding",
    standard: "RFC 3986 2.1",
    apply: (parts) => ({
      path: encode(parts.path, PATH),
      query: encodeBehind(parts.query, special(parts) ? SPECIAL_QUERY : FRAGMENT),
      fragment: encodeBehind(parts.fragment, FRAGMENT),
    }),
  },
  {
    step: "unreservedTriplets",
    standard: "RFC 3986 6.2.2.2",
    apply: (parts) =>
      eachComponent(parts, (text) =>
        text.replaceAll(
          TRIPLET,
          (triplet) => DECODED[Number.parseInt(triplet.slice(1), 16)] as string,
        ),
      ),
  },
  {
    step: "dotSegments",
    standard: "RFC 3986 6.2.2.3",
    apply: (parts) => (parts.path.startsWith("/") ? { path: withoutDots(parts) } : {}),
  },
];

const TRIPLET = /%[0-9A-Fa-f]{2}/g;

/** Splits an absolute URL without surrounding space, TAB, LF and CR. */
export function splitRaw(text: string): RawParts {
  const colon = schemeEnd(text) + 1;
  const scheme = text.slice(0, colon);
  const isSpecialScheme = isSpecial(scheme.slice(0, -1).toLowerCase());
  const slashesEnd = endOfSlashes(text, colon, scheme.toLowerCase(), isSpecialScheme);
  const hasAuthority = slashesEnd > colon || (isSpecialScheme && scheme.toLowerCase() !== "file:");
  const authorityEnd = hasAuthority
    ? findAuthorityEnd(text, slashesEnd, isSpecialScheme)
    : slashesEnd;
  const authority = text.slice(slashesEnd, authorityEnd);
  const userinfo = authority.slice(0, authority.lastIndexOf("@") + 1);
  const [, host = "", port = ""] =
    /^(\[[^\]]*\]?[^:]*|[^:]*)(:[\s\S]*)?$/.exec(authority.slice(userinfo.length)) ?? [];
  const pathEnd = findPathEnd(text, authorityEnd);
  const hash = text.indexOf("#", pathEnd);
  const queryEnd = hash < 0 ? text.length : hash;
  return {
    scheme,
    slashes: text.slice(colon, slashesEnd),
    userinfo,
    host,
    port,
    path: text.slice(authorityEnd, pathEnd),
    query: text.slice(pathEnd, queryEnd),
    fragment: text.slice(queryEnd),
  };
}

/** Joins the pieces of a URL. */
export function joinRaw(parts: RawParts): string {
  const { scheme, slashes, userinfo, host, port, path, query, fragment } = parts;
  return scheme + slashes + userinfo + host + port + path + query + fragment;
}

/**
 * Returns the end of the slashes after the scheme: all slashes if it is special, two for `file` and for other
 * schemes.
 */
function endOfSlashes(
  text: string,
  start: number,
  scheme: string,
  isSpecialScheme: boolean,
): number {
  let end = start;
  while (end < text.length && isSlash(text.charCodeAt(end), isSpecialScheme)) end++;
  if (isSpecialScheme && scheme !== "file:") return end;
  return end - start >= 2 ? start + 2 : start;
}

function eachComponent(parts: RawParts, write: (text: string) => string): Partial<RawParts> {
  return { path: write(parts.path), query: write(parts.query), fragment: write(parts.fragment) };
}

/** Writes `//` after the scheme. A path without authority gets a third slash, as a name would be read as a host. */
function writeSlashes(parts: RawParts): Partial<RawParts> {
  if (!special(parts)) return {};
  const path = parts.path.replaceAll("\\", "/");
  const isAlone = parts.slashes === "" && /^file:$/i.test(parts.scheme) && /^[^/]/.test(path);
  return { slashes: "//", path: isAlone ? `/${path}` : path };
}

function write(text: string, allowed: number): string {
  return writeComponent(text, 0, text.length, allowed);
}

/** Encodes what is not in a triplet. Triplets stay, as a stray `%` before one could become another. */
function encode(text: string, allowed: number): string {
  return text
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((piece, at) => (at % 2 === 1 ? piece : write(piece, allowed)))
    .join("");
}

/** Encodes a text after its delimiter. */
function encodeBehind(text: string, allowed: number): string {
  return text === "" ? "" : text[0] + encode(text.slice(1), allowed);
}

function writeUserinfo(userinfo: string): string {
  if (userinfo === "") return "";
  const [user = "", ...password] = userinfo.slice(0, -1).split(":");
  const secret = write(password.join(":"), USERINFO);
  const written = write(user, USERINFO) + (secret === "" ? "" : `:${secret}`);
  return written === "" ? "" : `${written}@`;
}

function writeHost(parts: RawParts): string {
  const { host } = parts;
  if (host === "") return "";
  const write = special(parts) ? writeDomainHost : writeOtherHost;
  const written = write(host, 0, host.length);
  return written instanceof Failure ? host : written;
}

/** Removes dot segments. Keeps the `/.` that guards a path such as `//x` after no authority. */
function withoutDots({ scheme, slashes, path }: RawParts): string {
  const writer = new PathWriter(scheme.slice(0, -1));
  writer.add(path, 1, path.length);
  return writeGuarded(slashes, writer.toString());
}
