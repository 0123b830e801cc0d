import { type Pattern, parseRule, type Rule, writeRule } from "../../site-rules/index.ts";
import { ANY_SITE } from "../../site-rules/rule.ts";
import { finiteRegex } from "./finite-regex.ts";
import type { NutchRegex } from "./nutch-xml.ts";
import type { PatternReading } from "./pattern-reading.ts";

/** What may stand at the end of a pattern: `$`, or a group of delimiters and `$`. */
interface Tail {
  readonly kind: "none" | "end" | "group";
  /** Lists the alternatives of a group, `$` among them. */
  readonly delimiters: readonly string[];
}

/**
 * Says a pattern that matches texts which can be counted, perhaps at the end of the URL or before a
 * delimiter. File names after a `/` are the option `directoryIndex`, the others are `sub` rules. Null
 * for any other pattern.
 */
export function readFinite(regex: NutchRegex, isFragmentGone: boolean): PatternReading | null {
  const { body, tail } = splitTail(regex.pattern);
  const { text, isRepeated } = unrepeated(body, regex.substitution, tail);
  const finite = finiteRegex(text);
  if (finite === null || (finite.isChoice && tail.kind !== "none")) return null;
  const expected = tail.kind === "group" ? finite.groups + 1 : 0;
  const replacement = readSubstitution(regex.substitution, expected);
  if (replacement === null) return null;
  const texts = finite.texts.filter((each) => each !== "");
  if (texts.length < finite.texts.length && replacement !== "") return null;
  if (isOrdered(texts, tail)) return null;
  const left: string[] = [];
  if (finite.isFolded) left.push("other case than lower, upper or a capital in front");
  if (isDirectoryIndex(texts, replacement, tail)) {
    left.push("places inside a query");
    return { rules: [], options: { directoryIndex: texts.map((each) => each.slice(1)) }, left };
  }
  if (isEndOfFragment(tail) && !isFragmentGone) {
    return { rules: [], left: ["its $ is the end of a fragment, which rules leave alone"] };
  }
  if (tail.delimiters.includes("#") && !tail.delimiters.includes("$")) {
    left.push("places before a fragment");
  }
  if (texts.some((each) => each.includes("#"))) return null;
  if (texts.some((each) => /^[a-z0-9]|[a-z0-9]$/i.test(each))) {
    left.push("places inside a run of letters or digits");
  }
  if (texts.some((each) => !/[?&;=]/.test(each))) left.push("places in a host");
  const twice = isRepeated ? texts.map((each) => each + each) : texts;
  return { rules: twice.flatMap((each) => substitutions(each, replacement, tail)), left };
}

/** Whether two of the texts can match at one place, where Java takes the one that is written first. */
function isOrdered(texts: readonly string[], { kind, delimiters }: Tail): boolean {
  if (kind === "end") return false;
  const all = new Set(texts);
  const lengths = [...new Set(texts.map(({ length }) => length))].filter((length) => length > 0);
  const goesOn = (text: string, length: number) =>
    kind === "none" || delimiters.includes(text.charAt(length));
  return texts.some((text) =>
    lengths.some(
      (length) => length < text.length && goesOn(text, length) && all.has(text.slice(0, length)),
    ),
  );
}

function isEndOfFragment({ kind, delimiters }: Tail): boolean {
  return kind === "end" || (delimiters.includes("$") && !delimiters.includes("#"));
}

function splitTail(pattern: string): { body: string; tail: Tail } {
  const group = /\(((?:\\\?|\\?&|#|\$|\/)(?:\|(?:\\\?|\\?&|#|\$|\/))*)\)$/.exec(pattern);
  if (group !== null) {
    const delimiters = (group[1] as string).split("|").map((text) => text.replace("\\", ""));
    return { body: pattern.slice(0, group.index), tail: { kind: "group", delimiters } };
  }
  if (/(^|[^\\])\$$/.test(pattern)) {
    return { body: pattern.slice(0, -1), tail: { kind: "end", delimiters: [] } };
  }
  return { body: pattern, tail: { kind: "none", delimiters: [] } };
}

/** A repeated character that goes, or of which one stays, is one or two of it at a time. */
function unrepeated(
  body: string,
  substitution: string,
  tail: Tail,
): { text: string; isRepeated: boolean } {
  const found = /^(\\[^a-zA-Z0-9]|[^\\\w\s]|\[[^\]]+\])(\{2,\}|[+*])$/.exec(body);
  if (found === null) return { text: body, isRepeated: false };
  const [, one = "", times] = found;
  if (tail.kind === "end" && substitution === "" && times !== "{2,}") {
    return { text: one, isRepeated: false };
  }
  const isOneKept = tail.kind === "none" && times !== "*" && !one.startsWith("[");
  const isSame = readSubstitution(substitution, 0) === one.replace(/^\\/, "");
  return isOneKept && isSame ? { text: one, isRepeated: true } : { text: body, isRepeated: false };
}

/** The literal of a Java replacement, without the reference to this group at its end; null for others. */
function readSubstitution(text: string, group: number): string | null {
  const reference = `$${group}`;
  if (group > 0 && !text.endsWith(reference)) return null;
  const literal = group > 0 ? text.slice(0, -reference.length) : text;
  if (/(^|[^\\])(\\\\)*\$|(^|[^\\])(\\\\)*\\$/.test(literal)) return null;
  return literal.replace(/\\(.)/gs, "$1");
}

function isDirectoryIndex(texts: readonly string[], replacement: string, tail: Tail): boolean {
  const isBeforeAll = ["?", "#", "$"].every((delimiter) => tail.delimiters.includes(delimiter));
  return (
    isBeforeAll &&
    replacement === "/" &&
    texts.every((text) => /^\/[^/?&#;=]*\.[^/?&#;=]*$/.test(text))
  );
}

function substitutions(text: string, replacement: string, tail: Tail): Rule[] {
  if (tail.kind === "none") return [substitution([{ kind: "text", text }], replacement)];
  if (tail.kind === "end")
    return [substitution([{ kind: "text", text }, { kind: "end" }], replacement)];
  return tail.delimiters
    .filter((delimiter) => delimiter !== "#")
    .map((delimiter) =>
      delimiter === "$"
        ? substitution([{ kind: "text", text }, { kind: "end" }], replacement)
        : substitution([{ kind: "text", text: text + delimiter }], replacement + delimiter),
    );
}

/** Throws `BAD_RULES` where the language refuses it. */
function substitution(from: Pattern, replacement: string): Rule {
  const to = replacement === "" ? [] : [replacement];
  const action = { type: "sub", from, to } as const;
  const rule = { site: ANY_SITE, condition: { path: null, params: [] }, action, evidence: null };
  return parseRule(writeRule(rule));
}
