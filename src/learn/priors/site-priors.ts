import { writeCondition } from "../../site-rules/language/condition-text.ts";
import { writeRule } from "../../site-rules/language/rule-line.ts";
import type { Condition, Rule } from "../../site-rules/rule.ts";
import { ChangeFinder } from "../count/changes.ts";
import type { Counted, Prior } from "../count/counted.ts";
import { sinkRule } from "../mine/sinks.ts";
import type { Nodes } from "../site/nodes.ts";
import { scriptOf } from "../site/page-types.ts";
import type { Stage } from "../site/stage.ts";
import { isCovered } from "./coverage.ts";
import { type Marks, marksOfSite } from "./marks.ts";
import { PriorPool, scriptAsked } from "./prior-pool.ts";

/** Limits the rules of other sites that are counted on a site. */
const MOST = 100;
/** Counts the URLs of a site from which it has enough evidence of its own. */
const LARGE = 20_000;
/** Limits the paths of scripts that a rule is tried on. */
const MOST_SCRIPTS = 8;

const pools = new WeakMap<readonly Rule[], PriorPool>();

/**
 * Returns what rules of other sites say of one site; null if no rules are given, or if the site is large. `nodes`
 * are all its URLs.
 */
export function priorsOf(
  rules: readonly Rule[] | undefined,
  site: string,
  nodes: Nodes,
): SitePriors | null {
  if (rules === undefined || rules.length === 0 || nodes.count >= LARGE) return null;
  let pool = pools.get(rules);
  if (pool === undefined) {
    pool = new PriorPool(rules);
    pools.set(rules, pool);
  }
  return new SitePriors(pool, site, marksOfSite(nodes));
}

/** Knows what other sites with the same software say of rules for one site. */
export class SitePriors {
  readonly #pool: PriorPool;
  readonly #site: string;
  readonly #marks: Marks;

  constructor(pool: PriorPool, site: string, marks: Marks) {
    this.#pool = pool;
    this.#site = site;
    this.#marks = marks;
  }

  /**
   * Returns the rules of other sites that are worth counting on URLs of this site, those of most sites
   * first. Each parameter that a rule drops is also tried by itself, and a rule for any path on each script.
   */
  candidates(nodes: Nodes): Rule[] {
    const finder = new ChangeFinder(nodes);
    const found = new Map<string, { readonly rule: Rule; readonly prior: Prior }>();
    for (const pooled of this.#pool.rulesWith(this.#marks)) {
      const rule = onlyNamed({ ...pooled, site: this.#site }, nodes);
      const prior = this.#pool.priorOf(rule, this.#marks);
      if (prior === null) continue;
      for (const form of formsOf(rule, nodes, finder)) {
        found.set(writeRule(form), { rule: form, prior });
      }
    }
    return [...found]
      .toSorted(([a, { prior: p }], [b, { prior: q }]) => q.sites - p.sites || (a < b ? -1 : 1))
      .slice(0, MOST)
      .flatMap(([, { rule }]) =>
        rule.action.type === "sink" ? sinkHere(rule.site, rule.condition, nodes, finder) : [rule],
      );
  }

  /** Returns whether pages of the site speak for all that a rule does, or some are against it. */
  isOpen(counted: Counted, stage: Stage): boolean {
    const { right, wrong } = counted.effect;
    return right > 0 && (wrong > 0 || isCovered(counted, stage));
  }

  /**
   * Adds to a rule that was counted on a stage what other sites say of it. They say nothing where the rule changes
   * URLs of a page type, or drops a parameter of it, for which no pages of this site speak.
   */
  mark(counted: Counted, stage: Stage): Counted {
    if (counted.before.length > 0) return counted;
    const prior = this.#pool.priorOf(counted.rule, this.#marks);
    return prior !== null && this.isOpen(counted, stage) ? { ...counted, prior } : counted;
  }
}

/** Returns a rule without parameters that no URL has. */
function onlyNamed(rule: Rule, nodes: Nodes): Rule {
  const { action } = rule;
  if (action.type !== "drop" || action.params.length === 1) return rule;
  const params = action.params.filter((name) => nodes.nameNumber(name) >= 0);
  return { ...rule, action: { type: "drop", params } };
}

/** Yields what a rule of another site is on this site, whose scripts may be in other directories. */
function* formsOf(rule: Rule, nodes: Nodes, finder: ChangeFinder): Generator<Rule> {
  const script = scriptAsked(rule.condition);
  if (script !== null) {
    yield* onScripts(rule, nodes, nodes.paths.keys(), script);
    return;
  }
  yield rule;
  if (rule.condition.path !== null || rule.action.type === "sink") return;
  const changed = finder.changes(rule).nodes;
  yield* onScripts(rule, nodes, new Set(changed.map((node) => nodes.path[node] as number)));
}

/** Yields a rule for each of these paths, given by their numbers, that is a script. */
function* onScripts(
  rule: Rule,
  nodes: Nodes,
  paths: Iterable<number>,
  asked?: string,
): Generator<Rule> {
  let count = 0;
  for (const number of paths) {
    const text = nodes.paths[number] as string;
    const script = scriptOf(text);
    if (script === null || (asked !== undefined && script !== asked)) continue;
    if (count++ === MOST_SCRIPTS) return;
    yield { ...rule, condition: { ...rule.condition, path: [{ kind: "text", text }] } };
  }
}

/** Returns the sink with the shortest URL that passes the condition as its target; none if none passes. */
function sinkHere(site: string, condition: Condition, nodes: Nodes, finder: ChangeFinder): Rule[] {
  const passing: string[] = [];
  finder.passing(condition, (node) => passing.push(nodes.targets[node] as string));
  if (passing.length === 0) return [];
  const shortest = passing.reduce((a, b) => (isBefore(b, a) ? b : a));
  return sinkRule(site, writeCondition(condition), shortest);
}

function isBefore(a: string, b: string): boolean {
  return a.length < b.length || (a.length === b.length && a < b);
}
