import { excerpt } from "../excerpt.ts";
import { isBlank, Malformed } from "../row.ts";
import { unescapeLogItem } from "./log-item.ts";

const STATUS_AFTER = / \d{3}/y;

export interface AccessLogEntry {
  /** The text before the time: host, client, identity, user. */
  readonly fields: string;
  readonly time: string;
  readonly method: string;
  /** The target of the request, unescaped. */
  readonly target: string;
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
