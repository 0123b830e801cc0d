import { addMember } from "../../base/tallies.ts";
import { escapeText } from "../../site-rules/language/normal-text.ts";
import { isSaid } from "./attributes.ts";
import { sharedEnds, tokenize } from "./tokens.ts";

/** Tokens of a difference on either side, and numbers that a rule can copy. */
const LONGEST = 24;
const MAX_NUMBERS = 9;

/**
 * Holds rules that copy numbers, as actions: `sub /showthread.php?tid=<N><$> => /thread-<1>.html`. The two rules of a
 * bundle make two URLs one only together.
 */
export interface Templates {
  readonly single: readonly string[];
  readonly bundles: readonly (readonly [string, string])[];
}

/**
 * Describes a part of a difference: a text, a number or an id that both URLs have, another number, or a title. A title
 * is text after a number that both have: in `12-a-title` it is `a-title`, and `-` stands before it. Or it is a segment
 * of several words that only one URL has, with the slash after it.
 */
type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly id: number; readonly text: string }
  | { readonly kind: "other"; readonly text: string }
  | {
      readonly kind: "title";
      readonly before: string;
      readonly text: string;
      readonly after: string;
    };

/**
 * Returns the rules that make one of two URLs, given as tokens, the other, and copy the numbers that both have. Titles,
 * which only one of the two URLs has, or which differ, are left out.
 */
export function templatesOf(longer: readonly string[], shorter: readonly string[]): Templates {
  const single: string[] = [];
  const bundles: [string, string][] = [];
  const { start, end, hasNumber } = wordsThatDiffer(longer, shorter);
  const differs = [longer, shorter].map((side) => side.slice(start, side.length - end));
  // Parameters are told apart by their names; where they differ in order, that is for `sort`.
  const isOfOne = !differs.flat().some((token) => token === "&" || token === ";");
  const isShort = differs.every(({ length }) => length <= LONGEST);
  if (!isOfOne || !isShort) return { single, bundles };
  const [a, b] = joinIds(differs as [string[], string[]]);
  const isTitled = [a, b].some((side) => side.some((_, at) => segmentEnd(side, at) > at));
  if (!isTitled && !a.some(isShared)) return { single, bundles };
  const numbers = sharedNumbers(a, b);
  if (numbers.length > MAX_NUMBERS) return { single, bundles };
  const x = piecesOf(a, new Map(numbers.map(([at], id) => [at, id])), b);
  const y = piecesOf(b, new Map(numbers.map(([, at], id) => [at, id])), a);
  const tail = end === 0 ? "" : (longer.at(-end) as string);
  const head = longer[start - 1] as string;
  const word = wordBefore(longer, start - 1);
  for (const before of word === "" ? [head] : [head, `${word}${head}`]) {
    const sub = (from: readonly Piece[], to: readonly Piece[]) =>
      writeSub(before, from, to, tail, end === 0);
    // Without a number in what differs, a rule that copies no number does the same.
    if (hasNumber && numbers.length > 0) single.push(sub(asText(x), asText(y)));
    if (has(x, "other") && !has(y, "other")) single.push(sub(titlesAsText(x), asText(y)));
    if (has(y, "other") && !has(x, "other")) single.push(sub(titlesAsText(y), asText(x)));
    const [from, to] = has(x, "title") ? [x, y] : [y, x];
    if (!has(from, "title")) continue;
    const other = withoutTitles(to);
    // A rule cannot make a URL longer.
    if (!has(to, "title") && lengthOf(other) < lengthOf(from)) single.push(sub(from, other));
    else bundles.push([sub(from, withoutTitles(from)), sub(to, withoutTitles(from))]);
  }
  return { single, bundles };
}

/**
 * Returns how many tokens two URLs share before and after the words that differ, and whether the tokens that differ
 * hold a number.
 */
function wordsThatDiffer(
  a: readonly string[],
  b: readonly string[],
): { start: number; end: number; hasNumber: boolean } {
  let [start, end] = sharedEnds(a, b);
  const hasNumber = [a, b].some((side) => side.slice(start, side.length - end).some(isNumber));
  const toDelimiter = () => {
    while (start > 1 && !isDelimiter(a[start - 1] as string)) start--;
  };
  toDelimiter();
  while (end > 0 && !isDelimiter(a.at(-end) as string)) end--;
  const differs = a.slice(start, a.length - end);
  // The number may stand in the word before.
  if (!differs.some(isNumber) && start > 2) {
    start--;
    toDelimiter();
  }
  return { start: Math.max(1, start), end, hasNumber };
}

/** Returns the places of each number of `a` that `b` has too, there and here. */
function sharedNumbers(a: readonly string[], b: readonly string[]): [number, number][] {
  const open = new Map<string, number[]>();
  for (const [token, at] of numbersOf(b)) {
    addMember(open, token, at);
  }
  return [...numbersOf(a)].flatMap(([token, at]) => {
    const other = open.get(token)?.shift();
    return other === undefined ? [] : [[at, other] as [number, number]];
  });
}

/** Yields the numbers that are not in a title, with their places. */
function* numbersOf(tokens: readonly string[]): Generator<[string, number]> {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as string;
    if (!isShared(token)) continue;
    yield [token, at];
    at = Math.max(at, titleEnd(tokens, at + 1) - 1);
  }
}

function piecesOf(
  tokens: readonly string[],
  ids: ReadonlyMap<number, number>,
  others: readonly string[],
): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const id = ids.get(at);
    if (id !== undefined) {
      pieces.push({ kind: "number", id, text: tokens[at] as string });
      continue;
    }
    const slash = segmentEnd(tokens, at);
    const text = slash > at ? tokens.slice(at, slash).join("") : "";
    if (text !== "" && !others.join("").includes(text)) {
      pieces.push({ kind: "title", before: "", text, after: "/" });
      at = slash;
      continue;
    }
    const end = pieces.at(-1)?.kind === "number" ? titleEnd(tokens, at) : at;
    if (end > at) {
      const [before, ...title] = tokens.slice(at, end) as [string, ...string[]];
      pieces.push({ kind: "title", before, text: title.join(""), after: "" });
      at = end - 1;
    } else {
      const text = tokens[at] as string;
      pieces.push({ kind: isNumber(text) ? "other" : "text", text });
    }
  }
  return pieces;
}

/** Matches a segment of several words with `-` between, which may be a title. */
const WORDS = /^[^.]*[A-Za-z]{2}-[^.]*$/;

/** Returns where the segment ends that begins at `at`, if it may be a title and a slash follows; else `at`. */
function segmentEnd(tokens: readonly string[], at: number): number {
  if (at > 0 && tokens[at - 1] !== "/") return at;
  let end = at;
  while (end < tokens.length && !isDelimiter(tokens[end] as string)) end++;
  return tokens[end] === "/" && WORDS.test(tokens.slice(at, end).join("")) ? end : at;
}

/** Matches what is not a title after a dot. */
const EXTENSION = /^(?:s?html?|php|aspx?|jsp|do)$/;

/**
 * Returns where the title ends that a mark stands before at `at`; `at` if that is not a title. Only a title after `-`,
 * `_`, `:` or `/` may hold digits: `5.0.html` has none.
 */
function titleEnd(tokens: readonly string[], at: number): number {
  const mark = tokens[at] ?? "/";
  if (/[0-9A-Za-z]/.test(mark) || /[?&=;]/.test(mark)) return at;
  let end = at + 1;
  while (end < tokens.length && !isDelimiter(tokens[end] as string)) end++;
  const title = tokens.slice(at + 1, end).join("");
  if (mark === "." && EXTENSION.test(title)) return at;
  return /[A-Za-z]/.test(title) && (/^[-_:/]$/.test(mark) || !/\d/.test(title)) ? end : at;
}

function has(pieces: readonly Piece[], kind: Piece["kind"]): boolean {
  return pieces.some((piece) => piece.kind === kind);
}

function titlesAsText(pieces: readonly Piece[]): Piece[] {
  return pieces.map((piece) =>
    piece.kind === "title"
      ? { kind: "text", text: `${piece.before}${piece.text}${piece.after}` }
      : piece,
  );
}

/** Returns the pieces with texts for all but the numbers that both URLs have. */
function asText(pieces: readonly Piece[]): Piece[] {
  return titlesAsText(pieces).map((piece) =>
    piece.kind === "other" ? { kind: "text", text: piece.text } : piece,
  );
}

function withoutTitles(pieces: readonly Piece[]): Piece[] {
  return asText(pieces.filter(({ kind }) => kind !== "title"));
}

/** Returns the bytes that pieces have at least; a number, an id and a title have one. */
function lengthOf(pieces: readonly Piece[]): number {
  const shortest = pieces.map((piece) => (piece.kind === "text" ? piece : { ...piece, text: "1" }));
  return titlesAsText(shortest).reduce((length, { text }) => length + text.length, 0);
}

/** Writes the action that makes one side the other, between a text before and a text after. */
function writeSub(
  before: string,
  from: readonly Piece[],
  to: readonly Piece[],
  after: string,
  isAtEnd: boolean,
): string {
  const places = new Map<number, number>();
  let captures = 0;
  let pattern = "";
  for (const piece of from) {
    if (piece.kind !== "text") captures++;
    if (piece.kind === "number") places.set(piece.id, captures);
    if (piece.kind === "text") pattern += escapeText(piece.text, "*");
    else if (piece.kind === "title") {
      pattern += `${escapeText(piece.before, "*")}<T>${piece.after}`;
    } else pattern += isNumber(piece.text) ? "<N>" : "<T>";
  }
  const template = to
    .map((piece) => {
      if (piece.kind === "number") return `<${places.get(piece.id)}>`;
      return piece.kind === "text" ? piece.text : "";
    })
    .join("");
  const stop = isAtEnd ? "<$>" : "";
  const [head, tail] = [escapeText(before, "*"), escapeText(after, "*")];
  return `sub ${head}${pattern}${tail}${stop} => ${before}${template}${after}`;
}

/** Returns the word that ends at `end` with the delimiter before it, if a rule can ask for it; or "". */
function wordBefore(tokens: readonly string[], end: number): string {
  let start = end;
  while (start > 0 && !isDelimiter(tokens[start - 1] as string)) start--;
  const word = tokens.slice(Math.max(0, start - 1), end).join("");
  return start < end && isSaid(word) ? word : "";
}

/** Matches an id: letters and digits, of a product for example. */
const ID = /^(?=.*\d)(?=.*[A-Za-z])[0-9A-Za-z]{5,}$/;
const MIXED = /\d[A-Za-z]|[A-Za-z]\d/;

/** Makes one token of each id that both URLs have. */
function joinIds(sides: readonly [string[], string[]]): readonly [string[], string[]] {
  if (!sides.every((side) => MIXED.test(side.join("")))) return sides;
  const [x, y] = sides.map((side) => side.join("").split(/([/?&=;:])/)) as [string[], string[]];
  const ids = new Set(x.filter((text) => ID.test(text) && y.includes(text)));
  const joined = (texts: readonly string[]) =>
    texts.flatMap((text) => (ids.has(text) ? [text] : tokenize(text)));
  return ids.size === 0 ? sides : [joined(x), joined(y)];
}

/** Returns whether a token is copied where both URLs have it. */
function isShared(token: string): boolean {
  return isNumber(token) || ID.test(token);
}

function isNumber(token: string): boolean {
  return /^\d+$/.test(token);
}

function isDelimiter(token: string): boolean {
  return /^[/?&=;:]$/.test(token);
}
