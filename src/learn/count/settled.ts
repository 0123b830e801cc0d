import { targetOf } from "../../site-rules/apply/actions.ts";
import { applySiteRules } from "../../site-rules/apply/apply.ts";
import { ANY_BYTES, type Condition, type Rule } from "../../site-rules/rule.ts";
import { type Nodes, partsOf, splitTarget } from "../site/nodes.ts";
import type { SiteUrl } from "../site/site.ts";
import { ChangeList, type Changes } from "./change-list.ts";
import { neededText } from "./changes.ts";
import { DropRun } from "./drop-run.ts";

/** Returns what a normalizer with these rules makes of a URL; the same object if nothing changes. */
export function settled(
  text: SiteUrl,
  rules: readonly Rule[],
  trace?: (rule: Rule) => void,
): SiteUrl {
  const parts = partsOf(text.target, text.isHttps);
  let isChanged = false;
  const isSettled = applySiteRules(parts, () => rules, {
    trace: (rule) => {
      isChanged = true;
      trace?.(rule);
    },
  });
  if (!isSettled || !isChanged) return text;
  return { target: targetOf(parts), isHttps: parts.scheme === "https" };
}

/** Returns what rules do together, one after the other, to the URLs of a site. */
export function changesOfAll(rules: readonly Rule[], nodes: Nodes): Changes {
  const changes = new ChangeList();
  const hash = { low: 0, high: 0 };
  const drops = DropRun.of(rules, nodes);
  if (drops !== null) {
    for (let node = 0; node < nodes.count; node++) {
      if (drops.changes(node, hash)) changes.add(node, hash);
    }
    return changes.take();
  }
  const may = mayChange(rules);
  for (const [node, target] of nodes.targets.entries()) {
    if (!may(target)) continue;
    const url = { target, isHttps: nodes.isHttps[node] as boolean };
    const made = settled(url, rules);
    if (made === url) continue;
    nodes.hashTarget(made.target, made.isHttps, hash);
    changes.add(node, hash);
  }
  return changes.take();
}

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
    (paths.size > 0 && paths.has(splitTarget(target)[0])) ||
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
