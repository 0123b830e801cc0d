import { UrlmillError } from "../../base/errors.ts";

/** Holds a list in JSON, and tells the lines of its texts. */
export class JsonList {
  readonly value: unknown;
  /** The lines of each text, in their order. */
  readonly #lines = new Map<string, number[]>();

  /** Throws `BAD_INPUT` for a text that is not JSON. */
  constructor(text: string) {
    try {
      this.value = JSON.parse(text);
    } catch (error) {
      throw new UrlmillError("BAD_INPUT", `the list is not JSON: ${(error as Error).message}`);
    }
    let line = 1;
    let at = 0;
    for (const found of text.matchAll(/"(?:[^"\\]|\\.)*"/g)) {
      for (; at < found.index; at++) if (text[at] === "\n") line++;
      const string = JSON.parse(found[0]) as string;
      const lines = this.#lines.get(string);
      if (lines === undefined) this.#lines.set(string, [line]);
      else lines.push(line);
    }
  }

  /** Returns the line of a text. Texts are asked for in their order. */
  lineOf(text: string): number {
    const lines = this.#lines.get(text) ?? [1];
    return (lines.length > 1 ? lines.shift() : lines[0]) as number;
  }
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
