import {
  SESSION_ID,
  SESSION_LETTERS,
  SESSION_PATH_PARAMETER,
} from "../../../base/lists/session-ids.ts";
import { STAGES } from "../../../options/stages.generated.ts";
import type { LoadedProfile } from "../../../plan/decode/decode.ts";
import { lowerCase } from "../../../url/bytes.ts";
import { HYPHEN, hasClass, isAlpha, isDigit, SCHEME, UNDERSCORE } from "../../../url/chars.ts";
import { isDriveLetter, PathWriter } from "../../../url/path/path.ts";
import { withSlash } from "../../../url/path/trailing-slash.ts";

/** Names a step that changes a path. */
type PathStep = (typeof STAGES)["path" | "pathEnd"][number];
/** Returns what a step makes of a path. */
type ChangePath = (path: string, profile: LoadedProfile, scheme: string) => string;

const CHANGES: Readonly<Record<PathStep, ChangePath>> = {
  sessionIds: dropPathSession,
  case: lowerPath,
  duplicateSlashes: collapseSlashes,
  directoryIndex: dropIndex,
  trailingSlash: setTrailingSlash,
};
const inOrder = (steps: readonly PathStep[]) =>
  steps.map((step) => ({ step, change: CHANGES[step] }));
/** Lists the steps of the stage `path`, in their order. */
export const PATH_STEPS = inOrder(STAGES.path);
/** Lists the steps of the stage `pathEnd`, in their order. */
export const PATH_END_STEPS = inOrder(STAGES.pathEnd);

/**
 * Removes session ids from a path: `;jsessionid=x` up to the next `;` or the end of the segment, then
 * segments such as `(S(x))`. Also removes dot segments that this leaves.
 */
function dropPathSession(path: string, profile: LoadedProfile, scheme: string): string {
  // A file URL has no session ids. Removing one could make a Windows drive letter.
  if (profile.sessionIds === "keep" || scheme === "file" || !hasSession(path)) return path;
  const segments = path.slice(1).split("/").map(withoutParameter);
  const last = segments.pop() as string;
  const isId = (segment: string) => isSessionSegment(segment, profile);
  const text = [...segments.filter((segment) => !isId(segment)), isId(last) ? "" : last].join("/");
  const writer = new PathWriter(scheme);
  writer.add(text, 0, text.length);
  return writer.toString();
}

/** Returns whether a path may hold a session id. */
function hasSession(path: string): boolean {
  const hasParameter = path.includes(";") && path.toLowerCase().includes(SESSION_PATH_PARAMETER);
  return hasParameter || path.includes("/(");
}

function withoutParameter(segment: string): string {
  if (!segment.includes(";")) return segment;
  return segment
    .split(";")
    .filter(
      (piece, at) => at === 0 || !`;${piece}`.toLowerCase().startsWith(SESSION_PATH_PARAMETER),
    )
    .join(";");
}

/** Returns whether a segment is a session id of ASP.NET in parentheses, or a list of named ones. */
function isSessionSegment(segment: string, profile: LoadedProfile): boolean {
  if (!segment.startsWith("(") || !segment.endsWith(")")) return false;
  // Otherwise the id is removed only when its URL is normalized again.
  const inner = lowerPath(segment.slice(1, -1), profile);
  return isSessionId(inner) || isSessionList(inner);
}

function isSessionId(text: string): boolean {
  if (text.length !== SESSION_ID.length) return false;
  for (const character of text) if (!SESSION_ID.characters.includes(character)) return false;
  return true;
}

/** Returns whether a text is `A(…)`, `S(…)` and `F(…)`, one or more of them, each with an id. */
function isSessionList(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    const letter = lowerCase(text.charAt(at));
    if (!SESSION_LETTERS.includes(letter) || text[at + 1] !== "(") return false;
    const start = at + 2;
    at = start;
    while (isIdCharacter(text.charCodeAt(at))) at++;
    if (at === start || text[at] !== ")") return false;
    at++;
  }
  return at > 0;
}

function isIdCharacter(code: number): boolean {
  return isDigit(code) || isAlpha(code) || code === HYPHEN || code === UNDERSCORE;
}

/** Writes the path in lower case if the option `case` says so. */
function lowerPath(path: string, profile: LoadedProfile): string {
  return profile.case === "keep" ? path : lowerCase(path);
}

/**
 * Removes empty segments, except the one after `http:` and the like, which is part of a URL within the path.
 */
function collapseSlashes(path: string, { duplicateSlashes }: LoadedProfile): string {
  if (duplicateSlashes === "keep" || !path.includes("//")) return path;
  const [first, ...rest] = path.split("/");
  const last = rest.pop() as string;
  const kept = [first as string];
  for (const segment of rest) {
    if (segment !== "" || endsInScheme(kept.at(-1) as string)) kept.push(segment);
  }
  return [...kept, last].join("/");
}

/** Returns whether a segment is a scheme of two characters or more (RFC 3986 3.1) and `:`. */
function endsInScheme(segment: string): boolean {
  if (!segment.endsWith(":")) return false;
  const end = segment.length - 1;
  let at = end;
  while (at > 0 && hasClass(segment.charCodeAt(at - 1), SCHEME)) at--;
  if (segment[at - 1] === "%") at += 2;
  for (; at + 1 < end; at++) if (isAlpha(segment.charCodeAt(at))) return true;
  return false;
}

/** Removes the last segment if it is on the list of `directoryIndex`; its `/` stays. */
function dropIndex(path: string, { directoryIndex }: LoadedProfile): string {
  if (directoryIndex === null) return path;
  const start = path.lastIndexOf("/") + 1;
  return directoryIndex.has(path.slice(start)) ? path.slice(0, start) : path;
}

/** Adds or removes the slash at the end of a path, as the option `trailingSlash` says. */
function setTrailingSlash(path: string, profile: LoadedProfile, scheme: string): string {
  if (profile.trailingSlash === "remove") return dropTrailingSlashes(path, scheme);
  return profile.trailingSlash === "keep" || path === "" ? path : withSlash(path);
}

/** Removes the slashes at the end, but not that of the root or of a Windows drive. */
function dropTrailingSlashes(path: string, scheme: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === "/") end--;
  const kept = path.slice(0, end);
  return scheme === "file" && isDriveLetter(kept.slice(1)) && end < path.length ? `${kept}/` : kept;
}
