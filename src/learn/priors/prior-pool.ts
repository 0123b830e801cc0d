import { writeAction } from "../../site-rules/language/action-text.ts";
import { writeCondition } from "../../site-rules/language/condition-text.ts";
import { ANY_SITE, type Condition, type Evidence, type Rule } from "../../site-rules/rule.ts";
import type { Prior } from "../count/counted.ts";
import { scriptOf } from "../site/page-types.ts";
import { type Marks, marksOfRule, weightOf } from "./marks.ts";

/** Limits what one site counts for, so that no large site decides for all others. */
const MOST_OF_SITE = 20;
/** Limits the sites whose counts add up, and those looked at to find them. */
const MOST_SITES = 4;
const MOST_LOOKED_AT = 64;
/** A site has the software of another if its marks, of those that the other's rules name, weigh this much. */
const LEAST_WEIGHT = 3;

/** Holds rules of many sites by their texts: what one site learned, another may try. */
export class PriorPool {
  /** Holds the marks that the rules of each site name. */
  readonly #marks = new Map<string, Set<string>>();
  /** Holds the evidence for each text of a rule, by site. */
  readonly #evidence = new Map<string, Map<string, Evidence>>();
  readonly #listed = new Set<string>();
  /** Lists different rules by each mark that they name. */
  readonly #rules = new Map<string, Rule[]>();

  /** Takes rules as `learn` wrote them. Leaves out what says nothing of another site. */
  constructor(rules: readonly Rule[]) {
    for (const rule of rules) {
      const { evidence } = rule;
      if (evidence === null || !isEvidence(rule)) continue;
      const parts = partsOf(rule).filter(isOfSoftware);
      for (const part of parts) this.#add(part, evidence);
      if (parts.length > 1) this.#list(joined(parts));
    }
  }

  /** Returns the rules that name one of these marks, and the parts of these, without site and evidence. */
  rulesWith(marks: Marks): Set<Rule> {
    const found = new Set<Rule>();
    for (const mark of marks) for (const rule of this.#rules.get(mark) ?? []) found.add(rule);
    return found;
  }

  /**
   * Returns what other sites with the same software say for a rule of a site with these marks, or null. What holds
   * for any path holds for one.
   */
  priorOf(rule: Rule, marks: Marks): Prior | null {
    const { condition } = rule;
    const exact = this.#priorOf(rule, marks);
    if (exact !== null || condition.path === null) return exact;
    return this.#priorOf({ ...rule, condition: { ...condition, path: null } }, marks);
  }

  #priorOf(rule: Rule, marks: Marks): Prior | null {
    const own = ownerOf(rule.site);
    const [first, ...others] = partsOf(rule).map((part) => this.#evidence.get(textOf(part)));
    let [sites, n, ok, seen] = [0, 0, 0, 0];
    for (const [site, evidence] of first ?? []) {
      if (ownerOf(site) === own) continue;
      if (++seen > MOST_LOOKED_AT || sites === MOST_SITES) break;
      if (!others.every((other) => other?.has(site)) || !this.#isShared(site, marks)) continue;
      const counted = Math.min(evidence.n, MOST_OF_SITE);
      sites++;
      n += counted;
      ok += counted * (evidence.ok / evidence.n);
    }
    return sites === 0 ? null : { sites, n, ok };
  }

  #isShared(site: string, marks: Marks): boolean {
    let weight = 0;
    for (const mark of this.#marks.get(site) ?? []) if (marks.has(mark)) weight += weightOf(mark);
    return weight >= LEAST_WEIGHT;
  }

  /** Takes a part of a rule. */
  #add(part: Rule, evidence: Evidence): void {
    const { site } = part;
    const ofSite = entryOf(this.#marks, site, () => new Set());
    for (const mark of marksOfRule(part)) ofSite.add(mark);
    this.#list(part);
    const bySite = entryOf(this.#evidence, textOf(part), () => new Map());
    const known = bySite.get(site);
    if (known === undefined || known.n < evidence.n) bySite.set(site, evidence);
  }

  /** Lists a rule by its marks, once. */
  #list({ condition, action }: Rule): void {
    const rule: Rule = { site: ANY_SITE, condition, action, evidence: null };
    const text = textOf(rule);
    if (this.#listed.has(text)) return;
    this.#listed.add(text);
    for (const mark of marksOfRule(rule)) entryOf(this.#rules, mark, () => []).push(rule);
  }
}

/** Returns an entry of a map. Makes it if it is missing. */
function entryOf<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/**
 * Returns the parts of a rule: one for each parameter that it drops. If a page depends on none of them, it does
 * not depend on one. Other rules have one part.
 */
function partsOf(rule: Rule): Rule[] {
  if (rule.action.type !== "drop") return [rule];
  return rule.action.params.map((name) => ({ ...rule, action: { type: "drop", params: [name] } }));
}

/** Returns the rule that drops what the parts drop. */
function joined(parts: readonly Rule[]): Rule {
  const params = parts.flatMap(({ action }) => (action.type === "drop" ? action.params : []));
  return { ...(parts[0] as Rule), action: { type: "drop", params } };
}

/** Returns whether a rule has evidence that is applied by default, from one site, and no exceptions. */
function isEvidence({ site, evidence, except }: Rule): boolean {
  if (site === ANY_SITE || evidence === null || evidence.n === 0) return false;
  return except === undefined && ["E1", "E2", "E3"].includes(evidence.level);
}

/**
 * Returns whether a rule may hold on another site with the same software. It names scripts or parameters, and
 * neither things of its site nor its host.
 */
function isOfSoftware({ condition, action }: Rule): boolean {
  if (["host", "scheme", "keep", "sort", "lower", "slash"].includes(action.type)) return false;
  return marksOfRule({ condition, action }).size > 0 && !namesThing(textOf({ condition, action }));
}

/** Returns whether a text has the number of a thing: any but 0 and 1, which are defaults. */
function namesThing(text: string): boolean {
  return /[2-9]|\d\d/.test(text.replace(/<\d>|%[0-9A-F]{2}|\.php\d/g, ""));
}

/** Returns the script that a condition asks for, by a path without patterns; or null. */
export function scriptAsked({ path }: Condition): string | null {
  const [only] = path ?? [];
  return path?.length === 1 && only?.kind === "text" ? scriptOf(only.text) : null;
}

/**
 * Returns the text that names a rule, whatever its site and the directory of its script. The target of a sink is
 * left out: it is any URL of the one page.
 */
function textOf({ condition, action }: Pick<Rule, "condition" | "action">): string {
  const script = scriptAsked(condition);
  const path = script === null ? condition.path : [{ kind: "text", text: `/${script}` } as const];
  const start = `${writeCondition({ ...condition, path })}\t`;
  return action.type === "sink" ? `${start}sink` : start + writeAction(action, ANY_SITE);
}

/** Returns a site without port and `www.`: these have the same pages. */
function ownerOf(site: string): string {
  return site.replace(/:\d+$/, "").replace(/^www\./, "");
}
