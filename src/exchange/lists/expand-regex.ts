import { ANY_BYTES } from "../../site-rules/rule.ts";

/** The most characters of an expression that is read. Those of lists have about a hundred. */
export const LONGEST = 2000;
/** The most texts that one pattern may stand for, all their characters, and the most groups inside each other. */
const MOST = 64;
const MOST_CHARACTERS = 10_000;
const DEEPEST = 20;

/** Matches a piece of a pattern: an escape, a class, `.*`, or one character. */
const PIECE = /\\([^A-Za-z0-9])|\[([^\]\\^]+)\]|(\.\*)|([^\\[\](){}|.*+?^$])/y;

/**
 * Returns all texts that a regular expression matches, from end to end; null if they are too many, if it is too long or too
 * deep, or if it has more than texts, `\.`, `[ab]`, groups, alternatives, `?`, and `.*`, which becomes `<*>`.
 */
export function expandRegex(regex: string): string[] | null {
  if (regex.length > LONGEST) return null;
  const reader = new RegexReader(regex);
  const texts = reader.alternatives(0);
  return reader.isAtEnd ? texts : null;
}

/** Reads an expression from its beginning to its end, each character once. */
class RegexReader {
  readonly #regex: string;
  #at = 0;

  constructor(regex: string) {
    this.#regex = regex;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#regex.length;
  }

  /** Returns the texts of the alternatives up to the end of their group, which has so many others around it. */
  alternatives(depth: number): string[] | null {
    const texts = new Set<string>();
    let count = 0;
    do {
      const found = this.#sequence(depth);
      if (found === null) return null;
      count += found.length;
      if (count > MOST) return null;
      for (const text of found) texts.add(text);
    } while (this.#takes("|"));
    return [...texts];
  }

  #sequence(depth: number): string[] | null {
    let texts = [""];
    /** The characters of the longest text, where a piece counts one at least. */
    let longest = 0;
    while (!this.isAtEnd && !"|)".includes(this.#regex[this.#at] as string)) {
      const choices = this.#takes("(") ? this.#group(depth + 1) : this.#piece();
      if (choices === null) return null;
      const count = texts.length * choices.length;
      longest += Math.max(1, ...choices.map((choice) => choice.length));
      if (count > MOST || count * longest > MOST_CHARACTERS) return null;
      texts = texts.flatMap((text) => choices.map((choice) => text + choice));
    }
    return texts;
  }

  #group(depth: number): string[] | null {
    if (this.#takes("?") && !this.#takes(":")) return null;
    const choices = depth > DEEPEST ? null : this.alternatives(depth);
    if (choices === null || !this.#takes(")")) return null;
    return this.#takes("?") ? [...choices, ""] : choices;
  }

  #piece(): string[] | null {
    PIECE.lastIndex = this.#at;
    const [whole, escaped, members, any, plain] = PIECE.exec(this.#regex) ?? [];
    if (whole === undefined) return null;
    this.#at += whole.length;
    if (any !== undefined) return [ANY_BYTES];
    const choices = members === undefined ? [(escaped ?? plain) as string] : membersOf(members);
    return choices !== null && this.#takes("?") ? [...choices, ""] : choices;
  }

  #takes(character: string): boolean {
    const isNext = this.#regex[this.#at] === character;
    if (isNext) this.#at++;
    return isNext;
  }
}

/** Returns the characters of a class that lists them. A range such as `a-z` has too many to be told one by one. */
function membersOf(members: string): string[] | null {
  return /[^-]-[^-]/.test(members) ? null : [...members];
}

/** Splits an expression at each `|` that is in no group and no class; null if it is too long, or if groups do not close. */
export function splitAlternatives(regex: string): string[] | null {
  if (regex.length > LONGEST) return null;
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  let hasClasses = true;
  for (let at = 0; at < regex.length; at++) {
    if (regex[at] === "\\") at++;
    else if (regex[at] === "[" && hasClasses) {
      const end = classEnd(regex, at);
      // If nothing closes this class, nothing closes a later one.
      if (end === undefined) hasClasses = false;
      else at = end;
    } else if (regex[at] === "(") depth++;
    else if (regex[at] === ")") depth--;
    else if (regex[at] === "|" && depth === 0) {
      pieces.push(regex.slice(start, at));
      start = at + 1;
    }
  }
  return depth === 0 ? [...pieces, regex.slice(start)] : null;
}

/** Returns where the bracket is that closes a class; undefined if none does. */
function classEnd(regex: string, start: number): number | undefined {
  for (let at = start + 1; at < regex.length; at++) {
    if (regex[at] === "\\") at++;
    else if (regex[at] === "]") return at;
  }
  return undefined;
}
