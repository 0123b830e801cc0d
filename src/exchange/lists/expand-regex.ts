import { ANY_BYTES } from "../../site-rules/rule.ts";

/** The most texts that one pattern may stand for. */
const MOST = 64;

/** Finds a piece of a pattern: an escape, a class, a group, `.*`, or one character. */
const PIECE = /^(?:\\([^A-Za-z0-9])|\[([^\]\\^]+)\]|(\.\*)|([^\\[\](){}|.*+?^$]))/;

/**
 * Returns all texts that a regular expression matches, from end to end; null if they are too many, or if it has more than
 * texts, `\.`, `[ab]`, groups, alternatives, `?`, and `.*`, which becomes `<*>`.
 */
export function expandRegex(regex: string): string[] | null {
  const alternatives = splitAlternatives(regex);
  if (alternatives === null) return null;
  const texts: string[] = [];
  for (const each of alternatives) {
    const expanded = expandSequence(each);
    if (expanded === null || texts.length + expanded.length > MOST) return null;
    texts.push(...expanded);
  }
  return [...new Set(texts)];
}

function expandSequence(regex: string): string[] | null {
  let texts = [""];
  for (let rest = regex; rest !== ""; ) {
    const group = rest.startsWith("(") ? groupOf(rest) : null;
    const [whole, escaped, members, any, plain] = PIECE.exec(rest) ?? [];
    const choices =
      group !== null
        ? expandRegex(group.replace(/^\((?:\?:)?/, "").slice(0, -1))
        : members !== undefined
          ? membersOf(members)
          : whole === undefined
            ? null
            : [any === undefined ? ((escaped ?? plain) as string) : ANY_BYTES];
    if (choices === null) return null;
    rest = rest.slice((group ?? (whole as string)).length);
    if (rest.startsWith("?") && any === undefined) {
      choices.push("");
      rest = rest.slice(1);
    }
    if (texts.length * choices.length > MOST) return null;
    texts = texts.flatMap((text) => choices.map((choice) => text + choice));
  }
  return texts;
}

/** Returns the characters of a class that lists them. A range such as `a-z` has too many to be told one by one. */
function membersOf(members: string): string[] | null {
  return /[^-]-[^-]/.test(members) ? null : [...members];
}

/** Returns the group that a text begins with. */
function groupOf(text: string): string | null {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0)
      return /^\((?:\?:|[^?])/.test(text) ? text.slice(0, at + 1) : null;
  }
  return null;
}

/** Splits at each `|` that is not in a group; null if groups do not close. */
function splitAlternatives(regex: string): string[] | null {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < regex.length; at++) {
    if (regex[at] === "\\") at++;
    else if (regex[at] === "(") depth++;
    else if (regex[at] === ")") depth--;
    else if (regex[at] === "|" && depth === 0) {
      pieces.push(regex.slice(start, at));
      start = at + 1;
    }
  }
  return depth === 0 ? [...pieces, regex.slice(start)] : null;
}
