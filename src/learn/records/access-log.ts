import { UrlmillError } from "../../errors.ts";
import { unescapeLogItem } from "./log-item.ts";
import { type Draft, type LineReader, Malformed } from "./record.ts";
import { excerpt, hasPayload, isHttpStatus, noNumber, noStatus, wholeNumber } from "./values.ts";

const ORIGIN = /^https?:\/\/[^\s/?#@]+\/?$/i;
const ABSOLUTE = /^https?:\/\/[^/?#]/i;
const HOST_PORT = /^(\[[0-9a-f:.]+\]|[^:\s]+):(\d{1,5})$/i;

/**
 * Returns a reader for Apache's and nginx's common and combined logs, also with the virtual host in
 * front (`%v:%p` or `%v`). GET and HEAD requests are records, others are not.
 *
 * A URL is the request's target after the host's origin. The origin is the target's own, the
 * virtual host's (port 443 is https; without a port the scheme of `origin`) or `origin`; without
 * any of these the reader throws `BAD_OPTION`. Bytes sent are the size, except for HEAD, 304 and
 * 206.
 */
export function accessLogReader(origin?: string): LineReader {
  if (origin !== undefined && !ORIGIN.test(origin)) {
    throw new UrlmillError("BAD_OPTION", `origin is "${origin}", not like "http://example.org"`);
  }
  const site = origin?.replace(/\/$/, "");

  return (line) => {
    if (line.trim() === "") return null;
    const timeAt = line.indexOf(" [");
    const timeEnd = line.indexOf('] "', timeAt);
    if (timeAt < 0 || timeEnd < 0) {
      return new Malformed(`no [time] and "request" in ${excerpt(line)}`);
    }
    const from = timeEnd + 3;
    const to = requestEnd(line, from);
    if (to < 0) return new Malformed("no status after the request");
    const request = line.slice(from, to);
    const isHead = request.startsWith("HEAD ");
    if (!isHead && !request.startsWith("GET ")) return null;

    const [statusText = "", sizeText = ""] = line.slice(to + 2).split(" ", 2);
    const status = wholeNumber(statusText);
    if (status < 0) return noStatus(statusText);
    const size = sizeText === "-" ? undefined : wholeNumber(sizeText);
    if (size !== undefined && size < 0) return noNumber("size", sizeText);

    const target = unescapeLogItem(targetOf(request));
    const isAbsolute = ABSOLUTE.test(target);
    if (!isAbsolute && !target.startsWith("/")) {
      return new Malformed(`the request's target is ${excerpt(target)}, no path and no URL`);
    }
    const host = isAbsolute ? "" : (virtualHost(line.slice(0, timeAt), site) ?? site);
    if (host === undefined) {
      throw new UrlmillError(
        "BAD_OPTION",
        'the access log names no host; say origin, like "http://example.org"',
      );
    }
    const record: Draft = { url: host + target };
    if (isHttpStatus(status)) record.status = status;
    if (size !== undefined && !isHead && hasPayload(status)) record.size = size;
    record.ts = line.slice(timeAt + 2, timeEnd);
    return record;
  };
}

/** Where the quote after the request stands: one that is not escaped, with a status after it; or -1. */
function requestEnd(line: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    const character = line[at];
    if (character === "\\") at++;
    else if (character === '"' && line[at + 1] === " " && wholeNumber(line, at + 2, at + 5) >= 0) {
      return at;
    }
  }
  return -1;
}

/** What stands between the method and the version; HTTP/0.9 has none, and a target may hold spaces. */
function targetOf(request: string): string {
  const from = request.indexOf(" ") + 1;
  const version = request.lastIndexOf(" HTTP/");
  return request.slice(from, version < from ? request.length : version).trim();
}

/** The origin of the virtual host among the fields before the time: client, identity, user, and it in front. */
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
