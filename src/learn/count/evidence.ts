import type { Rule } from "../../site-rules/rule.ts";
import type { HashIndex } from "../site/hash-index.ts";
import type { Known } from "../site/known.ts";
import type { Nodes } from "../site/nodes.ts";
import type { HostPair, Site } from "../site/site.ts";
import { ChangeFinder, type Changes } from "./changes.ts";

/**
 * What counting finds on a site, or on a part of its URLs. Parts add up, in any order and however the
 * URLs were split: hashes stand for URLs, so that what is one URL in two parts is one in both.
 */
export interface SiteEvidence {
  readonly site: string;
  /** Numbers of its nodes by their hashes. */
  readonly index: HashIndex;
  readonly known: Known;
  /** The URLs, where they are at hand: for examples. */
  readonly nodes: Nodes | null;
  readonly rules: readonly RuleChanges[];
  readonly hosts: readonly HostPair[];
}

export interface RuleChanges {
  readonly rule: Rule;
  readonly changes: Changes;
}

/** Counts rules over all URLs of a site, but those that were counted over them before. */
export function countSite(
  { name, nodes, known, hosts }: Site,
  rules: readonly { readonly rule: Rule; readonly changes: Changes | null }[],
): SiteEvidence {
  const finder = new ChangeFinder(nodes);
  return {
    site: name,
    index: nodes.index,
    known,
    nodes,
    rules: rules.map(({ rule, changes }) => ({ rule, changes: changes ?? finder.changes(rule) })),
    hosts,
  };
}
