import { writeAction } from "../../site-rules/language/action-text.ts";
import type { Rule } from "../../site-rules/rule.ts";
import type { Stage } from "../site/stage.ts";
import { readBack } from "./candidates.ts";

/** Returns the rule that adds slashes, for a site that does so. */
export function addedSlashes({ name, slashes }: Pick<Stage, "name" | "slashes">): Rule[] {
  return slashes === "adds" ? readBack(`${name}\t*\tslash path`) : [];
}

/** Returns whether all that a rule does is to take the slash at the end of a path. */
export function takesSlash({ action }: Rule): boolean {
  if (action.type === "path") return writeAction(action, "") === "path /.../ => /<1>";
  if (action.type !== "sub") return false;
  const [first, second, ...more] = action.from;
  if (first?.kind !== "text" || more.length > 0) return false;
  const left = action.to.join("");
  if (second?.kind === "end") return first.text === `${left}/`;
  return second === undefined && left !== first.text && left === first.text.replace("/?", "?");
}
