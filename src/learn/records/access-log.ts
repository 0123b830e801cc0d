import { UrlmillError } from "../../base/errors.ts";
import { excerpt } from "../../formats/excerpt.ts";
import { type AccessLogEntry, readAccessLogLine } from "../../formats/logs/access-log.ts";
import { Malformed } from "../../formats/row.ts";
import type { Draft, LineReader, Reading } from "./record.ts";
import { hasPayload, isHttpStatus, notNumber, notStatus, wholeNumber } from "./values.ts";

const ORIGIN = /^https?:\/\/[^\s/?#@]+\/?$/i;
const ABSOLUTE = /^https?:\/\/[^/?#]/i;
const HOST_PORT = /^(\[[0-9a-f:.]+\]|[^:\s]+):(\d{1,5})$/i;

/**
 * Returns a reader for access logs. GET and HEAD requests are records, others are not.
 *
 * A URL is the request's target after the host's origin. The origin is the first of these: the target's own, the
 * virtual host's (`%v:%p` or `%v` in front), `origin`. Without any of them the reader throws `BAD_OPTION`. A virtual
 * host is https if its port is 443, and has the scheme of `origin` if it has no port. Bytes sent are the size, except
 * for HEAD, 304 and 206.
 */
export function accessLogReader(origin?: string): LineReader {
  if (origin !== undefined && !ORIGIN.test(origin)) {
    throw new UrlmillError("BAD_OPTION", `origin is "${origin}", not like "http://example.org"`);
  }
  const site = origin?.replace(/\/$/, "");
  return (line) => {
    const entry = readAccessLogLine(line);
    return entry === null || entry instanceof Malformed ? entry : readEntry(entry, site);
  };
}

function readEntry(entry: AccessLogEntry, site: string | undefined): Reading {
  const { target } = entry;
  const isHead = entry.method === "HEAD";
  if (!isHead && entry.method !== "GET") return null;
  const status = wholeNumber(entry.status);
  if (status < 0) return notStatus(entry.status);
  const size = entry.size === "-" ? undefined : wholeNumber(entry.size);
  if (size !== undefined && size < 0) return notNumber("size", entry.size);
  const isAbsolute = ABSOLUTE.test(target);
  if (!isAbsolute && !target.startsWith("/")) {
    return new Malformed(`the request's target is ${excerpt(target)}, not a path and not a URL`);
  }
  const host = isAbsolute ? "" : (virtualHost(entry.fields, site) ?? site);
  if (host === undefined) {
    throw new UrlmillError(
      "BAD_OPTION",
      'the access log names no host; say origin, like "http://example.org"',
    );
  }
  const record: Draft = { url: host + target };
  if (isHttpStatus(status)) record.status = status;
  if (size !== undefined && !isHead && hasPayload(status)) record.size = size;
  record.ts = entry.time;
  return record;
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
