import { applySiteRules } from "../../site-rules/apply/apply.ts";
import type { Rule } from "../../site-rules/rule.ts";
import type { Nodes } from "../site/nodes.ts";
import type { SiteUrl } from "../site/site.ts";
import { ChangeList, type Changes } from "./change-list.ts";
import { partsOf, targetOf } from "./changes.ts";
import { DropRun } from "./drop-run.ts";
import { mayChange } from "./may-change.ts";

/** Returns what a normalizer with these rules makes of a URL; the same object if nothing changes. */
export function settled(
  text: SiteUrl,
  rules: readonly Rule[],
  trace?: (rule: Rule) => void,
): SiteUrl {
  const parts = partsOf(text.target, text.isHttps);
  let isChanged = false;
  const isSettled = applySiteRules(
    parts,
    () => rules,
    (rule) => {
      isChanged = true;
      trace?.(rule);
    },
  );
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
