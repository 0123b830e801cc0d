import type { Rule } from "../../site-rules/rule.ts";
import type { Known } from "../site/known.ts";
import type { Nodes } from "../site/nodes.ts";
import type { HostPair, Site } from "../site/site.ts";
import type { Changes } from "./change-list.ts";
import { ChangeFinder } from "./changes.ts";
import type { Tallied } from "./counted.ts";

/** Holds what counting finds on a site, or on a part of its URLs. Parts add up, in any order. */
export interface SiteEvidence {
  /** Names the site: its host, perhaps with `:port`. */
  readonly site: string;
  /** Holds what records say of each URL's page. @internal */
  readonly known: Known;
  /** Holds the different URLs of the site. @internal */
  readonly nodes: Nodes;
  /** Lists the rules that were counted, with what each changes. @internal */
  readonly rules: readonly RuleChanges[];
  /** Lists the rules that were found to be wrong before all was counted. @internal */
  readonly ruledOut: readonly Tallied[];
  /** Lists what the site declares of its own pages and of other sites' pages. */
  readonly hosts: readonly HostPair[];
}

/** Holds a rule with what it changes on a site. */
export interface RuleChanges {
  /** Holds the rule. */
  readonly rule: Rule;
  /** Lists the URLs that the rule changes, and the hash of what it makes of each. */
  readonly changes: Changes;
}

/** Holds a rule without evidence. */
export interface MinedRule {
  /** Holds the rule. */
  readonly rule: Rule;
  /** Lists the URLs that the rule changes, if that was counted. @internal */
  readonly changes?: Changes | undefined;
  /** Holds what the rule does if it cannot be selected; then its changes are not kept. @internal */
  readonly ruledOut?: Tallied | undefined;
}

/**
 * Counts what rules do to all URLs of a site.
 *
 * @example
 * const collector = new SiteCollector();
 * collector.add([{ url: "http://a/?sid=1" }]);
 * const [site] = collector.sites();
 * countSite(site, mineSite(site)).site; // "a"
 */
export function countSite(site: Site, rules: readonly MinedRule[]): SiteEvidence {
  const { name, nodes, known, hosts } = site;
  const finder = new ChangeFinder(nodes);
  return {
    site: name,
    nodes,
    known,
    rules: rules
      .filter(({ ruledOut }) => ruledOut === undefined)
      .map(({ rule, changes }) => ({ rule, changes: changes ?? finder.changes(rule) })),
    ruledOut: rules.flatMap(({ ruledOut }) => ruledOut ?? []),
    hosts,
  };
}
