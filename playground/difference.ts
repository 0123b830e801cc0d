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

/**
 * Cuts a URL into pieces and tells which of them another URL has in the same order: words, triplets
 * and single delimiters are compared as a whole.
 */
export function differingPieces(text: string, other: string): Piece[] {
  const [own, others] = [wordsOf(text), wordsOf(other)];
  if (own.length * others.length > COMPARED) return [{ text, isShared: text === other }];
  const isShared = sharedWords(own, others);
  // A delimiter between two words that differ belongs to what differs.
  const belongs = own.map((word, index) => {
    const isBetween = isShared[index - 1] === false && isShared[index + 1] === false;
    return isShared[index] === true && !(isBetween && /^[^\p{L}\p{N}]$/u.test(word));
  });
  const pieces: { text: string; isShared: boolean }[] = [];
  own.forEach((word, index) => {
    const last = pieces.at(-1);
    if (last !== undefined && last.isShared === belongs[index]) last.text += word;
    else pieces.push({ text: word, isShared: belongs[index] === true });
  });
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

function wordsOf(text: string): string[] {
  return text.match(/%[0-9a-f]{2}|[\p{L}\p{N}_-]+|[\s\S]/giu) ?? [];
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
