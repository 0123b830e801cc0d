import { damaged } from "./io-error.ts";

/** Says that content is missing at a place, and why. */
export interface Gap {
  /** Counts the bytes of the content before the place. */
  readonly at: number;
  /** Says, for people, what is damaged. */
  readonly reason: string;
}

/** Notes where the content of a source has gaps. Each is noted before the bytes after it are read. */
export class Gaps {
  /** Says whether the reader takes gaps. If it does not, damage is an error. */
  areTaken = false;
  /** Counts the bytes of the content so far. */
  position = 0;
  readonly found: Gap[] = [];

  note(reason: string): void {
    this.found.push({ at: this.position, reason });
  }

  /** Throws if there are gaps that the reader does not take. */
  check(): void {
    const [first] = this.found;
    if (first !== undefined && !this.areTaken) throw damaged(first.reason);
  }
}
