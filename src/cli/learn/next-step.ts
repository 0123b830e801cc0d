import { counted } from "../../base/counted.ts";
import { shellWord } from "../../base/shell-word.ts";
import type { Learned } from "../../learn/learn.ts";
import { type LearnedSite, mostOverBudget } from "../../learn/learned-site.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { EVIDENCE_LEVELS, isAccepted } from "../../site-rules/rule.ts";
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
  const { rules, aliases, trust, skips } = learned;
  const levels = rules.flatMap(({ evidence }) => evidence?.level ?? []);
  const proposed = levels.filter((level) => !isAccepted(level, "fetched"));
  const file = args.out === "-" ? "FILE" : shellWord(args.out);
  const hasRules = rules.length > proposed.length;
  const isAliased = aliases.length > 0 && args.pageAliases !== undefined;
  const flags = [
    ...(hasRules ? [`--rules ${file}`] : []),
    ...(isAliased ? [`--page-aliases ${shellWord(args.pageAliases)}`] : []),
  ];
  const merging = [
    ...(hasRules ? [counted(rules.length - proposed.length, "rule")] : []),
    ...(isAliased ? [counted(aliases.length, "alias", "aliases")] : []),
  ];
  const trusted = trust.filter(({ isTrusted }) => isTrusted).length;
  const steps: string[] = [];
  if (flags.length > 0) {
    const dedupe = `urlmill dedupe --preset crawl ${flags.join(" ")}`;
    // --shadow reads lines, and LIST may be of any format.
    const trial = `urlmill normalize --emit url LIST | ${dedupe} --shadow MERGED`;
    steps.push(
      `${trial} lists what ${merging.join(" and ")} would merge, and ${dedupe} LIST applies it`,
    );
  }
  if (proposed.length > 0) {
    const weakest = EVIDENCE_LEVELS.findLast((level) => proposed.includes(level));
    const test = `urlmill learn plan --rules ${file} LIST to test`;
    steps.push(
      `${counted(proposed.length, "proposal")} not applied: ${test}, or --accept ${weakest} to apply`,
    );
  }
  if (trusted > 0)
    steps.push(
      `sameAs believes ${counted(trusted, "trusted statement")} of ${file} as a crawl goes on`,
    );
  const reasons = [...new Set(skips.map(({ why }) => `--skip-${why}`))].join(" ");
  if (skips.length > 0)
    steps.push(
      `urlmill dedupe --preset crawl --rules ${file} ${reasons} LIST leaves out ${counted(skips.length, "shape")} of URLs that need not be fetched`,
    );
  return steps.length > 0 ? `next: ${steps.join("; ")}` : whyNothing(learned, maxPageLoss);
}

function whyNothing({ sites, aliases }: Learned, maxPageLoss: number): string {
  const [urls, pages] = [total(sites, "urls"), total(sites, "pages")];
  const redundant = total(sites, "redundant");
  const hint = budgetHint(sites, maxPageLoss);
  if (hint !== null) return hint;
  if (urls === 0) return "no rules: the list has no URLs";
  if (urls === 1) return "no rules: the list has one URL";
  if (pages === 0) return "no rules: no fingerprints, and the URLs alone show no pattern";
  if (redundant === 0) return `no rules: all ${counted(pages, "page")} are different`;
  const more = aliases.length > 0 ? ", or --page-aliases for single URLs" : "";
  return `no rules: none for ${counted(redundant, "redundant URL")} is certain enough: see --report${more}`;
}

/** Adds up a figure of sites. */
export function total(
  sites: Learned["sites"],
  of: "urls" | "pages" | "redundant" | "softErrors",
): number {
  return sites.reduce((sum, site) => sum + site[of], 0);
}

/**
 * Returns a line on the rule of all sites that was refused for the budget only and removes most, or null. Pages that
 * changed between two fetches count as lost, so the user may want to look at it.
 */
export function budgetHint(sites: readonly LearnedSite[], maxPageLoss: number): string | null {
  let [most, hint]: [number, string | null] = [0, null];
  for (const site of sites) {
    const rule = mostOverBudget(site);
    if (rule === null || rule.effect.right <= most) continue;
    const { right, lost } = rule.effect;
    most = right;
    hint = `a refused rule of ${site.site} removes ${right} redundant URLs and loses ${lost.toFixed(1)} pages`;
  }
  if (hint === null) return null;
  return `${hint}, more than --max-page-loss ${maxPageLoss} allows: see --report`;
}
