import { BACKSLASH, COLON, isAlpha, PATH, SLASH } from "../chars.ts";
import { writeComponent } from "../component.ts";
import { isSpecial } from "../scheme.ts";

/** Returns whether a code is `/`, or `\` if the scheme is special. */
export function isSlash(code: number, special: boolean): boolean {
  return code === SLASH || (special && code === BACKSLASH);
}

/**
 * Returns whether a segment is a Windows drive letter (URL Standard): one letter and `:` or `|`.
 */
export function isDriveLetter(segment: string): boolean {
  return (
    segment.length === 2 &&
    isAlpha(segment.charCodeAt(0)) &&
    (segment[1] === ":" || segment[1] === "|")
  );
}

/**
 * Writes the path of a URL: keeps its segments, and whether the first is a Windows drive letter.
 */
export class PathWriter {
  readonly #special: boolean;
  readonly #file: boolean;
  #segments: string[] = [];
  #drive = false;
  #emptied = false;

  constructor(scheme: string) {
    this.#special = isSpecial(scheme);
    this.#file = scheme === "file";
  }

  /** Takes the segments of a path in normal form (`/a/b`, or ""), except its last one. */
  keep(path: string): void {
    if (path === "") return;
    this.#segments = path.slice(1).split("/");
    this.#drive = this.#file && isNormalDriveLetter(this.#segments[0] as string);
    this.#pop();
  }

  /** Takes the drive letter of a path in normal form, if it has one. */
  keepDrive(path: string): void {
    const first = path.slice(1).split("/", 1)[0] as string;
    if (!isNormalDriveLetter(first)) return;
    this.#segments.push(first);
    this.#drive = true;
  }

  /**
   * Adds the segments in `[start, end)`, which follow a `/`. Removes dot segments (RFC 3986 5.2.4) after
   * triplets are decoded.
   */
  add(text: string, start: number, end: number): void {
    for (let from = start; ; ) {
      let stop = from;
      while (stop < end && !isSlash(text.charCodeAt(stop), this.#special)) stop++;
      this.#addSegment(text, from, stop, stop === end);
      if (stop === end) return;
      from = stop + 1;
    }
  }

  toString(): string {
    return this.#segments.length === 0 ? "" : `/${this.#segments.join("/")}`;
  }

  /**
   * Returns the path as one that does not begin with `/`, by the letter of RFC 3986 5.2.4. It begins with `/`
   * only if dot segments removed its first segment.
   */
  toRootless(): string {
    return this.#emptied ? this.toString() : this.toString().slice(1);
  }

  #addSegment(text: string, start: number, end: number, last: boolean): void {
    if (this.#file && this.#segments.length === 0 && isDriveLetter(text.slice(start, end))) {
      this.#segments.push(`${text[start]}:`);
      this.#drive = true;
      return;
    }
    const segment = writeComponent(text, start, end, PATH);
    if (segment === "..") this.#pop();
    else if (segment !== ".") {
      this.#segments.push(segment);
      return;
    }
    if (last) this.#segments.push("");
  }

  /** Removes the last segment; a drive letter that is the whole path stays. */
  #pop(): void {
    if (this.#drive && this.#segments.length === 1) return;
    if (this.#segments.length === 1) this.#emptied = true;
    this.#segments.pop();
  }
}

function isNormalDriveLetter(segment: string): boolean {
  return segment.length === 2 && isAlpha(segment.charCodeAt(0)) && segment.charCodeAt(1) === COLON;
}
