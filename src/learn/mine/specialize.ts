import { entryOf } from "../../base/tallies.ts";
import { writeCondition, writeName } from "../../site-rules/language/condition-text.ts";
import { writeRule } from "../../site-rules/language/rule-line.ts";
import type { Rule } from "../../site-rules/rule.ts";
import type { Merges } from "../count/merges.ts";
import type { Nodes } from "../site/nodes.ts";
import type { Pages } from "../site/pages.ts";
import { type PathConditions, paramConditions } from "./attributes.ts";
import { readBack } from "./candidates.ts";

/** Counts the right groups that make a condition worth counting. */
export const MIN_RIGHT = 5;
/** Limits the wrong groups that such a condition may have for each right one. */
const WRONG = 0.05;

interface Tally {
  right: number;
  wrong: number;
}

/** Returns the rule with one more condition, if its right groups share what its wrong ones do not have. */
export function specialize(
  rule: Rule,
  merges: Merges,
  nodes: Nodes,
  pages: Pages,
  paths: PathConditions,
): Rule[] {
  const byPath = new Map<string, Tally>();
  const byParam = new Map<string, Tally>();
  const all: Tally = { right: 0, wrong: 0 };
  for (let group = 0; group < merges.groups; group++) {
    const kind = judgeGroup(group, merges, pages);
    if (kind === null) continue;
    all[kind]++;
    const node = merges.nodes[merges.start[group] as number] as number;
    for (const path of paths(node)) tallyOf(byPath, path)[kind]++;
    for (const param of paramConditions(node, nodes)) tallyOf(byParam, param)[kind]++;
  }
  const found: Rule[] = [];
  const [path, tests = ""] = writeCondition(rule.condition).split(" ");
  if (path === "*") {
    for (const [like, tally] of byPath) {
      if (isPromising(tally)) found.push(...withCondition(rule, `${like} ${tests}`.trimEnd()));
    }
  }
  const isOpen = opensTests(rule);
  for (const [param, tally] of byParam) {
    if (!isOpen(param)) continue;
    if (isPromising(tally)) found.push(...withTest(rule, param));
    const without = { right: all.right - tally.right, wrong: all.wrong - tally.wrong };
    if (tally.wrong > 0 && !param.includes("=") && isPromising(without)) {
      found.push(...withTest(rule, `!${param}`));
    }
  }
  return found;
}

function tallyOf(tallies: Map<string, Tally>, key: string): Tally {
  return entryOf(tallies, key, () => ({ right: 0, wrong: 0 }));
}

function isPromising({ right, wrong }: Tally): boolean {
  return right >= MIN_RIGHT && wrong <= WRONG * right;
}

/** Returns what tells whether a test may be added to a rule: one of a parameter that it neither tests nor drops. */
export function opensTests({ condition, action }: Rule): (test: string) => boolean {
  const dropped = action.type === "drop" ? action.params : [];
  const asked = new Set([...condition.params.map(({ name }) => name), ...dropped].map(writeName));
  return (test) => !asked.has(test.split("=", 1)[0] as string);
}

/** Returns the rule with one more test of a parameter. */
export function withTest(rule: Rule, test: string): Rule[] {
  const [path, tests] = writeCondition(rule.condition).split(" ");
  return withCondition(rule, `${path} ${tests === undefined ? "?" : `${tests}&`}${test}`);
}

function withCondition(rule: Rule, condition: string): Rule[] {
  const [site, , ...rest] = writeRule(rule).split("\t");
  return readBack([site, condition, ...rest].join("\t"));
}

/** Returns whether all pages of a group are the same; null if fewer than two are known. */
function judgeGroup(group: number, merges: Merges, pages: Pages): "right" | "wrong" | null {
  let page = -1;
  let known = 0;
  for (let at = merges.start[group] as number; at < (merges.start[group + 1] as number); at++) {
    const own = pages.page[merges.nodes[at] as number] as number;
    if (own < 0) continue;
    known++;
    if (page >= 0 && own !== page) return "wrong";
    page = own;
  }
  return known < 2 ? null : "right";
}
