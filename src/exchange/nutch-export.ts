import type { Pattern, Rule, Template } from "../site-rules/index.ts";
import { isWhole } from "../site-rules/rule.ts";
import { type InexpressibleRule, isNotSaid, NOT_SAID } from "./inexpressible-rule.ts";
import {
  conditionRegex,
  originRegex,
  PATH_END,
  pathRegex,
  quote,
  replacementOf,
  substringRegex,
  TARGET_END,
  testsWhatItDrops,
} from "./java-regex.ts";
import { type NutchRegex, writeNutchXml } from "./nutch-xml.ts";

/**
 * Writes `drop`, `cut`, `path` and `sub` rules, with their sites and conditions, as Nutch's regex-normalize.xml. The
 * patterns of a rule make of a normalized http or https URL what one application of the rule makes of it. Nutch runs
 * them once, in their order, and not until nothing changes. Rules that Java patterns cannot say are in `ignored`.
 *
 * @example
 * exportNutchRules([parseRule("a\t*\tsort")]).ignored[0].reason; // "sort is not one of drop, cut, path and sub"
 */
export function exportNutchRules(rules: readonly Rule[]): {
  xml: string;
  ignored: InexpressibleRule[];
} {
  const regexes: NutchRegex[] = [];
  const ignored: InexpressibleRule[] = [];
  for (const rule of rules) {
    const said = regexesOf(rule);
    if (typeof said === "string") ignored.push({ rule, reason: said });
    else regexes.push(...said);
  }
  return { xml: writeNutchXml(regexes), ignored };
}

/** Returns the patterns of a rule, or the reason why no pattern can be written. */
function regexesOf(rule: Rule): NutchRegex[] | string {
  const { site, condition, action, except } = rule;
  // A pattern that tests parameters finds those after `;`, too.
  if (isNotSaid(rule) || (isWhole(action) && condition.params.length > 0)) return NOT_SAID;
  if (except !== undefined) return "a Java pattern cannot list its exceptions";
  const origin = originRegex(site);
  const holds = conditionRegex(condition);
  switch (action.type) {
    case "drop":
      if (testsWhatItDrops(rule)) return "it tests a parameter that it drops";
      return dropRegexes(origin, holds, action.params, isWhole(action) ? "&" : "&;");
    case "cut":
      return cutRegexes(origin, holds, action.segment);
    case "path":
      return [
        {
          pattern: `^(${origin})${holds}${pathRegex(action.from, true)}`,
          substitution: replacementOf(1, action.to),
        },
      ];
    case "sub":
      return [subRegex(`^${origin}${holds}`, action.from, action.to)];
    default:
      return `${action.type} is not one of drop, cut, path and sub`;
  }
}

/** Matches where the previous match ended. Never matches in the first search. */
const GO_ON = "\\G(?!^)";

/** Returns the patterns that drop parameters: those after others, then the first one, then a lone one with its `?`. */
function dropRegexes(
  origin: string,
  holds: string,
  params: readonly string[],
  separators: string,
): NutchRegex[] {
  const dropped = `(?:${params.map(quote).join("|")})(?:=[^&;#]*)?(?=[${separators}#]|$)`;
  const [before, inside] = [`[${separators}]`, `[^${separators}#]*`];
  const query = `^(${origin}${holds}[^?#]*)\\?`;
  return [
    {
      pattern: `(^${origin}${holds}[^?#]*\\?${inside}|${GO_ON})((?:${before}(?!${dropped})${inside})*)${before}${dropped}`,
      substitution: "$1$2",
    },
    { pattern: `${query}${dropped}${before}`, substitution: "$1?" },
    { pattern: `${query}${dropped}${TARGET_END}`, substitution: "$1" },
  ];
}

/** Returns the patterns that remove a path segment. If all segments of a path go, `/` stays. */
function cutRegexes(origin: string, holds: string, segment: string): NutchRegex[] {
  const cut = `/${quote(segment)}(?=[/?#]|$)`;
  return [
    {
      pattern: `(^${origin}${holds}|${GO_ON})((?:(?!${cut})/[^/?#]*)*)${cut}`,
      substitution: "$1$2",
    },
    { pattern: `^(${origin})${PATH_END}`, substitution: "$1/" },
  ];
}

/** Returns the pattern of a substitution. It leaves a URL whose path would no longer begin with `/` as it is. */
function subRegex(start: string, from: Pattern, to: Template): NutchRegex {
  const [first] = to;
  const isRooted = typeof first === "string" && first.startsWith("/");
  const match = substringRegex(from, false);
  const guard = isRooted
    ? ""
    : first === undefined
      ? `(?!(?:${match})+(?!/|${match}))`
      : `(?!${match})`;
  return {
    pattern: `(${start}${guard}|${GO_ON})([^#]*?)${substringRegex(from, true)}`,
    substitution: replacementOf(2, to),
  };
}
