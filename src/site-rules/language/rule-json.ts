import { badRule } from "../data-lines.ts";
import { levelNamed } from "../level-named.ts";
import type { Evidence, Rule, Unless } from "../rule.ts";
import { writeCondition } from "./condition-text.ts";
import { isListName, roundBound } from "./evidence-text.ts";
import { addException, addUnless } from "./exception-text.ts";
import { parseRule, writeRule } from "./rule-line.ts";

/** Holds a rule as JSON: condition and action in the language of rules, evidence in numbers. */
export interface RuleJson {
  /** Names the host, with `:port` if the URL has one; `*` is every site. */
  readonly site: string;
  /** Holds the condition in the language of rules; `*` is every URL. */
  readonly condition: string;
  /** Holds the action in the language of rules, such as `drop sid`. */
  readonly action: string;
  /** Holds the evidence for the rule; left out for a rule that somebody wrote. */
  readonly evidence?: Evidence;
  /** Lists what the rule must not make, as path and query; left out if there are no exceptions. */
  readonly except?: readonly string[];
  /** Lists sites and conditions of URLs that the rule leaves alone; left out if there are none. */
  readonly unless?: readonly { readonly site: string; readonly condition: string }[];
}

/**
 * Returns a rule as an object for JSON.
 *
 * @example
 * ruleToJson(parseRule("a.b\t*\tsort")); // { site: "a.b", condition: "*", action: "sort" }
 */
export function ruleToJson(rule: Rule): RuleJson {
  const [site = "", condition = "", action = ""] = writeRule(rule).split("\t");
  const { evidence, except, unless } = rule;
  return {
    site,
    condition,
    action,
    ...(evidence === null ? {} : { evidence: { ...evidence, lb: roundBound(evidence.lb) } }),
    ...(except === undefined || except.size === 0 ? {} : { except: [...except] }),
    ...(unless === undefined ? {} : { unless: unless.map(unlessToJson) }),
  };
}

/**
 * Reads what `ruleToJson` wrote. Throws `BAD_RULES` for anything else.
 *
 * @example
 * ruleFromJson({ site: "a.b", condition: "*", action: "sort" }).action; // { type: "sort" }
 */
export function ruleFromJson(value: unknown): Rule {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw badRule("a rule must be an object");
  const { site, condition, action, evidence, except, unless, ...others } = value as Record<
    string,
    unknown
  >;
  const [other] = Object.keys(others);
  if (other !== undefined) throw badRule(`a rule cannot have "${other}"`);
  const texts = [site, condition, action];
  if (!texts.every((text) => typeof text === "string" && !text.includes("\t"))) {
    throw badRule("site, condition and action of a rule are texts without TAB");
  }
  const rule = parseRule(texts.join("\t"));
  return {
    ...rule,
    ...(evidence === undefined ? {} : { evidence: evidenceFromJson(evidence) }),
    ...(except === undefined ? {} : { except: exceptFromJson(rule, except) }),
    ...(unless === undefined ? {} : { unless: unlessFromJson(unless) }),
  };
}

function unlessToJson({ site, condition }: Unless): { site: string; condition: string } {
  return { site, condition: writeCondition(condition) };
}

function unlessFromJson(value: unknown): Unless[] {
  const unless: Unless[] = [];
  for (const each of Array.isArray(value) && value.length > 0 ? value : [null]) {
    const { site, condition, ...others } = (each ?? {}) as Record<string, unknown>;
    const isText = typeof site === "string" && typeof condition === "string";
    if (!isText || Object.keys(others).length > 0) {
      throw badRule("unless is a list of objects, each with the texts site and condition");
    }
    addUnless(`${site}\t${condition}`, unless);
  }
  return unless;
}

function exceptFromJson(rule: Rule, value: unknown): ReadonlySet<string> {
  const isList = Array.isArray(value) && value.length > 0;
  if (!isList || !value.every((target) => typeof target === "string")) {
    throw badRule("except is a list of one or more texts, each a path and perhaps a query");
  }
  const except = new Set<string>();
  for (const target of value) addException(rule, target, except);
  return except;
}

function evidenceFromJson(value: unknown): Evidence {
  const { level, n, ok, lb, list, ...others } = (value ?? {}) as Partial<Evidence>;
  const isCount = (count: unknown) => Number.isSafeInteger(count) && (count as number) >= 0;
  const known = levelNamed(level);
  const isBound = typeof lb === "number" && lb >= 0 && lb <= 1;
  if (
    known === undefined ||
    !isCount(n) ||
    !isCount(ok) ||
    !isBound ||
    (list === undefined ? known === "list" : known !== "list" || !isListName(list)) ||
    Object.keys(others).length > 0
  ) {
    throw badRule("evidence is a level such as fingerprint, counts n and ok, and lb from 0 to 1");
  }
  if ((ok as number) > (n as number)) {
    throw badRule(`the evidence has ok (${ok}) above n (${n})`);
  }
  const counts = { level: known, n: n as number, ok: ok as number, lb: roundBound(lb) };
  return list === undefined ? counts : { ...counts, list };
}
