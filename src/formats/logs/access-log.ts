import { UrlmillError } from "../../base/errors.ts";
import { excerpt } from "../excerpt.ts";
import { type Format, SPACED_ADDITION } from "../format.ts";
import { lineFormat } from "../line-format.ts";
import { isBlank, Malformed, type Row, type RowReader, type Span } from "../row.ts";
import { unescapeLogItem } from "./log-item.ts";

const STATUS_AFTER = / \d{3}/y;
const ORIGIN = /^https?:\/\/[^\s/?#@\\]+(?=[/?#]|$)/i;
const ABSOLUTE = /^https?:\/\/[^/?#]/i;
const HOST_PORT = /^(\[[0-9a-f:.]+\]|[^:\s]+):(\d{1,5})$/i;

export interface AccessLogEntry {
  /** The text before the time: host, client, identity, user. */
  readonly fields: string;
  readonly time: string;
  readonly method: string;
  /** The target of the request, unescaped. */
  readonly target: string;
  /** Where it is written. */
  readonly span: Span;
  readonly status: string;
  readonly size: string;
}

/**
 * Reads a text line in Apache's or nginx's common or combined log format. The virtual host may be in front. Returns
 * null for a blank line.
 */
export function readAccessLogLine(line: string): AccessLogEntry | Malformed | null {
  if (isBlank(line)) return null;
  const timeAt = line.indexOf(" [");
  const timeEnd = line.indexOf('] "', timeAt);
  if (timeAt < 0 || timeEnd < 0) {
    return new Malformed(`no [time] and "request" in ${excerpt(line)}`);
  }
  const from = timeEnd + 3;
  const to = requestEnd(line, from);
  if (to < 0) return new Malformed("no status after the request");
  const request = line.slice(from, to);
  const written = targetOf(request);
  const targetAt = from + request.indexOf(written, request.indexOf(" ") + 1);
  const [status = "", size = ""] = line.slice(to + 2).split(" ", 2);
  return {
    fields: line.slice(0, timeAt),
    time: line.slice(timeAt + 2, timeEnd),
    method: request.slice(0, Math.max(0, request.indexOf(" "))),
    target: unescapeLogItem(written),
    span: { from: targetAt, to: targetAt + written.length },
    status,
    size,
  };
}

/**
 * Returns the origin of a site that an access log does not name. Throws `BAD_OPTION` if it is not an http or https URL.
 */
export function siteOf(base: string | undefined): string | undefined {
  if (base === undefined) return undefined;
  const [origin] = ORIGIN.exec(base) ?? [];
  if (origin !== undefined) return origin;
  throw new UrlmillError("BAD_OPTION", `base is "${base}", not like "http://example.org"`);
}

/** Returns whether a request asks for a page: GET and HEAD do. */
export function asksForPage({ method }: AccessLogEntry): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * Returns the URL of a request: its target after the origin of the host. The origin is the first of these: the target's own,
 * the virtual host's (`%v:%p` or `%v` in front), `site`. A virtual host is https if its port is 443, and has the scheme of
 * `site` if it has no port. Returns undefined if nothing names a host.
 */
export function requestedUrl(
  entry: AccessLogEntry,
  site: string | undefined,
): string | Malformed | undefined {
  const { target, fields } = entry;
  if (ABSOLUTE.test(target)) return target;
  if (!target.startsWith("/")) {
    return new Malformed(`the request's target is ${excerpt(target)}, not a path and not a URL`);
  }
  const host = virtualHost(fields, site) ?? site;
  return host === undefined ? undefined : host + target;
}

/** Returns the origin of the virtual host, if one stands before client, identity and user. */
function virtualHost(text: string, site: string | undefined): string | undefined {
  const [first = "", second, third, fourth] = text.split(" ", 4);
  if (fourth === undefined) return undefined;
  const [, host, port] = HOST_PORT.exec(first) ?? [];
  if (host !== undefined) {
    if (port === "443") return `https://${host}`;
    return port === "80" ? `http://${host}` : `http://${host}:${port}`;
  }
  // A user's name may hold a space, but then the second field is the identity.
  if (second === "-" || third !== "-") return undefined;
  return `${site?.startsWith("https:") ? "https" : "http"}://${first}`;
}

/** Reads the URLs of requests for pages. Any other request does not have one. */
class RequestReader implements RowReader {
  readonly header = null;
  readonly #site: string | undefined;

  /** Throws `BAD_OPTION`. */
  constructor(base: string | undefined) {
    this.#site = siteOf(base);
  }

  read(line: string): Row | Malformed | null {
    const entry = readAccessLogLine(line);
    if (entry === null || entry instanceof Malformed) return entry;
    const url = asksForPage(entry) ? requestedUrl(entry, this.#site) : undefined;
    if (url instanceof Malformed) return url;
    const text = (): string | undefined => url;
    return { text, encoded: text, span: () => entry.span };
  }
}

/** Returns the format of access logs, which has one URL a line. `base`: names the site if lines do not. */
export function accessLog(base: string | undefined): Format {
  return lineFormat({
    open: () => new RequestReader(base),
    quote: (key) => key,
    addition: SPACED_ADDITION,
  });
}

/**
 * Returns the position of the quote after the request: it is not escaped, and a status follows. Returns -1 if no
 * quote is like that.
 */
function requestEnd(line: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    const character = line[at];
    if (character === "\\") at++;
    else if (character === '"') {
      STATUS_AFTER.lastIndex = at + 1;
      if (STATUS_AFTER.test(line)) return at;
    }
  }
  return -1;
}

/** Returns the text between the method and the version. HTTP/0.9 has no version, and a target may contain spaces. */
function targetOf(request: string): string {
  const from = request.indexOf(" ") + 1;
  const version = request.lastIndexOf(" HTTP/");
  return request.slice(from, version < from ? request.length : version).trim();
}
