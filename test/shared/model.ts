import { URL as ReferenceUrl } from "whatwg-url";

const HAS_CURRENT_URL = Number(process.versions.node.split(".")[0]) >= 24;

/**
 * A parser that follows the URL Standard: the platform's, or before Node 24, whose parsers keep `/./`
 * after `/.a/` and take `C:x` for a drive letter, the reference implementation.
 */
const StandardUrl: new (text: string, base?: string) => { href: string; hostname: string } =
  HAS_CURRENT_URL ? URL : ReferenceUrl;

/**
 * Returns whether the parser can judge this input. The URL Standard of 2026 takes all ASCII domains
 * as they are, even `xn--` labels that decode to nothing. The reference implementation for Node 20
 * is older.
 */
export function canJudge(input: string): boolean {
  return HAS_CURRENT_URL || !/xn--/i.test(input);
}

/**
 * Normalizes as docs/spec.md says, the slow way: by a URL parser for special schemes, by the
 * regular expression of RFC 3986 appendix B for all others, and then by section 3. Shares no code
 * with either engine. Takes a byte string. Returns a URL, or null if the input is not a URL.
 */
export function modelNormalize(input: string, base?: string): string | null {
  const text = markBrokenUtf8(trim(input));
  const scheme = schemeOf(text) ?? (base === undefined ? null : schemeOf(base));
  if (scheme === null) return null;
  return SPECIAL.has(scheme) ? normalizeSpecial(text, base) : normalizeOther(text, base);
}

const SPECIAL = new Set(["http", "https", "ws", "wss", "ftp", "file"]);
const UNRESERVED = /^[A-Za-z0-9\-._~]$/;
const ALLOWED = {
  userinfo: /^[A-Za-z0-9\-._~!$&'()*+,]$/,
  path: /^[A-Za-z0-9\-._~!$&'()*+,;=:@/]$/,
  specialQuery: /^[A-Za-z0-9\-._~!$&()*+,;=:@/?]$/,
  fragment: /^[A-Za-z0-9\-._~!$&'()*+,;=:@/?]$/,
  regName: /^[A-Za-z0-9\-._~!$&'()*+,;=]$/,
};

/** Writes one component by the tables of docs/spec.md 3. */
export function writeByTable(component: string, allowed: RegExp): string {
  return component.replaceAll(/%[0-9A-Fa-f]{2}|[\s\S]/g, (match) => {
    if (match.length === 3) {
      const character = String.fromCharCode(Number.parseInt(match.slice(1), 16));
      return UNRESERVED.test(character) ? character : match.toUpperCase();
    }
    return allowed.test(match) ? match : triplet(match);
  });
}

/** Writes the href of a special URL, which comes from the platform, as docs/spec.md 3 says. */
export function writeHref(href: string): string {
  const parts = /^([a-z]+):\/\/(?:([^@/]*)@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(href);
  if (parts === null) throw new Error(`not a special URL: ${href}`);
  const [, scheme, userinfo, host, path, query, fragment] = parts;
  const credentials = userinfo?.split(":").map((part) => writeByTable(part, ALLOWED.userinfo));
  return [
    `${scheme}://`,
    credentials === undefined ? "" : `${credentials.join(":")}@`,
    host,
    writeByTable(path as string, ALLOWED.path),
    query === undefined ? "" : `?${writeByTable(query, ALLOWED.specialQuery)}`,
    fragment === undefined ? "" : `#${writeByTable(fragment, ALLOWED.fragment)}`,
  ].join("");
}

function normalizeSpecial(text: string, base: string | undefined): string | null {
  const decoded = Buffer.from(text.replaceAll(BROKEN, triplet), "latin1").toString("utf8");
  const url = parse(decoded, base);
  return url === null ? null : writeHref(url.href);
}

/** Returns a parsed URL, or null if the URL Standard returns failure. */
export function parse(text: string, base?: string) {
  try {
    return new StandardUrl(text, base);
  } catch {
    return null;
  }
}

interface Parts {
  scheme: string;
  authority: string | undefined;
  path: string;
  query: string | undefined;
  fragment: string | undefined;
}

/** RFC 3986 appendix B. */
function split(text: string): Parts {
  const match =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?$/.exec(
      text,
    );
  if (match === null) throw new Error(`appendix B matches everything, but not ${text}`);
  const [, scheme, authority, path, query, fragment] = match;
  return { scheme: (scheme ?? "").toLowerCase(), authority, path: path as string, query, fragment };
}

/** RFC 3986 5.2.2. */
function resolve(text: string, base: string): Parts & { resolved: boolean } {
  const reference = split(text);
  if (reference.scheme !== "") return { ...reference, resolved: false };
  const from = split(base);
  const path = from.authority === undefined ? from.path.replace(/^\/\.\/\//, "//") : from.path;
  const { fragment } = reference;
  const { scheme, authority } = from;
  if (reference.authority !== undefined) return { ...reference, scheme, resolved: true };
  if (reference.path === "") {
    const query = reference.query ?? from.query;
    return { scheme, authority, path, query, fragment, resolved: false };
  }
  const { query } = reference;
  if (reference.path.startsWith("/")) {
    return { scheme, authority, path: reference.path, query, fragment, resolved: true };
  }
  const directory =
    authority !== undefined && path === "" ? "/" : path.slice(0, path.lastIndexOf("/") + 1);
  return { scheme, authority, path: directory + reference.path, query, fragment, resolved: true };
}

function normalizeOther(text: string, base: string | undefined): string | null {
  const parts = base === undefined ? { ...split(text), resolved: false } : resolve(text, base);
  let path = writeByTable(parts.path, ALLOWED.path);
  let authority = "";
  if (parts.authority !== undefined) {
    const written = normalizeAuthority(parts.authority);
    if (written === null) return null;
    authority = `//${written}`;
  }
  if (parts.resolved || path.startsWith("/") || authority !== "") path = removeDotSegments(path);
  if (authority === "" && path.startsWith("//")) path = `/.${path}`;
  const query = parts.query === undefined ? "" : `?${writeByTable(parts.query, ALLOWED.fragment)}`;
  const fragment =
    parts.fragment === undefined ? "" : `#${writeByTable(parts.fragment, ALLOWED.fragment)}`;
  return `${parts.scheme}:${authority}${path}${query}${fragment}`;
}

function normalizeAuthority(authority: string): string | null {
  const match = /^(?:([\s\S]*)@)?(\[[^\]]*\]?[^:]*|[^:]*)(?::([\s\S]*))?$/.exec(authority);
  if (match === null) return null;
  const [, userinfo, host, port] = match;
  if (port !== undefined && !/^[0-9]*$/.test(port)) return null;
  const written = normalizeHost(host as string);
  if (written === null) return null;
  return (
    normalizeUserinfo(userinfo) + written + (port === undefined || port === "" ? "" : `:${port}`)
  );
}

function normalizeUserinfo(userinfo: string | undefined): string {
  if (userinfo === undefined) return "";
  const [user, ...password] = userinfo.split(":");
  const written = writeByTable(user as string, ALLOWED.userinfo);
  const secret = writeByTable(password.join(":"), ALLOWED.userinfo);
  if (secret !== "") return `${written}:${secret}@`;
  return written === "" ? "" : `${written}@`;
}

function normalizeHost(host: string): string | null {
  if (host.startsWith("[")) {
    if (/^\[v[0-9a-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+\]$/i.test(host)) return host.toLowerCase();
    return /^\[[0-9A-Fa-f:.]*\]$/.test(host) ? (parse(`http://${host}/`)?.hostname ?? null) : null;
  }
  if (/[\0\t\n\r #/:<>?@[\\\]^|]/.test(host) || host.search(BROKEN) >= 0) return null;
  return host.replaceAll(/%[0-9A-Fa-f]{2}|[\s\S]/g, (match) => {
    const written = writeByTable(match, ALLOWED.regName);
    return written.length === 3 ? written : written.toLowerCase();
  });
}

/** RFC 3986 5.2.4, step by step. */
function removeDotSegments(path: string): string {
  let input = path;
  let output = "";
  while (input !== "") {
    if (input.startsWith("../")) input = input.slice(3);
    else if (input.startsWith("./")) input = input.slice(2);
    else if (input.startsWith("/./")) input = input.slice(2);
    else if (input === "/.") input = "/";
    else if (input.startsWith("/../") || input === "/..") {
      input = `/${input.slice(4)}`;
      output = output.slice(0, Math.max(0, output.lastIndexOf("/")));
    } else if (input === "." || input === "..") input = "";
    else {
      const next = input.indexOf("/", 1);
      const end = next < 0 ? input.length : next;
      output += input.slice(0, end);
      input = input.slice(end);
    }
  }
  return output;
}

function schemeOf(text: string): string | null {
  return /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1]?.toLowerCase() ?? null;
}

function trim(text: string): string {
  return text.replaceAll(/^[\0- ]+|[\0- ]+$/g, "").replaceAll(/[\t\n\r]/g, "");
}

/** Matches a UTF-8 sequence (Unicode table 3-7), or one byte outside any sequence. */
const UTF8_OR_BYTE =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

/** Bytes that are not part of UTF-8 become characters from U+0100, which name the byte less 0x100. */
function markBrokenUtf8(input: string): string {
  return input.replaceAll(UTF8_OR_BYTE, (match) =>
    match.length === 1 ? String.fromCharCode(match.charCodeAt(0) + 0x100) : match,
  );
}

const BROKEN = /[\u0100-\u01ff]/g;

function triplet(character: string): string {
  return `%${(character.charCodeAt(0) & 0xff).toString(16).toUpperCase().padStart(2, "0")}`;
}
