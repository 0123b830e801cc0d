import type { LearnedSite } from "../../learn/learned-site.ts";
import { baseOfAny } from "../../site-rules/aliases/any-params.ts";
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
  const any = aliases.filter(({ from }) => baseOfAny(from) !== null).length;
  const numbers = ranges > 0 ? `, and ${countOf(ranges, "range")} of numbers` : "";
  const others =
    any > 0
      ? `, and ${countOf(any, "path or parameter", "paths or parameters")} with any others`
      : "";
  const rows = aliases.slice(0, ROWS).map(({ from, to }) => pairOfUrls([to, from]));
  const left = aliases.length - rows.length;
  const more =
    left === 0
      ? []
      : [html`<li class="none">and ${countOf(left, "more alias", "more aliases")}</li>`];
  return html`<section class="aliases"><h3>Aliases</h3>
<p class="meta">${countOf(aliases.length - ranges - any, "URL")} of pages that have another key after the rules${numbers}${others}. Each alias is for one URL alone, a range, or a path or parameter with any others, and is not counted above. <code>--page-aliases FILE</code> writes and applies them.</p>
<ul>${[...rows, ...more]}</ul></section>`;
}
