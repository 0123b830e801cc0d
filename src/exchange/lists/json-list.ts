import { UrlmillError } from "../../base/errors.ts";

/** Holds the lines of a text in their order, and which is next. */
interface Lines {
  readonly all: number[];
  next: number;
}

/** Holds a list in JSON, and tells the lines of its texts. */
export class JsonList {
  readonly value: unknown;
  readonly #lines = new Map<string, Lines>();

  /** Throws `BAD_INPUT` for a text that is not JSON. */
  constructor(text: string) {
    try {
      this.value = JSON.parse(text);
    } catch (error) {
      throw new UrlmillError("BAD_INPUT", `the list is not JSON: ${(error as Error).message}`);
    }
    let line = 1;
    for (let at = 0; at < text.length; at++) {
      if (text[at] === "\n") line++;
      if (text[at] !== '"') continue;
      const end = stringEnd(text, at);
      this.#add(JSON.parse(text.slice(at, end)), line);
      at = end - 1;
    }
  }

  #add(string: string, line: number): void {
    const lines = this.#lines.get(string);
    if (lines === undefined) this.#lines.set(string, { all: [line], next: 0 });
    else lines.all.push(line);
  }

  /** Returns the line of a text. Texts are asked for in their order. */
  lineOf(text: string): number {
    const lines = this.#lines.get(text);
    if (lines === undefined) return 1;
    const { all, next } = lines;
    if (next + 1 < all.length) lines.next++;
    return all[next] as number;
  }
}

/**
 * Returns where the string of JSON ends that begins at a quote. A regular expression is not used: on a string of many
 * megabytes, it keeps a place to go back to for each character, and overflows the stack.
 */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** Returns the texts of a value that is a list of them; an empty list for anything else. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Returns the members of a value that is an object. */
export function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Returns the error for a list that has another form. */
export function otherForm(expected: string): UrlmillError {
  return new UrlmillError("BAD_INPUT", `the list does not have the form of ${expected}`);
}
