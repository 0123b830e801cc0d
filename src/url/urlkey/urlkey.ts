import { Failure } from "../failure.ts";
import { escapeBytes, unescapeRepeatedly, writeEscaped } from "./escapes.ts";
import { writeHost } from "./host.ts";
import { writePath } from "./path.ts";
import { writeQuery } from "./query.ts";

const SCHEME = /[A-Za-z][A-Za-z0-9+.-]*:/y;
const UNPRINTABLE = /[^!-~]/g;
const PORT = /^[0-9]+$/;
const LARGEST_PORT = 65535;

/** Holds the parts of a URL as they were written. */
interface Parts {
  readonly scheme: string;
  readonly host: string;
  /** The port that the scheme does not imply, or 0. */
  readonly port: number;
  readonly path: string;
  readonly query: string;
}

/**
 * Returns the key of a URL in indexes of web archives (`urlkey` of CDX), as the canonicalizer of the Internet Archive
 * makes it: lower case, labels of the host from the last to the first without `www.`, triplets decoded as often as that
 * changes anything, parameters in order, no session ids, no fragment. Scheme and userinfo are left out, so URLs of
 * several pages can share a key. `row`: a byte string. `keepsWww`: whether `www.` stays. Fails with `EMPTY` and `BAD_PORT`
 * alone.
 */
export function writeUrlkey(row: string, keepsWww = false): string | Failure {
  // Records of ARC files that describe the file.
  if (row.startsWith("filedesc")) return escapeBytes(row, UNPRINTABLE);
  const text = readable(row);
  if (text === "") return new Failure("EMPTY", 0);
  const parts = splitUrl(text);
  if (parts === null) return new Failure("BAD_PORT", 0);
  const { scheme, port } = parts;
  const host = writeHost(parts.host);
  const path = writePath(parts.path, host !== "");
  const query = parts.query === "" ? "" : writeQuery(writeEscaped(unescapeRepeatedly(parts.query)));
  const massaged = keepsWww || scheme === "dns" ? host : host.replace(/^www[0-9]*\./, "");
  const labels = massaged.split(".").reverse().join(",");
  const head = massaged === "" ? `${scheme}:` : `${labels}${port === 0 ? "" : `:${port}`})`;
  const root = path === "" && query !== "" ? "/" : path;
  return query === "" ? head + path : `${head}${root}?${query}`;
}

/** Returns a text without space around it, TAB, LF and CR, and with one scheme. */
function readable(row: string): string {
  const text = stripped(row).replace(/[\t\n\r]/g, "");
  if (text === "") return "";
  SCHEME.lastIndex = 0;
  if (!SCHEME.test(text)) return `http://${text}`;
  // Of `http://https://a`, the last scheme counts.
  let start = 0;
  for (let next = webHead(text, 0); webHead(text, next) > next; next = webHead(text, next)) {
    start = next;
  }
  return text.slice(start);
}

/** Returns where the `http://` or `https://` at `start` ends, or `start` if there is none. */
function webHead(text: string, start: number): number {
  if (text.startsWith("http://", start)) return start + 7;
  return text.startsWith("https://", start) ? start + 8 : start;
}

/** Removes what Python's `bytes.strip` does: space and the controls from TAB to CR. */
function stripped(row: string): string {
  let start = 0;
  let end = row.length;
  while (start < end && isSpace(row.charCodeAt(start))) start++;
  while (end > start && isSpace(row.charCodeAt(end - 1))) end--;
  return row.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Splits a URL with a scheme (RFC 3986 appendix B). Returns null if its port is not one. */
function splitUrl(text: string): Parts | null {
  SCHEME.lastIndex = 0;
  SCHEME.test(text);
  const start = SCHEME.lastIndex;
  const scheme = text.slice(0, start - 1);
  const hash = text.indexOf("#", start);
  const whole = hash < 0 ? text.slice(start) : text.slice(start, hash);
  const question = whole.indexOf("?");
  const query = question < 0 ? "" : whole.slice(question + 1);
  const rest = question < 0 ? whole : whole.slice(0, question);
  const slash = rest.startsWith("//") ? rest.indexOf("/", 2) : 0;
  const authority = rest.slice(0, slash < 0 ? undefined : slash).slice(2);
  const path = slash < 0 ? "" : rest.slice(slash);
  const { host, port } = splitAuthority(authority);
  if (port !== "" && !(PORT.test(port) && Number(port) <= LARGEST_PORT)) return null;
  const number = Number(port);
  const implied = impliedPort(scheme);
  const parts = { scheme, host, port: number === implied ? 0 : number, path, query };
  if (host !== "" || path === "" || !scheme.startsWith("http")) return parts;
  // The host of `http:/a/b` and `http:////a/b` is a.
  const from = path.search(/[^/]|$/);
  const end = path.indexOf("/", from);
  return {
    ...parts,
    host: path.slice(from, end < 0 ? undefined : end),
    path: end < 0 ? "/" : path.slice(end),
  };
}

function splitAuthority(authority: string): { readonly host: string; readonly port: string } {
  let end = authority.length;
  while (end > 0 && authority[end - 1] === ":") end--;
  const info = authority.slice(authority.lastIndexOf("@", end - 1) + 1, end);
  const open = info.indexOf("[");
  if (open < 0) return splitAt(info, ":");
  const bracketed = splitAt(info.slice(open + 1), "]");
  return { host: bracketed.host, port: splitAt(bracketed.port, ":").port };
}

function splitAt(text: string, mark: string): { readonly host: string; readonly port: string } {
  const at = text.indexOf(mark);
  return at < 0 ? { host: text, port: "" } : { host: text.slice(0, at), port: text.slice(at + 1) };
}

function impliedPort(scheme: string): number {
  const lower = scheme.toLowerCase();
  return lower === "http" ? 80 : lower === "https" ? 443 : 0;
}
