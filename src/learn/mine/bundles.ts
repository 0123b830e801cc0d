import { type Param, textOf } from "../../site-rules/apply/params.ts";
import type { Rule } from "../../site-rules/rule.ts";
import type { Stage } from "../site/stage.ts";
import { Candidates, readBack } from "./candidates.ts";
import { addParams, isSmaller, paramsOf, split, without } from "./differences.ts";
import { addPairs } from "./pairs.ts";

/** Pages that a bundle is seen in before it is counted, and bundles counted for a site. */
const FEWEST_PAGES = 4;
const MOST = 40;

/** The rule that writes a space in one way. */
const SPACES = "*\tsub %20 => +";
const SORT = "*\tsort";

/**
 * Returns rules that make URLs of one page one only together: differences of spelling, which are the
 * order of parameters and `%20` for `+`, and what else two URLs differ in. The rules of one bundle
 * stand in the order they are applied.
 */
export function mineBundles({ name, nodes, pages }: Stage): Rule[][] {
  const candidates = new Candidates();
  addPairs(nodes, pages, candidates, addBundle);
  return candidates
    .lines(FEWEST_PAGES)
    .slice(0, MOST)
    .flatMap((bundle) => {
      const lines = bundle.split("\n");
      const rules = lines.flatMap((line) => readBack(`${name}\t${line}`));
      return rules.length === lines.length ? [rules] : [];
    });
}

function addBundle(a: string, b: string, page: number, candidates: Candidates): void {
  const spelling: string[] = [];
  let [x, y] = [a, b];
  if (a.includes("%20") !== b.includes("%20")) {
    x = a.replaceAll("%20", "+");
    y = b.replaceAll("%20", "+");
    spelling.push(SPACES);
  }
  const [[longPath, longQuery], [shortPath, shortQuery]] = isSmaller(x, y)
    ? [split(y), split(x)]
    : [split(x), split(y)];
  if (longPath !== shortPath) return;
  const [longer, shorter] = [paramsOf(longQuery), paramsOf(shortQuery)];
  const [more, less] = [without(longer, shorter), without(shorter, longer)];
  if (rest(longer, more) !== rest(shorter, less)) spelling.push(SORT);
  if (spelling.length === 0) return;
  if (more.length > 0 || less.length > 0) {
    const add = (rule: string) => candidates.add([...spelling, rule].join("\n"), page);
    addParams(longer, shorter, page, { add });
  } else if (spelling.length > 1) {
    candidates.add(spelling.join("\n"), page);
  }
}

/** What is left of parameters, in their order. */
function rest(params: readonly Param[], gone: readonly Param[]): string {
  return params
    .filter((param) => !gone.includes(param))
    .map(textOf)
    .join("&");
}
