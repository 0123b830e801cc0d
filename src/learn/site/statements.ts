import { ownText } from "../records/values.ts";

/** Lists what pages of a site say of its URLs: that these lead to them too. One row is one statement. */
export interface Statements {
  /** Holds the number of the URL whose page makes the statement. */
  readonly pages: Int32Array;
  /** Holds the number of the URL that it names, in `targets`. */
  readonly urls: Int32Array;
  /** Holds the number of the kind of statement, in `kinds`. */
  readonly kindOf: Int32Array;
  /** Holds path and query of the URLs that are named. A list need not have them. */
  readonly targets: readonly string[];
  /** Holds the names of members of records, or for self links `#` and the pattern of the fragment. */
  readonly kinds: readonly string[];
}

/** Begins the kinds of self links. */
export const SELF = "#";

/** Returns a text with `<H>` for each 16 or more hexadecimal digits in a row, and `<N>` for other numbers. */
export function withClasses(text: string): string {
  return text.replace(/[\da-f]{16,}/gi, "<H>").replace(/\d+/g, "<N>");
}

export class StatementDraft {
  readonly #pages: number[] = [];
  readonly #urls: number[] = [];
  readonly #kindOf: number[] = [];
  readonly #targets = new Map<string, number>();
  readonly #kinds = new Map<string, number>();

  /** Adds that the page of a URL says by this kind of statement that `target` leads to it. */
  add(page: number, target: string, kind: string): void {
    this.#pages.push(page);
    this.#urls.push(numberOf(target, this.#targets));
    this.#kindOf.push(numberOf(kind, this.#kinds));
  }

  take(): Statements {
    return {
      pages: Int32Array.from(this.#pages),
      urls: Int32Array.from(this.#urls),
      kindOf: Int32Array.from(this.#kindOf),
      targets: [...this.#targets.keys()],
      kinds: [...this.#kinds.keys()],
    };
  }
}

function numberOf(text: string, numbers: Map<string, number>): number {
  let number = numbers.get(text);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(ownText(text), number);
  }
  return number;
}
