import { addMember } from "../../base/tallies.ts";
import { escapeText } from "../../site-rules/language/normal-text.ts";
import { isSaid } from "./attributes.ts";
import { sharedEnds } from "./tokens.ts";

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
 * Describes a part of a difference: a text, a number that both URLs have, another number, or a title. A title is text
 * after a number that both have: in `12-a-title` it is `a-title`, and `-` stands before it.
 */
type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly id: number }
  | { readonly kind: "other"; readonly text: string }
  | { readonly kind: "title"; readonly before: string; readonly text: string };

/**
 * Returns the rules that make one of two URLs, given as tokens, the other, and copy the numbers that both have. Titles,
 * which only one of the two URLs has, or which differ, are left out.
 */
export function templatesOf(longer: readonly string[], shorter: readonly string[]): Templates {
  const single: string[] = [];
  const bundles: [string, string][] = [];
  const { start, end, hasNumber } = wordsThatDiffer(longer, shorter);
  const a = longer.slice(start, longer.length - end);
  const b = shorter.slice(start, shorter.length - end);
  // Parameters are told apart by their names; where they differ in order, that is for `sort`.
  const isOfOne = ![...a, ...b].some((token) => token === "&" || token === ";");
  const isShort = a.length <= LONGEST && b.length <= LONGEST;
  if (!isOfOne || !isShort || !a.some(isNumber)) return { single, bundles };
  const numbers = sharedNumbers(a, b);
  if (numbers.length > MAX_NUMBERS) return { single, bundles };
  const x = piecesOf(a, new Map(numbers.map(([at], id) => [at, id])));
  const y = piecesOf(b, new Map(numbers.map(([, at], id) => [at, id])));
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
    const [less, other] = [withoutTitles(x), withoutTitles(y)];
    const [from, to] = has(x, "title") ? [x, y] : [y, x];
    if (!has(from, "title")) continue;
    if (isSame(less, other)) single.push(sub(from, less));
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
    if (!isNumber(token)) continue;
    yield [token, at];
    at = Math.max(at, titleEnd(tokens, at + 1) - 1);
  }
}

function piecesOf(tokens: readonly string[], ids: ReadonlyMap<number, number>): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const id = ids.get(at);
    if (id !== undefined) {
      pieces.push({ kind: "number", id });
      continue;
    }
    const end = pieces.at(-1)?.kind === "number" ? titleEnd(tokens, at) : at;
    if (end > at) {
      const [before, ...title] = tokens.slice(at, end) as [string, ...string[]];
      pieces.push({ kind: "title", before, text: title.join("") });
      at = end - 1;
    } else {
      const text = tokens[at] as string;
      pieces.push({ kind: isNumber(text) ? "other" : "text", text });
    }
  }
  return pieces;
}

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
  return /[A-Za-z]/.test(title) && (/^[-_:/]$/.test(mark) || !/\d/.test(title)) ? end : at;
}

function has(pieces: readonly Piece[], kind: Piece["kind"]): boolean {
  return pieces.some((piece) => piece.kind === kind);
}

function titlesAsText(pieces: readonly Piece[]): Piece[] {
  return pieces.map((piece) =>
    piece.kind === "title" ? { kind: "text", text: `${piece.before}${piece.text}` } : piece,
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

function isSame(a: readonly Piece[], b: readonly Piece[]): boolean {
  return a.length === b.length && a.every((piece, at) => isSamePiece(piece, b[at] as Piece));
}

function isSamePiece(a: Piece, b: Piece): boolean {
  if (a.kind === "number") return b.kind === "number" && a.id === b.id;
  return a.kind === b.kind && a.text === (b as typeof a).text;
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
    else pattern += piece.kind === "title" ? `${escapeText(piece.before, "*")}<T>` : "<N>";
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

function isNumber(token: string): boolean {
  return /^\d+$/.test(token);
}

function isDelimiter(token: string): boolean {
  return /^[/?&=;:]$/.test(token);
}
