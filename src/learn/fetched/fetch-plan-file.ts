import { withoutMark } from "../../base/byte-order-mark.ts";
import { checkText, UrlmillError } from "../../base/errors.ts";
import { badRule } from "../../site-rules/data-lines.ts";
import { addException } from "../../site-rules/language/exception-text.ts";
import { parseRule, writeRule } from "../../site-rules/language/rule-line.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { type FetchPlan, MAX_PAIRS, type PlannedPair } from "./fetch-plan.ts";
import { type FetchResult, readFetchResult } from "./fetch-result.ts";
import { madeUrl } from "./pair-chooser.ts";

/** Holds the first line of a plan; the number is the version of its form. */
export const PLAN_HEADER = "#urlmill-plan 1";

/** Lists the names of the columns, which are the second line of a plan. Write what was fetched after them. */
export const PLAN_COLUMNS = ["rule", "pair", "url", "other"] as const;

const COLUMNS = PLAN_COLUMNS.join("\t");
const COUNT = /^\d{1,15}$/;
const RULE = "#rule\t";
const NOT = "#not\t";
const MERGED = "#merged\t";

/** Holds a pair and what fetching it told. */
export type FetchedPair = PlannedPair & FetchResult;

/** Holds a rule with the results of its pairs. */
export interface FetchedRule {
  /** Holds the rule. */
  readonly rule: Rule;
  /** Lists the pairs in the order they were planned in. */
  readonly pairs: readonly FetchedPair[];
  /** Counts the URLs that the rule makes one with another of the list; 0 if the plan has no count. */
  readonly merged: number;
  /** Counts the URLs of the sites that the rule is for; 0 if the plan has no count. */
  readonly urls: number;
}

/**
 * Writes a plan as lines, TAB between columns: the header, the names of the columns, then the rules and the pairs. A
 * rule is `#rule`, its number from 1 on and its own line. Each of its exceptions is `#not`, this number, and path and
 * query. `#merged`, this number and two counts say how many URLs the rule makes one with another, of how many. A pair is the
 * number of the rule, the number of the pair in it, and two URLs.
 *
 * Whoever fetched the two URLs writes the result after a pair: `same`, `different` or `unknown`, or a fingerprint for
 * each of them.
 *
 * @example
 * writePlan({ rules: [] }); // "#urlmill-plan 1\nrule\tpair\turl\tother\n"
 */
export function writePlan({ rules }: FetchPlan): string {
  const lines = [PLAN_HEADER, COLUMNS];
  for (const [index, { rule, merged, urls }] of rules.entries()) {
    lines.push(`${RULE}${index + 1}\t${writeRule(rule)}`);
    for (const target of rule.except ?? []) lines.push(`${NOT}${index + 1}\t${target}`);
    lines.push(`${MERGED}${index + 1}\t${merged}\t${urls}`);
  }
  for (const [index, { pairs }] of rules.entries()) {
    for (const [place, { url, other }] of pairs.entries()) {
      lines.push([index + 1, place + 1, url, other].join("\t"));
    }
  }
  return `${lines.join("\n")}\n`;
}

/**
 * Reads a plan with results, by the numbers of the rules. Pairs may stand in any order after their rule. A missing pair
 * or result is unknown. It skips other lines that begin with `#`, empty lines, and a byte order mark at the beginning.
 * Throws `BAD_RULES`, which names the first wrong line and why.
 *
 * @example
 * readVerdicts("#urlmill-plan 1\nrule\tpair\turl\tother\n"); // []
 */
export function readVerdicts(text: string): FetchedRule[] {
  checkText(text, "text");
  const lines = withoutMark(text).split(/\r?\n/);
  const reader = new PlanReader();
  for (const [index, line] of lines.entries()) {
    try {
      if (index === 0) checkHeader(line);
      else reader.add(line);
    } catch (error) {
      if (!(error instanceof UrlmillError)) throw error;
      throw badRule(`line ${index + 1} of the plan: ${error.message}`);
    }
  }
  return reader.rules();
}

function checkHeader(line: string): void {
  if (line === PLAN_HEADER) return;
  throw badRule(
    /^#urlmill-plan(\s|$)/.test(line)
      ? `"${line}" is another version than "${PLAN_HEADER}"`
      : `a plan begins with the line "${PLAN_HEADER}"`,
  );
}

interface Draft {
  rule: Rule;
  readonly except: Set<string>;
  readonly pairs: Map<number, FetchedPair>;
  merged: number;
  urls: number;
}

class PlanReader {
  readonly #drafts = new Map<number, Draft>();
  #hasColumns = false;

  /** Takes one line; throws `BAD_RULES` without its place. */
  add(line: string): void {
    if (line.startsWith(RULE)) this.#addRule(line.slice(RULE.length));
    else if (line.startsWith(NOT)) this.#addException(line.slice(NOT.length));
    else if (line.startsWith(MERGED)) this.#addCounts(line.slice(MERGED.length).split("\t"));
    else if (line === "" || line.startsWith("#")) return;
    else if (this.#hasColumns) this.#addPair(line.split("\t"));
    else if (line === COLUMNS || line.startsWith(`${COLUMNS}\t`)) this.#hasColumns = true;
    else throw badRule(`the columns of a plan are ${PLAN_COLUMNS.join(", ")}, and results`);
  }

  rules(): FetchedRule[] {
    return inOrder(this.#drafts).map(({ rule, pairs, merged, urls }) => {
      return { rule, pairs: inOrder(pairs), merged, urls };
    });
  }

  #addRule(text: string): void {
    const tab = text.indexOf("\t");
    const number = readNumber(text.slice(0, Math.max(0, tab)), Number.MAX_SAFE_INTEGER, "rule");
    if (this.#drafts.has(number)) throw badRule(`there is a rule ${number} already`);
    const rule = parseRule(text.slice(tab + 1));
    this.#drafts.set(number, { rule, except: new Set(), pairs: new Map(), merged: 0, urls: 0 });
  }

  #addCounts([rule = "", merged = "", urls = "", ...more]: readonly string[]): void {
    const draft = this.#draft(rule);
    if (!COUNT.test(merged) || !COUNT.test(urls) || more.length > 0) {
      throw badRule(`"${[merged, urls, ...more].join(" ")}" are not two counts of URLs`);
    }
    [draft.merged, draft.urls] = [Number(merged), Number(urls)];
  }

  #addException(text: string): void {
    const tab = text.indexOf("\t");
    const draft = this.#draft(text.slice(0, Math.max(0, tab)));
    addException(draft.rule, text.slice(tab + 1), draft.except);
    if (draft.except.size === 1) draft.rule = { ...draft.rule, except: draft.except };
  }

  /** Returns the draft of the rule with this number, which a line before this one gave. */
  #draft(rule: string): Draft {
    const number = readNumber(rule, Number.MAX_SAFE_INTEGER, "rule");
    const draft = this.#drafts.get(number);
    if (draft === undefined) throw badRule(`no line before this one says what rule ${number} is`);
    return draft;
  }

  #addPair([rule = "", pair = "", url, other, ...fetched]: readonly string[]): void {
    if (url === undefined || other === undefined) {
      throw badRule(`a pair is ${PLAN_COLUMNS.join(", ")} and results, with a TAB between`);
    }
    const draft = this.#draft(rule);
    const place = readNumber(pair, MAX_PAIRS, "pair");
    if (draft.pairs.has(place)) throw badRule(`rule ${rule} has a pair ${place} already`);
    const made = madeUrl(draft.rule, checkUrl(url));
    if (url === other || madeUrl(draft.rule, checkUrl(other)) !== made) {
      throw badRule(`rule ${rule} does not make ${url} and ${other} one`);
    }
    draft.pairs.set(place, { url, other, ...readFetchResult(fetched, made) });
  }
}

function inOrder<T>(numbered: ReadonlyMap<number, T>): T[] {
  return [...numbered].sort(([a], [b]) => a - b).map(([, value]) => value);
}

function readNumber(text: string, most: number, what: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text) || Number(text) > most) {
    throw badRule(`"${text}" is not the number of a ${what}`);
  }
  return Number(text);
}

function checkUrl(text: string): string {
  if (!/^https?:\/\/[^/?#]+\//.test(text)) throw badRule(`"${text}" is not a normalized URL`);
  return text;
}
