import { addCount } from "../../base/tallies.ts";
import { capturesOf, textLength } from "../../site-rules/language/pattern.ts";
import { writeRule } from "../../site-rules/language/rule-line.ts";
import { isWhole, type Pattern, type Rule } from "../../site-rules/rule.ts";
import { Components, type Effect, LOST_UNIT } from "../count/components.ts";
import { type Counted, type Tallied, tallyOf } from "../count/counted.ts";
import type { Merges } from "../count/merges.ts";
import type { Stage } from "../site/stage.ts";
import { Budget, type Charge } from "../thresholds/budget.ts";
import { evidenceOf, isDeclaredBySite, type Refusal } from "../thresholds/refusal.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";
import { replacesValue } from "../thresholds/version-like.ts";
import type { ExceptionFinder } from "./exceptions.ts";
import { Keys } from "./keys.ts";
import { isRetryable, MAX_RETRYABLE } from "./rule-filter.ts";

/** Adds to the pages that a rule loses when rules are put in order, so that no rule counts as free. */
const PRIOR = 0.1;
/** So many merges, of which `PRIOR` is wrong, are what is known of a rule before its merges are. */
const PRIOR_MERGES = 100;

/** Holds a rule that was selected, with evidence, and what it was counted as. */
export interface Selected {
  readonly rule: Rule;
  readonly counted: Counted;
}

export interface Refused {
  readonly counted: Tallied;
  readonly refusal: Refusal;
}

/** Holds counted rules, and what says why fingerprints do not speak for one of them; null if they do. */
export interface Judged {
  readonly open: readonly Counted[];
  readonly whyNot: (counted: Counted) => Refusal | null;
}

export interface Selection {
  readonly keys: Keys;
  readonly refused: readonly Refused[];
  /** Lists the refused rules that had nothing left to merge. */
  readonly covered: readonly Counted[];
}

interface Open {
  readonly counted: Counted;
  readonly line: string;
  readonly isDeclared: boolean;
  /** Whether it must come before the others, which would hide it. */
  readonly isUrgent: boolean;
  effect: Effect;
  /** Counts the rules that were selected when the effect was counted. */
  after: number;
}

/** Selects the rules of a site, stage after stage, by what they do together. */
export class Selector {
  readonly #first: Stage;
  readonly #state: Components;
  readonly #declared: Components;
  /** Holds what the pages that may be lost are spent on. */
  readonly budget: Budget;
  /** Lists the selected rules in the order in which they are applied. */
  readonly selected: Selected[] = [];

  constructor(first: Stage, maxPageLoss: number) {
    this.#first = first;
    this.#state = new Components(first.pages);
    this.#declared = new Components(first.declared);
    this.budget = new Budget(first, maxPageLoss);
  }

  /**
   * Picks, of the rules counted on a stage, those that remove most and lose least, until the budget is spent. `urls`
   * holds an original URL for each of the stage; `urgent` rules come first. Returns what comes out.
   */
  select(
    { open: counted, whyNot }: Judged,
    { nodes }: Stage,
    urls: Iterable<number>,
    exceptions: ExceptionFinder,
    urgent: ReadonlySet<Counted> = new Set(),
  ): Selection {
    const keys = new Keys(
      nodes,
      urls,
      this.selected.map(({ rule }) => rule),
    );
    const after = this.selected.length;
    const refused: Refused[] = [];
    const covered: Counted[] = [];
    const open: Open[] = [];
    const add = (candidate: Counted, isDeclared = false): void => {
      const line = [...candidate.before, candidate.rule].map(writeRule).join("\n");
      const isUrgent = urgent.has(candidate);
      const { effect } = candidate;
      open.push({ counted: candidate, line, isDeclared, isUrgent, effect, after });
    };
    /** Refuses a rule, unless it is right with exceptions. */
    const refuse = (candidate: Counted, refusal: Refusal, left: Effect): void => {
      const tried = isRetryable(refusal) ? exceptions.tryRule(candidate, left) : null;
      const isRight = tried?.counted && whyNot(tried.counted) === null;
      if (isRight) {
        add(tried.counted);
        return;
      }
      refused.push({ counted: tallyOf(candidate), refusal: tried?.refusal ?? refusal });
      if (refusal.why === "nothing left to merge") covered.push(candidate);
    };
    const retryable: { counted: Counted; refusal: Refusal }[] = [];
    for (const candidate of counted) {
      const isDeclared = isDeclaredBySite(candidate);
      const refusal = isDeclared ? null : whyNot(candidate);
      if (refusal === null) add(candidate, isDeclared);
      else if (candidate.effect.right > 0) {
        if (isRetryable(refusal)) retryable.push({ counted: candidate, refusal });
        else refused.push({ counted: tallyOf(candidate), refusal });
      }
    }
    retryable.sort((a, b) => b.counted.effect.right - a.counted.effect.right);
    const selectOpen = (): void => {
      while (open.length > 0) {
        const entry = this.#takeBest(open, keys);
        const refusal = this.#tryEntry(entry, keys);
        if (refusal !== null) refuse(entry.counted, refusal, entry.effect);
      }
    };
    selectOpen();
    // What is left for rules that are wrong too often is less then.
    for (const [at, { counted: candidate, refusal }] of retryable.entries()) {
      if (at >= MAX_RETRYABLE) refused.push({ counted: tallyOf(candidate), refusal });
      else refuse(candidate, refusal, this.#state.effect(keys.merges(candidate)));
      selectOpen();
    }
    return { keys, refused, covered };
  }

  /**
   * Returns the covered rule that would merge most if it came before the selected rules, which hide what it asks for;
   * or null if no rule would make so many merges right. Both were counted on the first stage.
   */
  hidden(covered: readonly Counted[], fewest: number): Counted | null {
    let best: Counted | null = null;
    let most = fewest - 1;
    for (const counted of covered) {
      const { right, wrong } = this.#state.effect(counted.merges);
      if (right - wrong > most) [best, most] = [counted, right - wrong];
    }
    return best;
  }

  /** Returns how many right merges the selected rules make. */
  get right(): number {
    return this.budget.right;
  }

  /** Returns the page that most URLs of a key have, by fingerprints and by declarations. */
  pageOf(url: number): { page: number; declared: number } {
    return {
      page: this.#state.mostOf(this.#state.root(url)),
      declared: this.#declared.mostOf(this.#declared.root(url)),
    };
  }

  /** Takes out the rule that is worth most now. Counts it again if rules were selected since its last count. */
  #takeBest(open: Open[], keys: Keys): Open {
    for (;;) {
      open.sort(byWorth);
      const [first, second] = open as [Open, Open?];
      if (first.after < this.selected.length) {
        first.effect = this.#left(first, keys);
        first.after = this.selected.length;
      }
      if (second === undefined || byWorth(first, second) <= 0) return open.shift() as Open;
    }
  }

  /** Returns what a rule would do now. Stops at its effect alone if that is too small already. */
  #left({ counted, isDeclared }: Open, keys: Keys): Effect {
    const alone = this.#state.effect(keys.mergesAlone(counted));
    if (!isDeclared && alone.right < THRESHOLDS.classes) return alone;
    return this.#state.effect(keys.merges(counted));
  }

  /** Selects the rule, or returns the reason for the refusal. */
  #tryEntry({ counted, isDeclared, effect }: Open, keys: Keys): Refusal | null {
    const fewest = isDeclared ? THRESHOLDS.declarations : THRESHOLDS.classes;
    const nothing = (reached: number): Refusal => ({
      why: "nothing left to merge",
      reached,
      needed: fewest,
      unit: "merges",
    });
    if (!isDeclared && effect.right < fewest) return nothing(effect.right);
    const { moves, merges } = keys.tryRule(counted);
    const applied = this.#withUnseen(
      this.#charge(merges, isDeclared ? null : counted),
      counted,
      keys,
    );
    const left = isDeclared ? this.#declared.effect(merges).right : applied.right;
    if (left < fewest) return nothing(left);
    const excess = this.budget.tooMuch(applied);
    if (excess !== null) return { why: "over the budget", ...excess };
    this.budget.spend(applied);
    this.#state.merge(merges);
    // A site without declarations needs no record of what they merge.
    if (this.#first.declared.total > 0) this.#declared.merge(merges);
    keys.accept(counted, moves);
    const evidence = evidenceOf(counted, isDeclared);
    for (const rule of [...counted.before, counted.rule]) {
      this.selected.push({ rule: { ...rule, evidence }, counted });
    }
    return null;
  }

  /** Adds what a rule with exceptions is expected to cost on URLs that are not seen yet. */
  #withUnseen(charge: Charge, { unseen }: Counted, keys: Keys): Charge {
    if (unseen === undefined) return charge;
    const lost = new Map(charge.lost);
    for (const [node, pages] of unseen.lost) {
      // A later stage numbers page types anew.
      const type = this.#first.types.of[keys.urlOf(node)] as number;
      addCount(lost, type, pages);
    }
    const wrong = [...unseen.wrong.values()].reduce((sum, merges) => sum + merges, charge.wrong);
    return { ...charge, wrong, lost };
  }

  /**
   * Returns what merges cost: how many are right and wrong, and the pages lost by page type. A rule that gives a value for
   * another also pays for URLs that are not seen: what some values show is not what others would.
   */
  #charge(merges: Merges, judged: Counted | null): Charge {
    const unseen = judged !== null && replacesValue(judged.rule) ? unseenShare(judged.effect) : 0;
    const byType = new Map<number, number>();
    const urls = new Map<number, number>();
    const singles = new Map<number, number>();
    const isChanging = this.#first.pages.changed > 0;
    const { right, wrong } = this.#state.effect(
      merges,
      ({ node, known, unknown, lost, single }) => {
        const type = this.#first.types.of[node] as number;
        const pages = lost + unseen * (Math.max(0, known - 1) + unknown);
        if (pages > 0) addCount(byType, type, pages);
        if (!isChanging) return;
        addCount(urls, type, known);
        if (single > 0) addCount(singles, type, single);
      },
    );
    return { right, wrong, lost: byType, urls, single: singles };
  }
}

/**
 * Returns what each merge of known pages pays for one that is not seen: the page that it is expected to lose. One of a thousand
 * is wrong, if no merge is known; wrong merges that are known pay for themselves.
 */
function unseenShare({ right, wrong }: Effect): number {
  return Math.round(PRIOR / (right + wrong + PRIOR_MERGES) / LOST_UNIT) * LOST_UNIT;
}

function byWorth(a: Open, b: Open): number {
  return (
    Number(b.isUrgent) - Number(a.isUrgent) ||
    Number(b.isDeclared) - Number(a.isDeclared) ||
    saidBy(b) - saidBy(a) ||
    Number(isOpen(a.counted.rule)) - Number(isOpen(b.counted.rule)) ||
    worth(b.effect) - worth(a.effect) ||
    breadth(a.counted.rule) - breadth(b.counted.rule) ||
    context(b.counted.rule) - context(a.counted.rule) ||
    a.line.length - b.line.length ||
    (a.line < b.line ? -1 : 1)
  );
}

/** Counts the answers whose header declares a rule. It goes before rules that do the same for the names of the list alone. */
function saidBy({ isDeclared, counted: { rule, declared } }: Open): number {
  return isDeclared && isWhole(rule.action) ? declared.right : 0;
}

/**
 * Returns whether a rule also removes parameters that no URL of the list has, or replaces a number or a word beside any
 * name: it comes last.
 */
export function isOpen({ action }: Rule): boolean {
  if (action.type !== "sub") return action.type === "keep";
  return capturesOf(action.from).length > 0 && !/[0-9A-Za-z]/.test(literalText(action.from));
}

function literalText(pattern: Pattern): string {
  return pattern.map((element) => (element.kind === "text" ? element.text : "")).join("");
}

/**
 * Orders rules that do the same: one that names what goes comes before one that replaces any word, and a sink of one
 * path before one of a directory, or of any path.
 */
function breadth({ action, condition }: Rule): number {
  if (action.type === "sub") return hasWord(action.from) ? 1 : 0;
  if (action.type !== "sink") return 0;
  return condition.path === null ? 2 : condition.path.some(({ kind }) => kind === "rest") ? 1 : 0;
}

/** Returns the bytes that a rule asks for beside a word that it replaces: the more, the fewer URLs match. */
function context({ action }: Rule): number {
  return action.type === "sub" && hasWord(action.from) ? textLength(action.from) : 0;
}

function hasWord(pattern: Pattern): boolean {
  return pattern.some(({ kind }) => kind === "word");
}

function worth({ right, lost }: Effect): number {
  return right <= 0 ? 0 : right / (lost + PRIOR);
}
