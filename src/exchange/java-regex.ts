import type {
  Condition,
  Element,
  ParamTest,
  Pattern,
  Rule,
  Template,
} from "../site-rules/index.ts";
import { ANY_SITE } from "../site-rules/rule.ts";

/** Returns a Java pattern that matches this text. */
export function quote(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

/** Matches where a path ends. */
export const PATH_END = "(?=[?#]|$)";
/** Matches where path and query end. */
export const TARGET_END = "(?=#|$)";
/** Matches where a parameter ends. */
const PARAM_END = "(?=[&;#]|$)";

/** Returns a pattern from the beginning of an http or https URL to the end of its host and port. */
export function originRegex(site: string): string {
  return `https?://(?:[^/?#@]*@)?${site === ANY_SITE ? "[^/?#@]+" : quote(site)}`;
}

/** Returns a pattern that looks, from the end of the host, for path and parameters as the condition wants them. */
export function conditionRegex({ path, params }: Condition): string {
  const where = path === null ? "(?=/)" : `(?=${pathRegex(path, false)})`;
  return where + params.map(paramRegex).join("");
}

function paramRegex({ name, is, value }: ParamTest): string {
  const rest = is === "equal" ? `=${quote(value)}` : "(?:=[^&;#]*)?";
  const look = is === "absent" ? "(?!" : "(?=";
  return `${look}[^?#]*\\?(?:[^#]*[&;])?${quote(name)}${rest}${PARAM_END})`;
}

/** Returns a pattern for a whole path; its captures are groups if `isCapturing` is true. */
export function pathRegex(pattern: Pattern, isCapturing: boolean): string {
  return pattern.map((element) => elementRegex(element, isCapturing)).join("") + PATH_END;
}

/** Returns a pattern for a match in path and query, which no run of letters or digits crosses. */
export function substringRegex(pattern: Pattern, isCapturing: boolean): string {
  const [first] = pattern;
  const before = first?.kind === "text" ? characterClass(first.text.charAt(0)) : null;
  const start = before === null ? "" : `(?<!${before})`;
  const body = pattern.map((element) => elementRegex(element, isCapturing)).join("");
  return start + body + endRegex(pattern.at(-1));
}

function endRegex(last: Element | undefined): string {
  if (last?.kind === "hex") return "(?:(?<=[0-9])|(?![A-Za-z]))";
  const kind = last?.kind === "text" ? characterClass(last.text.at(-1) ?? "") : null;
  return kind === null ? "" : `(?!${kind})`;
}

function characterClass(character: string): string | null {
  if (/[0-9]/.test(character)) return "[0-9]";
  return /[A-Za-z]/.test(character) ? "[A-Za-z]" : null;
}

/** Makes each run as long as possible. What follows cannot match part of a run, so no backtracking is needed. */
function elementRegex(element: Element, isCapturing: boolean): string {
  const group = (regex: string) => (isCapturing ? `(${regex})` : regex);
  switch (element.kind) {
    case "text":
      return quote(element.text);
    case "digits":
      return `${group("[0-9]+")}(?![0-9])`;
    case "hex":
      return `${group("[0-9A-Fa-f]{16,}")}(?![0-9A-Fa-f])`;
    case "word":
      return `${group("[^/?&=;:#]+")}(?=[/?&=;:#]|$)`;
    case "segment":
      return `${group("[^/?#]+")}${quote(element.suffix)}(?=[/?#]|$)`;
    case "rest":
      return `${group("[^?#]*")}${quote(element.suffix)}${PATH_END}`;
    case "end":
      return TARGET_END;
  }
}

/** Returns a Java replacement: the first so many groups, then the template, whose groups come after these. */
export function replacementOf(groups: number, template: Template): string {
  const kept = Array.from({ length: groups }, (_, index) => index + 1);
  const pieces = [
    ...kept,
    ...template.map((piece) => (typeof piece === "number" ? piece + groups : piece)),
  ];
  return pieces
    .map((piece, index) => {
      if (typeof piece === "number") return `$${piece}`;
      const escaped = piece.replace(/[\\$]/g, "\\$&");
      const isBehindGroup = typeof pieces[index - 1] === "number";
      return isBehindGroup && /^[0-9]/.test(escaped) ? `\\${escaped}` : escaped;
    })
    .join("");
}

/** Returns whether a rule tests a parameter that it drops, so that its own work would change the answer. */
export function testsWhatItDrops({ condition, action }: Rule): boolean {
  return (
    action.type === "drop" && condition.params.some(({ name }) => action.params.includes(name))
  );
}
