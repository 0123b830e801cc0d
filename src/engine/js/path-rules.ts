import { SESSION_PATH_PARAMETER } from "../../lists/session-ids.ts";
import type { LoadedProfile } from "../../plan/decode.ts";
import { isDriveLetter, PathWriter } from "./path.ts";

/** `;jsessionid=x` up to the next `;` or the end of the segment; dot segments it leaves go too. */
export function dropPathSession(path: string, scheme: string): string {
  // A file has no session, and taking one away could make a Windows drive letter.
  if (scheme === "file" || !path.toLowerCase().includes(SESSION_PATH_PARAMETER)) return path;
  const kept = path
    .split("/")
    .map((segment) =>
      segment
        .split(";")
        .filter(
          (piece, at) => at === 0 || !`;${piece}`.toLowerCase().startsWith(SESSION_PATH_PARAMETER),
        )
        .join(";"),
    )
    .join("/");
  const writer = new PathWriter(scheme);
  writer.add(kept, 1, kept.length);
  return writer.toString();
}

export function collapseSlashes(path: string, { duplicateSlashes }: LoadedProfile): string {
  if (duplicateSlashes === "keep" || !path.includes("//")) return path;
  const [first, ...rest] = path.split("/");
  const last = rest.pop() as string;
  return [first, ...rest.filter((segment) => segment !== ""), last].join("/");
}

/** The last segment goes when it is on the list, its `/` stays. */
export function dropIndex(path: string, { directoryIndex }: LoadedProfile): string {
  if (directoryIndex === null) return path;
  const start = path.lastIndexOf("/") + 1;
  return directoryIndex.has(path.slice(start)) ? path.slice(0, start) : path;
}

export function setTrailingSlash(path: string, scheme: string, profile: LoadedProfile): string {
  if (profile.trailingSlash === "remove") return dropTrailingSlashes(path, scheme);
  if (profile.trailingSlash === "keep" || path.endsWith("/") || path === "") return path;
  return path.includes(".", path.lastIndexOf("/")) ? path : `${path}/`;
}

/** Never the root's, nor that of a Windows drive. */
function dropTrailingSlashes(path: string, scheme: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === "/") end--;
  const kept = path.slice(0, end);
  return scheme === "file" && isDriveLetter(kept.slice(1)) && end < path.length ? `${kept}/` : kept;
}
