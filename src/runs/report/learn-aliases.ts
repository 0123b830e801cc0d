import type { LearnedSite } from "../../learn/learned-site.ts";
import { rangeIn } from "../../site-rules/aliases/number-range.ts";
import { type Html, html } from "./html.ts";
import { countOf } from "./learn-figures.ts";
import { pairOfUrls } from "./learn-rule.ts";

/** The most aliases of a site that are shown. */
const ROWS = 10;

/** Shows how many aliases a site has, and the first of them. */
export function aliasList({ aliases }: LearnedSite): Html {
  if (aliases.length === 0) return html``;
  const ranges = aliases.filter(({ from }) => rangeIn(from) !== null).length;
  const numbers = ranges > 0 ? `, and ${countOf(ranges, "range")} of numbers` : "";
  const rows = aliases.slice(0, ROWS).map(({ from, to }) => pairOfUrls([to, from]));
  const left = aliases.length - rows.length;
  const more =
    left === 0
      ? []
      : [html`<li class="none">and ${countOf(left, "more alias", "more aliases")}</li>`];
  return html`<section class="aliases"><h3>Aliases</h3>
<p class="meta">${countOf(aliases.length - ranges, "URL")} of pages that have another key after the rules${numbers}. Each alias is for one URL alone, or for a range, and is not counted above. <code>--page-aliases FILE</code> writes and applies them.</p>
<ul>${[...rows, ...more]}</ul></section>`;
}
