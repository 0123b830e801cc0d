/** The most brackets of a condition inside each other. */
const DEEPEST = 20;
const TOKEN = /\s*(&&|\|\||[!()]|[\w-]+)/y;

/**
 * Returns whether the condition of an `!#if` holds where all that it names is false, as `!ext_ubol` does: then it asks for no
 * blocker. Returns null for a condition that is not well-formed, or too deep.
 */
export function isForAny(condition: string): boolean | null {
  const reader = new ConditionReader(condition.trimEnd());
  const holds = reader.any(0);
  return reader.isAtEnd ? holds : null;
}

/** Reads a condition of names, `!`, `&&`, `||` and brackets, each character once. */
class ConditionReader {
  readonly #text: string;
  /** The next token. Empty at the end, and before text that is not a token. */
  #token = "";
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#next();
  }

  get isAtEnd(): boolean {
    return this.#token === "" && this.#at === this.#text.length;
  }

  any(depth: number): boolean | null {
    let holds = this.#all(depth);
    while (this.#takes("||")) holds = both(holds, this.#all(depth), (a, b) => a || b);
    return holds;
  }

  #all(depth: number): boolean | null {
    let holds = this.#one(depth);
    while (this.#takes("&&")) holds = both(holds, this.#one(depth), (a, b) => a && b);
    return holds;
  }

  #one(depth: number): boolean | null {
    let isNot = false;
    while (this.#takes("!")) isNot = !isNot;
    if (!this.#takes("(")) return this.#name() ? isNot : null;
    const holds = depth === DEEPEST ? null : this.any(depth + 1);
    return holds !== null && this.#takes(")") ? holds !== isNot : null;
  }

  #name(): boolean {
    const isName = /^[\w-]/.test(this.#token);
    if (isName) this.#next();
    return isName;
  }

  #takes(token: string): boolean {
    const isNext = this.#token === token;
    if (isNext) this.#next();
    return isNext;
  }

  #next(): void {
    TOKEN.lastIndex = this.#at;
    const [whole = "", token = ""] = TOKEN.exec(this.#text) ?? [];
    this.#at += whole.length;
    this.#token = token;
  }
}

function both(
  a: boolean | null,
  b: boolean | null,
  join: (a: boolean, b: boolean) => boolean,
): boolean | null {
  return a === null || b === null ? null : join(a, b);
}

/** Holds the `!#if` that are open: of each, whether its lines are for a blocker of no name, or null if that is not clear. */
export class OpenConditions {
  readonly #open: (boolean | null)[] = [];
  /** The number of those that are not for it. */
  #others = 0;

  /** Says whether the lines inside all of them are not for a blocker of no name. */
  get areForOthers(): boolean {
    return this.#others > 0;
  }

  begin(isForAny: boolean | null): void {
    this.#open.push(isForAny);
    if (isForAny !== true) this.#others++;
  }

  /** Goes on with the lines after `!#else`. */
  turn(): void {
    const isForAny = this.end();
    if (isForAny !== undefined) this.begin(isForAny === null ? null : !isForAny);
  }

  end(): boolean | null | undefined {
    const isForAny = this.#open.pop();
    if (isForAny !== undefined && isForAny !== true) this.#others--;
    return isForAny;
  }
}
