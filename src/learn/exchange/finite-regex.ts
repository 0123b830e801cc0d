import { badRule } from "../../site-rules/language/bad-rule.ts";

/** More texts than anybody lists by hand, and their characters in all. */
const MOST = 1000;
const MOST_CHARACTERS = 1 << 16;
/** Groups in one another. */
const DEEPEST = 100;

/** Put on a letter that `(?i)` holds for: a place in Unicode's private use area. */
const FOLDED = 0xe000;

/** Holds the texts that a pattern matches, if they can be counted. */
export interface FiniteRegex {
  /** Where `(?i)` holds: as written, in lower and upper case, and with a capital in front. */
  readonly texts: readonly string[];
  /** Whether it also matches some of these in other case. */
  readonly isFolded: boolean;
  /** Groups that capture. */
  readonly groups: number;
  /** Whether the pattern is a choice as a whole, so that what is put after it belongs to its last part. */
  readonly isChoice: boolean;
}

/**
 * Lists what a Java pattern of characters, alternatives, groups, classes, `?` and `{n}` matches; null for
 * any other pattern. Throws `BAD_RULES` for one that matches more than a thousand texts, or texts of more than
 * 65,536 characters in all, or has more than a hundred groups in one another.
 */
export function finiteRegex(pattern: string): FiniteRegex | null {
  const reader = new Reader(pattern);
  const texts = reader.alternatives();
  if (texts === null || !reader.isAtEnd()) return null;
  const { isFolded, groups, isChoice } = reader;
  return { texts: [...new Set(texts.flatMap(spellings))], isFolded, groups, isChoice };
}

function spellings(marked: string): string[] {
  const spell = (write: (letter: string, isFirst: boolean) => string) => {
    let isFirst = true;
    return marked.replace(/[\uE000-\uE07F]/g, (mark) => {
      const letter = write(String.fromCharCode(mark.charCodeAt(0) - FOLDED), isFirst);
      isFirst = false;
      return letter;
    });
  };
  return [
    spell((letter) => letter),
    spell((letter) => letter.toLowerCase()),
    spell((letter) => letter.toUpperCase()),
    spell((letter, isFirst) => (isFirst ? letter.toUpperCase() : letter.toLowerCase())),
  ];
}

class Reader {
  readonly #pattern: string;
  #at = 0;
  #folds = false;
  #depth = 0;
  isFolded = false;
  isChoice = false;
  groups = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  isAtEnd(): boolean {
    return this.#at === this.#pattern.length;
  }

  alternatives(): string[] | null {
    const all: string[] = [];
    do {
      const texts = this.#sequence();
      if (texts === null) return null;
      for (const text of texts) all.push(text);
      checkSize(all.length, charactersOf(all));
      if (this.#depth === 0 && this.#next() === "|") this.isChoice = true;
    } while (this.#takes("|"));
    return all;
  }

  #sequence(): string[] | null {
    let texts = [""];
    while (!this.isAtEnd() && !/[|)]/.test(this.#next())) {
      if (this.#takes("(?i)")) {
        this.#folds = true;
        this.isFolded = true;
        continue;
      }
      const atom = this.#atom();
      const repeated = atom === null ? null : this.#quantified(atom);
      if (repeated === null) return null;
      texts = joinEach(texts, repeated);
    }
    return texts;
  }

  #atom(): string[] | null {
    if (this.#takes("(")) {
      if (!this.#takes("?:")) {
        if (this.#next() === "?") return null;
        this.groups++;
      }
      const folds = this.#folds;
      this.#depth++;
      if (this.#depth > DEEPEST) throw badRule(`it has more than ${DEEPEST} groups in one another`);
      const texts = this.alternatives();
      this.#depth--;
      this.#folds = folds;
      return this.#takes(")") ? texts : null;
    }
    if (this.#takes("[")) return this.#classOf();
    const character = this.#character(/[\^$.?*+{}[\]]/);
    return character === null ? null : [character];
  }

  #classOf(): string[] | null {
    const characters: string[] = [];
    while (!this.#takes("]")) {
      const isIntersection = this.#pattern.startsWith("&&", this.#at);
      const character = this.#character(/[\^[\]-]/);
      if (character === null || isIntersection) return null;
      characters.push(character);
    }
    return characters.length === 0 ? null : characters;
  }

  /** A character that stands for itself, perhaps after a backslash. */
  #character(special: RegExp): string | null {
    if (this.isAtEnd()) return null;
    if (this.#takes("\\")) {
      const escaped = this.#next();
      if (!/^[!-~]$/.test(escaped) || /[a-z0-9]/i.test(escaped)) return null;
      this.#at++;
      return escaped;
    }
    const character = this.#next();
    if (special.test(character) || character > "~") return null;
    this.#at++;
    const isMarked = this.#folds && /[a-z]/i.test(character);
    return isMarked ? String.fromCharCode(character.charCodeAt(0) + FOLDED) : character;
  }

  #quantified(texts: string[]): string[] | null {
    let repeated: string[] | null = texts;
    if (this.#takes("?")) repeated = ["", ...texts];
    else if (this.#next() === "{") {
      const times = /^\{(\d)\}/.exec(this.#pattern.slice(this.#at));
      if (times === null) return null;
      this.#at += times[0].length;
      repeated = repeat(texts, Number(times[1]));
      this.#takes("?");
    }
    return /[?*+{]/.test(this.#next()) ? null : repeated;
  }

  #next(): string {
    return this.#pattern[this.#at] ?? "";
  }

  #takes(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}

function repeat(texts: readonly string[], times: number): string[] {
  let repeated = [""];
  for (let time = 0; time < times; time++) repeated = joinEach(repeated, texts);
  return repeated;
}

/** Each of some texts with each of others after it. */
function joinEach(starts: readonly string[], ends: readonly string[]): string[] {
  const characters = charactersOf(starts) * ends.length + charactersOf(ends) * starts.length;
  checkSize(starts.length * ends.length, characters);
  return starts.flatMap((start) => ends.map((end) => start + end));
}

function charactersOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function checkSize(texts: number, characters: number): void {
  if (texts > MOST) throw badRule(`it matches more than ${MOST} texts, the most that are listed`);
  if (characters <= MOST_CHARACTERS) return;
  throw badRule(
    `it matches texts of more than ${MOST_CHARACTERS} characters in all, the most that are listed`,
  );
}
