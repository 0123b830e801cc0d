import { DOMAIN, hasAnyBytes, isWhole, type Pattern, type Rule } from "./rule.ts";

/**
 * Returns whether a rule needs a plan of the version after the first: a domain, a name or a value that is not one text, a
 * length, parameters between `&` alone, or URLs to which it does not apply.
 *
 * @internal
 */
export function isOfLists({ site, condition, action, unless = [] }: Rule): boolean {
  const hasLength = (pattern: Pattern | null) =>
    pattern?.some((element) => "length" in element && element.length !== undefined) === true;
  return (
    site.startsWith(DOMAIN) ||
    unless.length > 0 ||
    isWhole(action) ||
    hasLength(condition.path) ||
    ("from" in action && hasLength(action.from)) ||
    ("params" in action && action.params.some(hasAnyBytes)) ||
    (action.type === "dropif" && (typeof action.value !== "string" || hasAnyBytes(action.param)))
  );
}
