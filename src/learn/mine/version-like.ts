import type { Pattern, Rule, Template } from "../../site-rules/rule.ts";

/**
 * Returns whether a rule makes two numbers, or any two words, of a path one: versions differ so,
 * and years. Their pages are often alike and not the same, so such a rule needs far more evidence
 * than others.
 */
export function isVersionLike({ action }: Rule): boolean {
  if (action.type !== "sub" && action.type !== "path") return false;
  return !isOfQuery(action.from) && numbersOf(action.from) !== numbersLeft(action.to, action.from);
}

function isOfQuery(pattern: Pattern): boolean {
  return pattern.some((element) => element.kind === "text" && /[?&=]/.test(element.text));
}

/** Numbers in texts and marks for what is not text, in order. */
function numbersOf(pattern: Pattern): string {
  let capture = 0;
  return pattern
    .map((element) =>
      element.kind === "text"
        ? digits(element.text)
        : element.kind === "end"
          ? ""
          : `<${++capture}>`,
    )
    .join("");
}

/**
 * Returns the numbers that a template leaves; the rest of a path, which is not one word, counts as
 * copied.
 */
function numbersLeft(to: Template, from: Pattern): string {
  const left = to
    .map((piece) => (typeof piece === "string" ? digits(piece) : `<${piece}>`))
    .join("");
  const rest = from.filter(({ kind }) => kind !== "text" && kind !== "end");
  return rest.at(-1)?.kind === "rest" && !left.includes(`<${rest.length}>`)
    ? `${left}<${rest.length}>`
    : left;
}

function digits(text: string): string {
  return (text.match(/\d+/g) ?? []).map((run) => `${run};`).join("");
}
