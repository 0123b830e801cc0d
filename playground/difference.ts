import { make } from "./dom.ts";

/** Longer texts are cut where they are shown. */
const SHOWN = 2000;
/** Products of pieces up to which two texts are compared piece by piece. */
const COMPARED = 1_000_000;

/** A piece of a text, and whether the other text has it too. */
export interface Piece {
  readonly text: string;
  readonly isShared: boolean;
}

/** A word of a text, or a parameter that the other text has too, wherever it is there. */
interface Word {
  readonly text: string;
  readonly isParam: boolean;
}

/**
 * Cuts a URL into pieces and tells which of them another URL has. A whole parameter of the query may stand anywhere in
 * the other; words, triplets and single characters must come in the same order.
 */
export function differingPieces(text: string, other: string): Piece[] {
  const params = sharedParams(text, other);
  const [own, others] = [wordsOf(text, params), wordsOf(other, params)];
  if (own.length * others.length > COMPARED) return [{ text, isShared: text === other }];
  const plain = (words: readonly Word[]): string[] =>
    words.flatMap((word) => (word.isParam ? [] : [word.text]));
  const isShared = sharedWords(plain(own), plain(others)).values();
  const pieces: { text: string; isShared: boolean }[] = [];
  for (const word of own) {
    const isIn = word.isParam || isShared.next().value === true;
    const last = pieces.at(-1);
    if (last !== undefined && last.isShared === isIn) last.text += word.text;
    else pieces.push({ text: word.text, isShared: isIn });
  }
  return pieces;
}

/** Makes code of a URL, with what another URL does not have marked. */
export function markedUrl(text: string, other: string): HTMLElement {
  const shown = cut(text);
  const nodes = differingPieces(shown, cut(other)).map((piece) =>
    piece.isShared ? piece.text : make("mark", {}, piece.text),
  );
  return urlCode(...nodes);
}

/** Makes code of a URL, written left to right wherever it comes from. */
export function plainUrl(text: string): HTMLElement {
  return urlCode(cut(text));
}

function urlCode(...nodes: readonly (Node | string)[]): HTMLElement {
  return make("code", {}, make("bdi", { dir: "ltr" }, ...nodes));
}

function cut(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** Cuts a URL before its query, between parameters, and after its query. */
function partsOf(text: string): { before: string; params: string[]; after: string } {
  const [, before = text, query = "", after = ""] = /^([^?#]*\?)([^#]*)(.*)$/s.exec(text) ?? [];
  return { before, params: query.split(/([&;])/), after };
}

/** Counts the parameters that two URLs have, by their texts. */
function sharedParams(text: string, other: string): Map<string, number> {
  const [own, others] = [text, other].map((url) => counts(partsOf(url).params)) as [Counts, Counts];
  const shared = [...own].map(
    ([param, times]) => [param, Math.min(times, others.get(param) ?? 0)] as const,
  );
  return new Map(shared.filter(([, times]) => times > 0));
}

type Counts = Map<string, number>;

function counts(params: readonly string[]): Counts {
  const found: Counts = new Map();
  for (const param of params) {
    if (!/^[&;]?$/.test(param)) found.set(param, (found.get(param) ?? 0) + 1);
  }
  return found;
}

/** Returns the words of a URL. A parameter that both URLs have is one, as often as both have it. */
function wordsOf(text: string, shared: ReadonlyMap<string, number>): Word[] {
  const { before, params, after } = partsOf(text);
  const left = new Map(shared);
  const inQuery = params.flatMap((param) => {
    const times = left.get(param) ?? 0;
    if (times === 0) return plainWords(param);
    left.set(param, times - 1);
    return [{ text: param, isParam: true }];
  });
  return [...plainWords(before), ...inQuery, ...plainWords(after)];
}

function plainWords(text: string): Word[] {
  const words = text.match(/%[0-9a-f]{2}|[a-z0-9_-]+|[\s\S]/giu) ?? [];
  return words.map((word) => ({ text: word, isParam: false }));
}

/** Says of each word of `own` whether it is in a longest common part of both lists. */
function sharedWords(own: readonly string[], others: readonly string[]): boolean[] {
  const width = others.length + 1;
  const lengths = new Uint16Array((own.length + 1) * width);
  for (let a = own.length - 1; a >= 0; a--) {
    for (let b = others.length - 1; b >= 0; b--) {
      const at = a * width + b;
      lengths[at] =
        own[a] === others[b]
          ? (lengths[at + width + 1] as number) + 1
          : Math.max(lengths[at + width] as number, lengths[at + 1] as number);
    }
  }
  const isShared: boolean[] = [];
  for (let a = 0, b = 0; a < own.length; ) {
    const at = a * width + b;
    if (b < others.length && own[a] === others[b]) {
      isShared[a++] = true;
      b++;
    } else if (
      b < others.length &&
      (lengths[at + 1] as number) >= (lengths[at + width] as number)
    ) {
      b++;
    } else {
      isShared[a++] = false;
    }
  }
  return isShared;
}
