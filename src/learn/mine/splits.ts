import { escapeText } from "../../site-rules/language/normal-text.ts";
import { isSaid } from "./attributes.ts";

/**
 * Matches a title before a number or an id at the end of a path: `/threads/`, `a-title`, `.`, `12` and `/`. One letter
 * between two marks belongs to the second: `a-title-p-12`.
 */
const TITLED =
  /^(?<folder>\/(?:[^?&=;:]*\/)?)[^/?&=;:]*?[A-Za-z]{2}[^0-9A-Za-z/?&=;:][^/?&=;:]*?(?<mark>(?:[-_][a-z](?=[-_]))?[-_.])(?<id>\d+|(?=[a-f]*\d)[0-9a-f]{12,64})(?<rest>\/|\.[a-z]+)?$/;

/** Limits the bytes of a URL, because matching a title takes time that grows with the square of its length. */
const LONGEST = 512;

/**
 * Returns the rules that make two URLs one together if a title stands before the number of one: `a-title-12.html`. The
 * mark of a word would take the number, too, so the first rule writes `&` before the number, which ends words.
 */
export function splitsOf(a: string, b: string): string[][] {
  if (Math.max(a.length, b.length) > LONGEST) return [];
  const isOfA = TITLED.test(a);
  const { folder = "", mark = "", id = "", rest = "" } = TITLED.exec(isOfA ? a : b)?.groups ?? {};
  if (id === "" || !isSaid(folder)) return [];
  const run = /^\d+$/.test(id) ? "<N>" : `<H${id.length}>`;
  const start = escapeText(folder, "*");
  const split = `${start}*${rest}\tsub ${mark}${run}${rest}<$> => &<1>`;
  const [other, shared] = isOfA ? [b, TITLED.exec(b)?.groups] : [a, undefined];
  const dropped = `sub ${start}<T>&${run}<$> =>`;
  if (shared !== undefined) {
    const isAlike = shared["folder"] === folder && shared["mark"] === mark && shared["id"] === id;
    return isAlike && (shared["rest"] ?? "") === rest
      ? [[split, `*\t${dropped} ${folder}&<2>`]]
      : [];
  }
  const [before, after, ...more] = other.split(new RegExp(`(?<![0-9A-Za-z])${id}(?![0-9A-Za-z])`));
  if (after === undefined || more.length > 0 || !isSaid(before as string)) return [];
  // A rule cannot make a URL longer, and a title has one byte at least.
  if (`${before}${after}`.length < folder.length + 2) {
    return [[split, `*\t${dropped} ${before}<2>${after}`]];
  }
  const plain = `${escapeText(before as string, "*")}${run}${escapeText(after, "*")}<$>`;
  return [[split, `*\t${dropped} ${folder}&<2>`, `*\tsub ${plain} => ${folder}&<1>`]];
}
