import { DOT, SLASH } from "../chars.ts";

/**
 * Removes the dot segments (RFC 3986 5.2.4) of a path that begins with `/` and is otherwise in normal form.
 * Returns the same path if it has no dot segments. Use `PathWriter` for the path of a file URL, in which a drive letter
 * stays.
 */
export function withoutDotSegments(path: string): string {
  let next = path.indexOf("/.");
  if (next < 0) return path;
  const kept = new KeptRuns(path);
  let from = 0;
  for (; next >= 0; next = path.indexOf("/.", from)) {
    const dots = countDots(path, next + 1);
    if (dots === 0) {
      // A name such as `.well-known`.
      const slash = path.indexOf("/", next + 1);
      kept.add(from, slash < 0 ? path.length : slash);
      if (slash < 0) return kept.toString();
      from = slash;
      continue;
    }
    kept.add(from, next);
    if (dots === 2) kept.removeSegment();
    from = next + 1 + dots;
    if (from === path.length) return `${kept.toString()}/`;
  }
  kept.add(from, path.length);
  return kept.toString();
}

/** Returns 1 for a segment `.` at `start`, 2 for `..`, and 0 for another segment. */
function countDots(path: string, start: number): number {
  const dots = path.charCodeAt(start + 1) === DOT ? 2 : 1;
  const end = start + dots;
  return end === path.length || path.charCodeAt(end) === SLASH ? dots : 0;
}

/** Holds the parts of a path to keep: runs of whole segments, each with the `/` before it. */
class KeptRuns {
  readonly #path: string;
  /** Where each run begins and ends, in turns. */
  readonly #bounds: number[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  add(start: number, end: number): void {
    if (start === end) return;
    if (this.#bounds.at(-1) === start) this.#bounds.pop();
    else this.#bounds.push(start);
    this.#bounds.push(end);
  }

  removeSegment(): void {
    const end = this.#bounds.pop();
    if (end === undefined) return;
    const slash = this.#path.lastIndexOf("/", end - 1);
    if (slash === this.#bounds.at(-1)) this.#bounds.pop();
    else this.#bounds.push(slash);
  }

  toString(): string {
    let text = "";
    for (let run = 0; run < this.#bounds.length; run += 2)
      text += this.#path.slice(this.#bounds[run], this.#bounds[run + 1]);
    return text;
  }
}
