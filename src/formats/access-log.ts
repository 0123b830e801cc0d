import { excerpt } from "./excerpt.ts";
import { unescapeLogItem } from "./log-item.ts";
import { isBlank, Malformed } from "./row.ts";

const STATUS_AFTER = / \d{3}/y;

/** Holds a request of an access log. */
export interface AccessLogEntry {
  /** What stands before the time: host, client, identity, user. */
  readonly fields: string;
  readonly time: string;
  readonly method: string;
  /** The request's target, its escapes undone. */
  readonly target: string;
  readonly status: string;
  readonly size: string;
}

/**
 * Reads a line, as text, of Apache's and nginx's common and combined logs, also with the virtual host in front. Returns null
 * for a blank line.
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
  const [status = "", size = ""] = line.slice(to + 2).split(" ", 2);
  return {
    fields: line.slice(0, timeAt),
    time: line.slice(timeAt + 2, timeEnd),
    method: request.slice(0, Math.max(0, request.indexOf(" "))),
    target: unescapeLogItem(targetOf(request)),
    status,
    size,
  };
}

/** Where the quote after the request stands: one that is not escaped, with a status after it; or -1. */
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

/** What stands between the method and the version; HTTP/0.9 has none, and a target may hold spaces. */
function targetOf(request: string): string {
  const from = request.indexOf(" ") + 1;
  const version = request.lastIndexOf(" HTTP/");
  return request.slice(from, version < from ? request.length : version).trim();
}
