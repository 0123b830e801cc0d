import { UrlmillError } from "../../base/errors.ts";
import { byName } from "../../plan/encode/plan-writer.ts";
import { addException } from "../../site-rules/language/exception-text.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { ChangeList, type Changes } from "../count/change-list.ts";
import type { Effect } from "../count/components.ts";
import { type Counted, counterOf, type TypeTally } from "../count/counted.ts";
import type { Stage } from "../site/stage.ts";
import type { Refusal } from "../thresholds/refusal.ts";
import { endingsOf, familiesOf } from "./families.ts";
import { UnseenEstimate } from "./unseen.ts";

/** Limits the exceptions of a rule: for each right merge, and all of them. */
const SHARE = 0.25;
const MOST = 100_000;
/** Limits the rules of a stage that are tried with exceptions. */
const MAX_TRIED = 16;
/** Counts the right merges that make a rule worth a try, and these for each wrong one. */
const MIN_RIGHT = 20;
const RIGHT = 3;

/** Holds a rule counted with exceptions, or why it needs too many. */
export type Tried =
  | { readonly counted: Counted; readonly refusal: null }
  | { readonly counted: null; readonly refusal: Refusal };

/** Tries the rules of a stage with exceptions: what they make of things that have several pages. */
export class ExceptionFinder {
  readonly #stage: Stage;
  readonly #tried = new Map<Counted, Tried | null>();

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /**
   * Returns the rule with exceptions, counted by what it is expected to do to URLs that are not seen yet; or why it
   * needs too many. Returns null for a rule that is not tried. `left`: what it would do now, without exceptions.
   */
  tryRule(counted: Counted, { right, wrong }: Effect): Tried | null {
    const { rule, before } = counted;
    const isOpen = ["sub", "path", "drop"].includes(rule.action.type) && rule.except === undefined;
    if (!isOpen || before.length > 0 || right < MIN_RIGHT || right < RIGHT * wrong) return null;
    const known = this.#tried.get(counted);
    if (known !== undefined) return known;
    if (this.#tried.size === MAX_TRIED) return null;
    const tried = this.#try(counted);
    this.#tried.set(counted, tried);
    return tried;
  }

  #try(candidate: Counted): Tried | null {
    const { rule, changes, effect } = candidate;
    const families = familiesOf(candidate, this.#stage.pages);
    const unseen = new UnseenEstimate(this.#stage, endingsOf(families, this.#stage));
    // In the order of their texts, whatever order the URLs came in.
    const several = [...families].filter(([, family]) => unseen.add(family)).sort(byName);
    if (several.length === 0) return null;
    const most = tooMany(several.length, effect);
    if (most !== null) return { counted: null, refusal: most };
    const except = new Set<string>();
    const isKept = new Set<number>();
    for (const [made, { merged }] of several) {
      if (!isException(rule, made, except)) return null;
      for (const node of merged) isKept.add(node);
    }
    const counter = counterOf(this.#stage);
    const counted = counter.count({ ...rule, except }, without(changes, isKept));
    const refusal = tooMany(except.size, counted.effect);
    return refusal === null
      ? { counted: expected(counted, unseen), refusal }
      : { counted: null, refusal };
  }
}

/** Returns the refusal of a rule with too many exceptions, or null. */
function tooMany(reached: number, { right }: Effect): Refusal | null {
  const needed = Math.min(MOST, Math.floor(SHARE * right));
  if (reached <= needed) return null;
  return { why: "too many exceptions", reached, needed, unit: "exceptions" };
}

/** Adds an exception. Returns false for what is not in normal form, which no exception can say. */
function isException(rule: Rule, made: string, except: Set<string>): boolean {
  try {
    addException(rule, made, except);
    return true;
  } catch (error) {
    if (error instanceof UrlmillError) return false;
    throw error;
  }
}

function without({ nodes, low, high }: Changes, gone: ReadonlySet<number>): Changes {
  const left = new ChangeList();
  for (const [at, node] of nodes.entries()) {
    if (!gone.has(node)) left.add(node, { low: low[at] as number, high: high[at] as number });
  }
  return left.take();
}

/** Returns what a rule does, with what it is expected to do to URLs that are not seen yet. */
function expected(counted: Counted, unseen: UnseenEstimate): Counted {
  const types = new Map<number, TypeTally>();
  for (const [type, tally] of counted.types) types.set(type, { ...tally });
  let all = 0;
  for (const [type, wrong] of unseen.wrong) {
    const { right, wrong: seen } = types.get(type) ?? { right: 0, wrong: 0 };
    types.set(type, { right, wrong: seen + wrong });
    all += wrong;
  }
  let { lost } = counted.effect;
  for (const pages of unseen.lost.values()) lost += pages;
  const { effect } = counted;
  const wrong = effect.wrong + Math.ceil(all);
  return { ...counted, types, unseen, effect: { ...effect, wrong, lost } };
}
