import type { LearnedSite } from "../../learn/learned-site.ts";
import { type Html, html } from "./html.ts";
import { countOf, kindsOfAliases, pagesLost, percent } from "./learn-figures.ts";
import { refusedRules } from "./learn-refused.ts";
import { columnHead, mergesOf, pairOfUrls, proposedRow, selectedRow } from "./learn-rule.ts";
import { type BarPart, count, plain, stackedBar } from "./parts.ts";

/** The most proposals of a site that are shown. */
const PROPOSALS = 20;

/** Holds the figures for the URLs of one or more sites. */
export interface UrlFigures {
  readonly urls: number;
  readonly pages: number;
  readonly redundant: number;
  /** The number of redundant URLs that the rules remove. */
  readonly removed: number;
  /** The number of pages that the rules lose; it may be a fraction. */
  readonly lost: number;
}

/** Counts the URLs of a site, and how many of them its rules merge. */
export function figuresOf({ urls, pages, redundant, effect }: LearnedSite): UrlFigures {
  return { urls, pages, redundant, removed: effect.right, lost: effect.lost };
}

/** Shows all URLs in one bar. */
export function urlBar({ urls, pages, redundant, removed }: UrlFigures): Html {
  const gone = Math.min(removed, redundant);
  const parts: BarPart[] = [
    ["one URL for each page", pages, "ok"],
    ["redundant, removed by the rules", gone, "merged"],
    ["redundant, not removed", redundant - gone, "left"],
  ];
  return stackedBar(parts, Math.max(urls, pages + redundant), "what the URLs are");
}

/** Returns the results for a site, to unfold. A site without results is one line. */
export function siteSection(learned: LearnedSite, isOpen: boolean): Html {
  const { site, selected, proposed, refused, aliases } = learned;
  const head = html`<h2 class="name"><bdi dir="ltr">${plain(site)}</bdi></h2>${figures(figuresOf(learned))}${urlBar(figuresOf(learned))}`;
  if (selected.length + proposed.length + refused.length + aliases.length === 0) {
    return html`<section class="site"><div class="top">${head}</div><p class="none">Nothing was found.</p></section>
`;
  }
  return html`<section class="site"><details${isOpen ? html` open` : html``}><summary class="top">${head}</summary>
${unknown(learned)}
${newMerges(learned)}
${selectedRules(learned)}
${proposedRules(learned)}
${aliasList(learned)}
${refusedRules(learned)}
</details></section>
`;
}

function figures({ urls, pages, redundant, removed, lost }: UrlFigures): Html {
  const cells = [
    [count(urls), "URLs", ""],
    [count(pages), "pages", percent(pages, urls)],
    [count(redundant), "redundant", percent(redundant, urls)],
    [count(removed), "removed", percent(removed, redundant)],
    [pagesLost(lost), "lost", percent(lost, pages)],
  ] as const;
  return html`<span class="figures">${cells.map(
    ([value, name, share]) => html`<span><b>${value}</b> ${name} <i>${share}</i></span>`,
  )}</span>`;
}

function unknown({ effect }: LearnedSite): Html {
  if (effect.unknown === 0) return html``;
  return html`<p class="meta">The rules also merge ${countOf(effect.unknown, "URL")} with another although a page is not known.</p>`;
}

function newMerges({ change }: LearnedSite): Html {
  if (change === undefined || change.merged === 0) return html``;
  const pairs = change.merges.map(([, kept, url]) => pairOfUrls([kept, url]));
  return html`<section class="merges"><h3>Newly merged</h3>
<p class="meta">Older rules keep ${countOf(change.merged, "URL")} apart that have the key of another one now. This is one of each of ${countOf(change.keys, "key")}.</p><ul>${pairs}</ul></section>`;
}

function selectedRules({ selected, proposed }: LearnedSite): Html {
  if (selected.length === 0) {
    return proposed.length === 0 ? html`<p class="none">No rule was good enough.</p>` : html``;
  }
  const largest = selected.reduce((most, judged) => Math.max(most, mergesOf(judged)[0]), 0);
  const rows = selected.map((judged, index) => ({
    isSink: judged.rule.action.type === "sink",
    row: selectedRow(judged, index + 1, largest),
  }));
  const list = (isSink: boolean) =>
    rows.filter((row) => row.isSink === isSink).map(({ row }) => row);
  const note = "Many URLs lead to one page. The rule writes its target for all of them.";
  return html`${ruleList("rules", "Rules", "", columnHead("selected"), list(false))}
${ruleList("sinks", "Sinks", note, columnHead("selected"), list(true))}`;
}

function proposedRules({ proposed }: LearnedSite): Html {
  const largest = proposed.reduce((most, { rule }) => Math.max(most, rule.evidence?.n ?? 0), 0);
  const rows = proposed.slice(0, PROPOSALS).map((judged) => proposedRow(judged, largest));
  const left = proposed.length - rows.length;
  if (left > 0) rows.push(html`<li class="none">and ${countOf(left, "rule")} more</li>`);
  const note =
    "No page has a fingerprint, so these are only proposals: none is applied unless its level is accepted. Groups are alike if their URLs have one size.";
  return ruleList("proposed", "Proposals", note, columnHead("proposed"), rows);
}

function ruleList(
  name: string,
  title: string,
  note: string,
  head: Html,
  rows: readonly Html[],
): Html {
  if (rows.length === 0) return html``;
  const more = note === "" ? html`` : html`<p class="meta">${note}</p>`;
  return html`<section class="${name}"><h3>${title}</h3>${more}<ol>${head}${rows}</ol></section>`;
}

/** The most aliases of a site that are shown. */
const ALIASES = 10;

/** Shows how many aliases a site has, and the first of them. */
function aliasList({ aliases }: LearnedSite): Html {
  if (aliases.length === 0) return html``;
  const rows = aliases.slice(0, ALIASES).map(({ from, to }) => pairOfUrls([to, from]));
  const left = aliases.length - rows.length;
  const more =
    left === 0
      ? []
      : [html`<li class="none">and ${countOf(left, "more alias", "more aliases")}</li>`];
  return html`<section class="aliases"><h3>Aliases</h3>
<p class="meta">${countOf(aliases.length, "alias", "aliases")} of pages that have another key after the rules${kindsOfAliases(aliases, countOf)}. Each is for one URL, for a range, or for a path or parameter with any others, and is not counted above. <code>--page-aliases FILE</code> writes and applies them.</p>
<ul>${[...rows, ...more]}</ul></section>`;
}
