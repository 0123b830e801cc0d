import { type Rule, writeRules } from "urlmill/learn";
import { type Fold, holdOutUrls } from "./hold-out.ts";
import type { LabelledSite } from "./labelled-site.ts";
import { learnNow } from "./learn-now.ts";
import { simulate } from "./measure.ts";
import { toRecord, withFiles } from "./methods.ts";

/** Halves of the URLs of a site that rules are learned from. */
const SPLITS = 5;

/** Says how much chance decides about the rules of a site: which half of its URLs was known. */
export interface Splits {
  readonly site: string;
  /** The share of the redundancy that is removed, of each split, the least first. */
  readonly removed: readonly number[];
  /** The rule that removes most of those that come and go, and why other splits refused it. */
  readonly unsteady: { readonly rule: string; readonly in: number; readonly why: string } | null;
}

/** A rule in one split: what it merges rightly, and why it was refused, if it was. */
interface Seen {
  readonly right: number;
  readonly why: string | null;
}

/** Learns a site from five halves of its URLs, and measures each on what was not learned from. */
export function splitsOf(
  site: LabelledSite,
  { seed, fold, budget }: { readonly seed: string; readonly fold: Fold; readonly budget: number },
): Splits {
  const removed: number[] = [];
  const seen = new Map<string, Seen[]>();
  for (let split = 1; split <= SPLITS; split++) {
    const { known, arriving } = holdOutUrls(site, `${seed} ${split}`, fold);
    const learned = learnNow(known.map(toRecord), { maxPageLoss: budget });
    const urls = [...known, ...arriving].map(({ url }) => url);
    const keys = withFiles(learned)
      .keysOf(urls)
      .map((key, at) => key ?? `no URL ${at}`);
    const { right, redundant } = simulate(known, arriving, keys);
    removed.push(redundant === 0 ? 0 : right / redundant);
    for (const { selected, refused } of learned.sites) {
      for (const { rule, effect } of selected) note(seen, rule, { right: effect.right, why: null });
      for (const { rule, effect, refusal } of refused)
        note(seen, rule, { right: effect.right, why: refusal.why });
    }
  }
  return {
    site: site.name,
    removed: removed.toSorted((a, b) => a - b),
    unsteady: unsteadyOf(seen),
  };
}

function note(seen: Map<string, Seen[]>, rule: Rule, found: Seen): void {
  const text = writeRules([{ ...rule, evidence: null }])
    .trimEnd()
    .split("\n")
    .at(-1) as string;
  const name = text.split("\t").slice(1, 3).join(" ");
  seen.set(name, [...(seen.get(name) ?? []), found]);
}

/** Returns the rule that removes most, of those that are selected in some splits and refused in others. */
function unsteadyOf(seen: ReadonlyMap<string, readonly Seen[]>): Splits["unsteady"] {
  let [most, found]: [number, Splits["unsteady"]] = [0, null];
  for (const [rule, splits] of seen) {
    const taken = splits.filter(({ why }) => why === null);
    // A wider rule may do the same in another split.
    const refused = splits.filter(({ why }) => why !== null && why !== "nothing left to merge");
    const right = Math.max(0, ...taken.map((split) => split.right));
    if (refused.length === 0 || right <= most) continue;
    most = right;
    found = { rule, in: taken.length, why: [...new Set(refused.map(({ why }) => why))].join(", ") };
  }
  return found;
}

/** Returns a line for each site. */
export function splitLines(splits: readonly Splits[]): string[] {
  const percent = (share: number | undefined) => (100 * (share ?? 0)).toFixed(1).padStart(5);
  return [
    "redundancy removed over five splits: least, middle, most; the rule that comes and goes, and its refusals",
    ...splits.map(({ site, removed, unsteady }) => {
      const places = [removed[0], removed[2], removed[4]].map(percent).join(" ");
      const why =
        unsteady === null ? "" : `  ${unsteady.rule}, in ${unsteady.in} of 5: ${unsteady.why}`;
      return `  ${site.padEnd(28)}  ${places}${why}`;
    }),
    "",
  ];
}
