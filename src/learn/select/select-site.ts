import { writeRule } from "../../site-rules/language/rule-line.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { aliasesOf } from "../aliases/aliases.ts";
import { ChangeFinder } from "../count/changes.ts";
import {
  type Counted,
  counterOf,
  type SiteEvidence,
  type Tallied,
  tallyOf,
} from "../count/counted.ts";
import { changesOfAll } from "../count/settled.ts";
import type { JudgedRule, LearnedSite } from "../learned-site.ts";
import { mineBundles } from "../mine/bundles.ts";
import { mineStage } from "../mine/mine-site.ts";
import { Nodes } from "../site/nodes.ts";
import { pageTypesOf } from "../site/page-types.ts";
import { countRedundant, type Pages } from "../site/pages.ts";
import { compareUrls } from "../site/site.ts";
import { firstStage, type Stage } from "../site/stage.ts";
import { skipsOfSite } from "../skips.ts";
import { pointsOf } from "../thresholds/kind-points.ts";
import { isDeclaredBySite, whyNot } from "../thresholds/refusal.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";
import { withoutDead } from "./applied.ts";
import { ExceptionFinder } from "./exceptions.ts";
import type { LiveKey } from "./keys.ts";
import { NameEvidence } from "./name-evidence.ts";
import { Narrower } from "./narrow.ts";
import { proposeRules } from "./proposals.ts";
import { prunedStarts } from "./pruned-starts.ts";
import { RuleFilter } from "./rule-filter.ts";
import { type Judged, type Refused, type Selection, Selector } from "./select.ts";

/** Limits the stages of mining. Each mines what the selected rules made of the URLs. */
const STAGES = 3;
/** The share of right merges that makes it worth mining, or selecting, once more. */
const WORTHWHILE = 0.01;

/** Selects the rules of a site, and mines again what they leave, as far as `isWanted` allows. */
export function selectSite(
  evidence: SiteEvidence,
  maxPageLoss: number,
  isWanted: (rule: Rule) => boolean = () => true,
  exhausted?: string,
): LearnedSite {
  const { site, known, nodes } = evidence;
  const first = firstStage(site, nodes, known);
  const counter = counterOf(first);
  const mined = new Sifted(first, evidence.ruledOut);
  for (const { rule, changes } of evidence.rules) {
    mined.add(counter.count(rule, changes));
  }
  const refused = new Map<string, Refused>();
  const refuse = (more: readonly Refused[]): void => {
    for (const entry of more) {
      const line = writeRule(entry.counted.rule);
      if (!refused.has(line)) refused.set(line, entry);
    }
  };
  refuse(refusedOf(mined.ruledOut, first.pages));
  const begun = selectFirst(mined, first, maxPageLoss);
  const { selector } = begun;
  refuse(begun.refused);
  let { keys } = begun;
  let before = -1;
  const stages = first.pages.total === 0 ? 1 : STAGES;
  for (let number = 2; number <= stages && isMore(selector.right, before); number++) {
    const isSame = selector.selected.length === 0;
    before = selector.right;
    const live = [...keys.live()];
    if (redundantOf(live, selector) < THRESHOLDS.classes) break;
    const { stage, urls } = nextStage(live, selector, first);
    const sifted = countAll(stage, isSame, isWanted);
    refuse(refusedOf(sifted.ruledOut, stage.pages));
    const exceptions = new ExceptionFinder(stage);
    const selection = selector.select(sifted.judged(), stage, urls, exceptions);
    refuse(selection.refused);
    keys = selection.keys;
  }
  const { selected, effect } = withoutDead(selector.selected, first);
  for (const { counted } of selected) refused.delete(writeRule(counted.rule));
  const rules = selected.map(({ rule }) => rule);
  return {
    site,
    urls: nodes.count,
    pages: first.pages.total,
    softErrors: first.pages.softErrors,
    redundant: first.pages.known - first.pages.total,
    selected: selected.map(({ counted, rule }) => judge(counted, rule)),
    proposed: first.pages.total > 0 ? [] : propose(mined.open, selected, evidence),
    refused: [...refused.values()].map(({ counted, refusal }) => ({ ...judge(counted), refusal })),
    ...aliasesOf(evidence, rules, selector.budget),
    skips: skipsOfSite(evidence, rules, exhausted),
    effect,
  };
}

/** Returns whether so many right merges are worthwhile where so many were made before. */
function isMore(right: number, before: number): boolean {
  return right - before > WORTHWHILE * before;
}

/** Limits the rules that are put first, one after the other, because others hide what they ask for. */
const MAX_URGENT = 4;

/** Selects on the first stage. Does so again while a hidden rule merges more when it comes first. */
function selectFirst(mined: Sifted, stage: Stage, maxPageLoss: number): Begun {
  const exceptions = new ExceptionFinder(stage);
  const judged = mined.judged();
  const select = (urgent: ReadonlySet<Counted>): Begun => {
    const selector = new Selector(stage, maxPageLoss);
    const urls = stage.nodes.targets.keys();
    return { selector, ...selector.select(judged, stage, urls, exceptions, urgent) };
  };
  const urgent = new Set<Counted>();
  let best = select(urgent);
  while (urgent.size < MAX_URGENT) {
    const fewest = Math.max(THRESHOLDS.classes, WORTHWHILE * best.selector.right);
    const hidden = best.selector.hidden(best.covered, fewest);
    if (hidden === null) break;
    urgent.add(hidden);
    const other = select(urgent);
    if (other.selector.right <= best.selector.right) break;
    best = other;
  }
  return best;
}

interface Begun extends Selection {
  readonly selector: Selector;
}

/** Sorts the rules that are counted on a stage. */
class Sifted {
  /** Tells which rules may be selected. */
  readonly filter: RuleFilter;
  /** Holds the numbers of the rules that are ruled out. */
  readonly ruledOut: Tallied[];
  readonly #open = new Map<string, Counted>();
  readonly #narrower: Narrower;
  readonly #names: NameEvidence;
  readonly #pages: Pages;

  constructor(
    stage: Stage,
    ruledOut: readonly Tallied[] = [],
    finder = new ChangeFinder(stage.nodes),
  ) {
    this.filter = new RuleFilter(stage.pages);
    this.#pages = stage.pages;
    this.#names = new NameEvidence(stage, finder);
    this.ruledOut = [...ruledOut];
    this.#narrower = new Narrower(stage, finder);
  }

  /** Lists the rules that may be selected, each once, with the narrowest path. */
  get open(): readonly Counted[] {
    return [...this.#open.values()];
  }

  /** Returns the rules that may be selected, without names that have too little evidence, and what judges them. */
  judged(): Judged {
    const points = pointsOf([...this.#open.values(), ...this.ruledOut], this.#pages.equality);
    const ofAll = (counted: Counted) => whyNot(counted, this.#pages, points);
    for (const [line, counted] of this.#open) {
      if (isDeclaredBySite(counted) || ofAll(counted) !== null) continue;
      const weak = this.#names.weakest(counted, points);
      if (weak === null) continue;
      this.#open.delete(line);
      // The loop comes to it, too.
      this.add(weak.rest);
    }
    return {
      open: this.open,
      whyNot: (counted) => ofAll(counted) ?? this.#names.weakest(counted, points)?.refusal ?? null,
    };
  }

  /** Keeps the lists of a rule only if it may be selected. */
  add(counted: Counted): void {
    if (this.filter.keeps(counted)) this.keep(counted);
    else this.ruledOut.push(tallyOf(counted));
  }

  /** Keeps a rule that may be selected. */
  keep(counted: Counted): void {
    const narrow = this.#narrower.narrow(counted);
    const line = [...narrow.before, narrow.rule].map(writeRule).join("\n");
    if (!this.#open.has(line)) this.#open.set(line, narrow);
  }
}

function refusedOf(ruledOut: readonly Tallied[], pages: Pages): Refused[] {
  return ruledOut.flatMap((counted) => {
    const refusal = whyNot(counted, pages);
    return refusal === null || counted.effect.right === 0 ? [] : [{ counted, refusal }];
  });
}

/** Returns what rules made of the URLs of a site as a stage, with an original URL for each. */
function nextStage(
  live: LiveKey[],
  selector: Selector,
  { name, pages, declared, slashes }: Stage,
): { stage: Stage; urls: number[] } {
  live.sort(compareUrls);
  const nodes = new Nodes(
    live.map(({ target }) => target),
    live.map(({ isHttps }) => isHttps),
  );
  const urls = live.map(({ url }) => url);
  const page = Int32Array.from(urls, (url) => selector.pageOf(url).page);
  const declaredPage = Int32Array.from(urls, (url) => selector.pageOf(url).declared);
  const stage = {
    name,
    nodes,
    pages: {
      ...pages,
      page,
      known: page.filter((own) => own >= 0).length,
      changing: new Set([...urls.keys()].filter((at) => pages.changing.has(urls[at] as number))),
    },
    declared: { ...declared, page: declaredPage },
    types: pageTypesOf(nodes),
    slashes,
  };
  return { stage, urls };
}

/** Counts the keys beyond one for each page. */
function redundantOf(live: readonly LiveKey[], selector: Selector): number {
  return countRedundant(live.map(({ url }) => selector.pageOf(url).page));
}

/** Counts the wanted rules mined on a stage. If its URLs were mined before, it mines only bundles. */
function countAll(stage: Stage, isSame: boolean, isWanted: (rule: Rule) => boolean): Sifted {
  const counter = counterOf(stage);
  const finder = new ChangeFinder(stage.nodes);
  const counts = new Sifted(stage, [], finder);
  const keeps = (counted: Counted) => isWanted(counted.rule) && counts.filter.keeps(counted);
  for (const { rule, changes, ruledOut } of isSame ? [] : mineStage(stage, keeps)) {
    if (!isWanted(rule)) continue;
    if (ruledOut !== undefined) {
      counts.ruledOut.push(ruledOut);
      continue;
    }
    const counted = counter.count(rule, changes ?? finder.changes(rule));
    if (changes !== undefined) counts.keep(counted);
    else counts.add(counted);
  }
  const isPruned = prunedStarts(stage);
  for (const rules of mineBundles(stage)) {
    if (isPruned(rules.slice(0, -1)) || !rules.every(isWanted)) continue;
    const changes = finder.twinOf(changesOfAll(rules, stage.nodes));
    const counted = counter.count(rules.at(-1) as Rule, changes, rules.slice(0, -1));
    counts.add(counted);
  }
  return counts;
}

function propose(
  mined: readonly Counted[],
  selected: readonly { readonly counted: Counted }[],
  { known }: SiteEvidence,
): JudgedRule[] {
  const open = mined.filter((candidate) => selected.every(({ counted }) => counted !== candidate));
  return proposeRules(open, known).map(({ counted, rule }) => judge(counted, rule));
}

function judge({ rule: own, effect, examples }: Tallied, rule: Rule = own): JudgedRule {
  return { rule, effect, examples };
}
