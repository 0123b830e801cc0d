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
  const wide = [
    ...(ranges > 0 ? [`${countOf(ranges, "range")} of numbers`] : []),
    ...(any > 0 ? [`${any} for any other parameters`] : []),
  ];
  const ofThem = wide.length > 0 ? ` (${wide.join(", ")})` : "";
  const rows = aliases.slice(0, ROWS).map(({ from, to }) => pairOfUrls([to, from]));
  const left = aliases.length - rows.length;
  const more =
    left === 0
      ? []
      : [html`<li class="none">and ${countOf(left, "more alias", "more aliases")}</li>`];
  return html`<section class="aliases"><h3>Aliases</h3>
<p class="meta">${countOf(aliases.length, "alias", "aliases")} of pages that have another key after the rules${ofThem}. Each is for one URL, for a range, or for a path or parameter with any others, and is not counted above. <code>--page-aliases FILE</code> writes and applies them.</p>
<ul>${[...rows, ...more]}</ul></section>`;
}
