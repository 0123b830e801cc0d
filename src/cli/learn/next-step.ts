import { counted } from "../../base/counted.ts";
import type { Learned } from "../../learn/learn.ts";
import { CommandFailure } from "../../runs/failure.ts";
import { EVIDENCE_LEVELS, isAccepted } from "../../site-rules/rule.ts";
import { budgetHint } from "./budget-hint.ts";
import type { LearnArguments } from "./options.ts";

/** With fewer URLs than these, all of one page, the list may be right. */
const FEWEST_EQUAL = 10;

/** Throws if the fingerprints of a list are all equal: then they are not those of its pages. */
export function refuseEqual(sites: Learned["sites"]): void {
  const [pages, known] = [total(sites, "pages"), total(sites, "pages") + total(sites, "redundant")];
  if (pages !== 1 || known < FEWEST_EQUAL) return;
  const reason = `all ${known} URLs with a fingerprint have the same one, so it does not tell pages apart`;
  throw new CommandFailure(`${reason}; name another column with --fp`, 1);
}

/** Returns what to do with what was learned, in one line; or if that is nothing, why. */
export function nextStep(args: LearnArguments, learned: Learned, maxPageLoss: number): string {
  const { rules, aliases } = learned;
  const levels = rules.flatMap(({ evidence }) => evidence?.level ?? []);
  const proposed = levels.filter((level) => !isAccepted(level, "fetched"));
  const file = args.out === "-" ? "FILE" : args.out;
  const hasAliases = args.pageAliases !== undefined && aliases.length > 0;
  const flags = `--rules ${file}${hasAliases ? ` --page-aliases ${args.pageAliases}` : ""}`;
  const applied = rules.length - proposed.length;
  const steps: string[] = [];
  if (applied > 0 || hasAliases)
    steps.push(
      `urlmill dedupe ${flags} LIST applies ${counted(applied, "rule")}, or with --shadow FILE only lists what would be merged`,
    );
  if (proposed.length > 0) {
    const weakest = EVIDENCE_LEVELS.findLast((level) => proposed.includes(level));
    const test = `urlmill learn plan --rules ${file} LIST to test`;
    steps.push(
      `${counted(proposed.length, "proposal")} not applied: ${test}, or --accept ${weakest} to apply`,
    );
  }
  return steps.length > 0 ? `next: ${steps.join("; ")}` : whyNothing(learned, maxPageLoss);
}

function whyNothing({ sites }: Learned, maxPageLoss: number): string {
  const [urls, pages] = [total(sites, "urls"), total(sites, "pages")];
  const redundant = total(sites, "redundant");
  const hint = budgetHint(sites, maxPageLoss);
  if (hint !== null) return hint;
  if (urls === 0) return "no rules: the list has no URLs";
  if (urls === 1) return "no rules: the list has one URL";
  if (pages === 0) return "no rules: no fingerprints, and the URLs alone show no pattern";
  if (redundant === 0) return `no rules: all ${counted(pages, "page")} are different`;
  return `no rules: none for ${counted(redundant, "redundant URL")} is certain enough: see --report`;
}

/** Adds up a figure of sites. */
export function total(
  sites: Learned["sites"],
  of: "urls" | "pages" | "redundant" | "softErrors",
): number {
  return sites.reduce((sum, site) => sum + site[of], 0);
}
