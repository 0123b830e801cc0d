import type { UrlErrorCode } from "../../base/status.ts";
import type { LoadedPlan } from "../../plan/decode/decode.ts";
import type { LoadedSiteRules } from "../../plan/decode/decode-rules.ts";
import { writeAliasLine } from "../../site-rules/aliases/alias-file.ts";
import { targetOf } from "../../site-rules/apply/actions.ts";
import { applyRule } from "../../site-rules/apply/apply.ts";
import { writeRule } from "../../site-rules/language/rule-line.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { parseBase } from "../../url/base.ts";
import { fromByteString } from "../../url/bytes.ts";
import { Failure } from "../../url/failure.ts";
import { joinParts, splitParts } from "../../url/parts.ts";
import { schemeEnd } from "../../url/scheme.ts";
import { writeUrl } from "../../url/url.ts";
import { rewrite } from "../js/options/rewrite.ts";
import { missingPrefix, trimmed, withoutRemoved, writeRow } from "../js/row.ts";
import { settleSite } from "../js/settle-site.ts";
import { joinRaw, referenceTo, STEPS, splitRaw } from "./steps.ts";

/** Describes one step that changed the URL. */
export interface ExplainedStep {
  /**
   * Names the step as the specification does. It is one of reading and writing (`dotSegments`),
   * an option (`trackingParams`), `rules` for each rule of a site that changed the URL, or `pageAliases`.
   */
  readonly step: string;
  /** Holds the URL before the step. */
  readonly before: string;
  /** Holds the URL after the step. */
  readonly after: string;
  /**
   * Holds the command that prints the section of the specification, such as `urlmill help dotSegments`. The
   * section of a standard follows in parentheses, if the step has one. For a rule or an alias of a site, it is
   * the line without evidence.
   */
  readonly reference: string;
}

/** Holds what normalizing one URL does, step by step. */
export interface Explanation {
  /** Holds the normalized URL, or null if there is an error. */
  readonly url: string | null;
  /** Holds the code of the error, or null. */
  readonly error: UrlErrorCode | null;
  /** Gives the byte of the input at which the error is; -1 without an error. */
  readonly offset: number;
  /** Lists the steps that changed the URL, in order; empty if there is an error. */
  readonly steps: readonly ExplainedStep[];
  /** Lists the rules of the site that an exception kept from changing the result. Absent if no exception did so. */
  readonly excepted?: readonly ExceptedRule[];
}

/** Describes a rule of a site that leaves a URL as it is, because it would make one of its exceptions. */
export interface ExceptedRule {
  /** Holds the line of the rule, without evidence. */
  readonly rule: string;
  /** Holds the exception: path and query that the rule would make. */
  readonly made: string;
}

const READING = "WHATWG URL 4.4";
// A byte order mark is part of the text.
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Returns what normalizing does to a URL, a byte string, step by step. `base` is a normalized URL, or "". The
 * last step's `after` is always the result. A change that no single step explains is shown as `reading`.
 */
export function explain(input: string, base: string, plan: LoadedPlan): Explanation {
  const parsedBase = base === "" ? null : parseBase(base);
  const result = writeRow(input, parsedBase, plan);
  const steps = new StepList(input);
  if (result instanceof Failure) {
    return { url: null, error: result.code, offset: result.at, steps: [] };
  }
  let text = trimmed(input);
  steps.addKnown("surroundingSpace", text, READING);
  text = withoutRemoved(text);
  steps.addKnown("tabAndNewline", text, READING);
  if (parsedBase === null && plan.defaultScheme !== "") {
    text = missingPrefix(text, plan.defaultScheme) + text;
    steps.addKnown("defaultScheme", text);
  }
  const normal = writeUrl(text, parsedBase) as string;
  if (schemeEnd(text) < 0) steps.addKnown("base", normal, "RFC 3986 5.2, WHATWG URL 4.4");
  else explainAbsolute(text, normal, steps);
  steps.addKnown("reading", normal, READING);
  let current = normal;
  const addOption = (option: string, after: string) => {
    steps.addKnown(option, after);
    current = after;
  };
  rewrite(normal, plan, (option, parts) => addOption(option, joinParts(parts)));
  if (result !== current) {
    settleSite(current, plan, (step, after) => {
      if (step === null) steps.addKnown("reading", after, READING);
      else if (typeof step === "string") addOption(step, after);
      else if ("action" in step) steps.add("rules", after, lineOf(step));
      else steps.add("pageAliases", after, writeAliasLine(step));
    });
  }
  const excepted = plan.siteRules === null ? [] : exceptedRules(result, plan.siteRules);
  const explained = { url: result, error: null, offset: -1, steps: steps.list };
  return excepted.length === 0 ? explained : { ...explained, excepted };
}

/** Returns the rules that would change a URL of their site if they had no exceptions. */
function exceptedRules(url: string, { bySite, anySite }: LoadedSiteRules): ExceptedRule[] {
  if (!/^https?:/.test(url)) return [];
  const { host, port } = splitParts(url);
  return (bySite.get(host + port) ?? anySite).flatMap((rule) => {
    const { except, ...plain } = rule;
    const parts = splitParts(url);
    if (except === undefined || applyRule(parts, rule) || !applyRule(parts, plain)) return [];
    return [{ rule: lineOf(rule), made: targetOf(parts) }];
  });
}

/**
 * Returns the rules of sites that change a URL, in the order they are applied. `url` is a byte string, as the
 * options leave it. Returns an empty list if the rules leave it as it is.
 */
export function appliedRules(url: string, plan: LoadedPlan): Rule[] {
  if (plan.siteRules === null) return [];
  const rules: Rule[] = [];
  let current = url;
  const result = settleSite(url, plan, (step, after) => {
    const isRule = step !== null && typeof step !== "string" && "action" in step;
    if (isRule && after !== current) rules.push(step);
    current = after;
  });
  return result === url ? [] : rules;
}

function lineOf(rule: Rule): string {
  return writeRule({ ...rule, evidence: null });
}

/** Adds the steps of reading and writing. What would be read as another URL is not shown, such as `C%7C` for a drive `C|`. */
function explainAbsolute(text: string, normal: string, steps: StepList): void {
  const parts = splitRaw(text);
  for (const { step, standard, apply } of STEPS) {
    Object.assign(parts, apply(parts));
    const after = joinRaw(parts);
    if (!steps.isShown(after) && writeUrl(after, null) === normal)
      steps.addKnown(step, after, standard);
  }
}

/** Collects the steps that changed something, as text. */
class StepList {
  readonly list: ExplainedStep[] = [];
  #current: string;

  constructor(input: string) {
    this.#current = input;
  }

  /** Returns whether a text is that of the last step. */
  isShown(text: string): boolean {
    return text === this.#current;
  }

  /** Adds a step that the specification has. */
  addKnown(step: string, after: string, standard?: string): void {
    this.add(step, after, referenceTo(step, standard));
  }

  add(step: string, after: string, reference: string): void {
    if (after === this.#current) return;
    this.list.push({ step, before: show(this.#current), after: show(after), reference });
    this.#current = after;
  }
}

/** Returns the text of a byte string in UTF-8. */
function show(bytes: string): string {
  return utf8.decode(fromByteString(bytes));
}
