import { entryOf } from "../../base/tallies.ts";
import type { Nodes } from "./nodes.ts";

/** Holds the page types of nodes: a script, or documents of one kind in one directory. */
export interface PageTypes {
  /** Holds the type of each node, numbered from 0 on. */
  readonly of: Int32Array;
  /** Says for each type whether its URLs name files that are not pages, as pictures are. */
  readonly isFile: readonly boolean[];
}

/** Matches the extension of a script. */
export const SCRIPT = /^(?:aspx?|cfm|cgi|dll|do|jspx?|php\d?|phtml|pl|py)$/i;
const DOCUMENT = /^[sx]?html?$/i;

/**
 * Sorts URLs of one site into types, each of which one program may write. The type of a script is its path. The type of
 * another URL is its first directory and the extension of its last segment. In both cases the name of the first
 * parameter counts, too.
 */
export function pageTypesOf(nodes: Nodes): PageTypes {
  const ofPath = nodes.paths.map(typeOf);
  const numbers = new Map<string, number>();
  const isFile: boolean[] = [];
  const of = new Int32Array(nodes.count);
  for (let node = 0; node < nodes.count; node++) {
    const path = ofPath[nodes.path[node] as number] as PathType;
    const name = nodes.firstName(node);
    const key = name < 0 ? path.text : `${path.text}?${name}`;
    of[node] = entryOf(numbers, key, () => isFile.push(path.isFile) - 1);
  }
  return { of, isFile };
}

interface PathType {
  readonly text: string;
  readonly isFile: boolean;
}

function typeOf(path: string): PathType {
  const last = path.slice(path.lastIndexOf("/") + 1);
  const dot = last.lastIndexOf(".");
  const extension = dot < 0 ? "" : last.slice(dot + 1);
  if (SCRIPT.test(extension)) return { text: withoutNumbers(path), isFile: false };
  const first = path.slice(0, path.indexOf("/", 1) + 1);
  const isKind = /^[a-z][a-z\d]{0,4}$/i.test(extension);
  const kind = isKind ? `.${extension.toLowerCase()}` : "";
  return {
    text: `${withoutNumbers(first)}*${kind}`,
    isFile: isKind && !DOCUMENT.test(extension),
  };
}

/** Returns the last segment of a path if it names a script, as `viewtopic.php` does; or null. */
export function scriptOf(path: string): string | null {
  const last = path.slice(path.lastIndexOf("/") + 1);
  const dot = last.lastIndexOf(".");
  return dot >= 0 && SCRIPT.test(last.slice(dot + 1)) ? last : null;
}

function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, "<N>");
}
