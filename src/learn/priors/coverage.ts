import type { Rule } from "../../site-rules/rule.ts";
import type { Counted } from "../count/counted.ts";
import type { Nodes } from "../site/nodes.ts";
import type { Stage } from "../site/stage.ts";

/** Stands for the parameter of a rule that drops none. */
const WHOLE = -1;

/**
 * Returns whether pages of the site speak for all that a rule does, if none is against it: for each page type of the
 * URLs that it changes. For each parameter that it drops, URLs of such a type must have one page and differ in
 * it: a session that may go says nothing of a topic. A sink is one thing, whatever the types.
 */
export function isCovered({ rule, changes, merges }: Counted, stage: Stage): boolean {
  if (rule.action.type === "sink") return true;
  const { nodes, types, pages } = stage;
  const names = namesOf(rule, nodes);
  const open = new Set<string>();
  for (const node of changes.nodes) {
    for (const name of names) {
      if (valueOfName(node, name, nodes) !== null) open.add(`${types.of[node]} ${name}`);
    }
  }
  for (let group = 0; group < merges.groups && open.size > 0; group++) {
    const [from, to] = [merges.start[group] as number, merges.start[group + 1] as number];
    const members = [...merges.nodes.subarray(from, to)].filter(
      (node) => (pages.page[node] as number) >= 0,
    );
    if (members.length < 2) continue;
    for (const name of names) {
      const values = members.map((node) => valueOfName(node, name, nodes));
      if (name !== WHOLE && values.every((value) => value === values[0])) continue;
      for (const [at, node] of members.entries()) {
        if (values[at] !== null) open.delete(`${types.of[node]} ${name}`);
      }
    }
  }
  return open.size === 0;
}

function namesOf({ action }: Rule, nodes: Nodes): number[] {
  if (action.type !== "drop") return [WHOLE];
  return action.params.map((name) => nodes.nameNumber(name)).filter((name) => name >= 0);
}

/** Returns the values that a node has for a parameter, as one text; null if it has none. */
function valueOfName(node: number, name: number, nodes: Nodes): string | null {
  if (name === WHOLE) return "";
  let text: string | null = null;
  const end = nodes.paramStart[node + 1] as number;
  for (let at = nodes.paramStart[node] as number; at < end; at++) {
    const id = nodes.paramIds[at] as number;
    // A parameter with its value has one number on a site.
    if (nodes.paramNames[at] === name) text = `${text ?? ""} ${id}`;
  }
  return text;
}
