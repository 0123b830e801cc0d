import { ANY_BYTES, type Condition, type Rule } from "../../site-rules/rule.ts";
import { neededText, partsOf } from "./changes.ts";

/** Says what path and query of a URL must have, so that a rule can change it. */
interface Needs {
  /** What they begin with. */
  readonly start: string;
  /** Texts that are all in them. */
  readonly all: readonly string[];
  /** Texts of which one is in them; empty if the rule does not need any. */
  readonly any: readonly string[];
}

/**
 * Returns a quick test of path and query. It is false only if no rule changes such a URL, so that they need not be
 * applied.
 */
export function mayChange(rules: readonly Rule[]): (target: string) => boolean {
  const paths = new Set(rules.flatMap(({ condition }) => onePath(condition) ?? []));
  const needs = rules.filter(({ condition }) => onePath(condition) === null).map(needsOf);
  return (target) =>
    (paths.size > 0 && paths.has(partsOf(target, false).path)) ||
    needs.some(
      ({ start, all, any }) =>
        target.startsWith(start) &&
        all.every((text) => target.includes(text)) &&
        (any.length === 0 || any.some((text) => target.includes(text))),
    );
}

function needsOf({ condition, action }: Rule): Needs {
  const asked = condition.params.filter(({ is }) => is !== "absent").map(({ name }) => name);
  return {
    start: startOf(condition),
    all: [...asked, neededText(action)],
    any: action.type === "drop" ? action.params.map((name) => name.replace(ANY_BYTES, "")) : [],
  };
}

/** Returns the path that a condition asks for, if that is a single one; a site may have a rule for each of thousands. */
function onePath({ path }: Condition): string | null {
  const [first] = path ?? [];
  return path?.length === 1 && first?.kind === "text" ? first.text : null;
}

function startOf({ path }: Condition): string {
  const first = path?.[0];
  return first?.kind === "text" ? first.text : "";
}
