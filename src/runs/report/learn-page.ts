import { shownInput } from "../../io/io-error.ts";
import type { Learned } from "../../learn/learn.ts";
import type { LearnedSite } from "../../learn/learned-site.ts";
import { EVIDENCE_LEVELS, explainEvidence } from "../../site-rules/rule.ts";
import { type Html, html } from "./html.ts";
import { countOf, pagesLost, percent } from "./learn-figures.ts";
import { figuresOf, siteSection, type UrlFigures, urlBar } from "./learn-site.ts";
import { LEARN_STYLE } from "./learn-style.ts";
import { count, renderPage } from "./parts.ts";
import { SEARCH_BOX } from "./search.ts";
import { STYLE } from "./style.ts";

/** The number of sites that are shown, and how many of them are unfolded. */
const SITES = 200;
const OPEN_SITES = 3;

export interface LearnReportHead {
  readonly files: readonly string[];
  /** The share of a site's pages that its rules may lose. */
  readonly maxPageLoss: number;
  readonly seconds: number;
}

/**
 * Returns one self-contained page for people: the rules learned for each site with their evidence, and the refused
 * rules with the reasons. Sites with the most redundant URLs come first.
 */
export function renderLearnReport(head: LearnReportHead, learned: Learned): string {
  const files = head.files.map(shownInput).join(", ");
  const sites = learned.sites.toSorted(byRedundancy);
  const proposals = sites.reduce((sum, { proposed }) => sum + proposed.length, 0);
  const rules = countOf(learned.rules.length, "rule");
  const all = sites.filter(({ change }, at) => at < SITES || change?.merged);
  const left = sites.length - all.length;
  const shown = all.map((site, index) => siteSection(site, index < OPEN_SITES));
  return renderPage(
    `urlmill learn: ${files}`,
    [STYLE, LEARN_STYLE],
    html`<h1>Learned from <bdi>${files}</bdi></h1>
<p class="meta">${rules}${proposals > 0 ? `, ${count(proposals)} of them only proposed` : ""}; at most ${percent(head.maxPageLoss, 1)} of the pages of a site may be lost; ${head.seconds.toFixed(1)} s</p>
${overview(learned)}
${SEARCH_BOX}
${sites.length === 0 ? html`<p class="none">No site: no record has a URL to learn from.</p>` : notes(learned)}
${shown}${left > 0 ? html`<p class="none" id="left-out">${countOf(left, "more site")} with less redundancy left out.</p>` : html``}`,
  );
}

function byRedundancy(a: LearnedSite, b: LearnedSite): number {
  return b.redundant - a.redundant || b.urls - a.urls || (a.site < b.site ? -1 : 1);
}

function overview({ records, skipped, failed, sites }: Learned): Html {
  const figures = sites.map(figuresOf);
  const sum = (of: keyof UrlFigures) => figures.reduce((all, each) => all + each[of], 0);
  const [urls, pages, redundant] = [sum("urls"), sum("pages"), sum("redundant")];
  const [removed, lost] = [sum("removed"), sum("lost")];
  // Evidence from an earlier count does not include the number of records.
  const isCounted = records > 0 || sites.length === 0;
  const input = [
    [count(records), "records", "", ""],
    [count(skipped), "left out", percent(skipped, records), skipped > 0 ? "failed" : ""],
    ...(failed > 0
      ? [[count(failed), "answers without a page", percent(failed, records), ""]]
      : []),
  ] as const;
  const tiles = [
    ...(isCounted ? input : []),
    [count(sites.length), sites.length === 1 ? "site" : "sites", "", ""],
    [count(urls), "URLs", "", ""],
    [count(pages), "pages", of(pages, urls, "the URLs"), "ok"],
    [count(redundant), "redundant URLs", of(redundant, urls, "the URLs"), "left"],
    [count(removed), "removed by the rules", of(removed, redundant, "the redundant"), "merged"],
    [pagesLost(lost), "pages lost", of(lost, pages, "the pages"), lost > 0 ? "failed" : ""],
  ] as const;
  return html`<section id="overview">
<div class="tiles">${tiles.map(
    ([value, name, share, kind]) =>
      html`<div class="tile ${kind}"><b>${value}</b> ${name} <i>${share}</i></div>`,
  )}</div>
${urlBar({ urls, pages, redundant, removed, lost })}
</section>`;
}

function of(value: number, all: number, name: string): string {
  return all === 0 ? "" : `${percent(value, all)} of ${name}`;
}

function notes({ rules }: Learned): Html {
  const levels = EVIDENCE_LEVELS.filter((level) => level !== "standard").map(
    (level) => html`<li><b>${level}</b> ${explainEvidence(level)}</li>`,
  );
  return html`<p class="meta">A rule is counted as if it were the only one. <b>Merged</b> are the URLs that it makes one with another,
<b>right</b> those of them with the page of that other, <b>at least</b> is a lower bound of their share (at 95 %).
Unfold a rule to see URLs that it makes one.</p>
${rules.length === 0 ? html`` : html`<details class="levels"><summary>What the evidence means</summary><ul>${levels}</ul></details>`}`;
}
