import type { LearnedSite } from "../../learn/learned-site.ts";
import { writeAction } from "../../site-rules/language/action-text.ts";
import { type Html, html } from "./html.ts";
import { countOf } from "./learn-figures.ts";
import { columnHead, refusedRow } from "./learn-rule.ts";
import { bar } from "./parts.ts";

/** The most refused rules of a site that are shown. */
const ROWS = 20;

type Refused = LearnedSite["refused"][number];

const REASONS: Readonly<Record<Refused["refusal"]["why"], string>> = {
  "too few pages": "not enough different pages speak for it",
  "too few to tell": "all of its merges are right, and they are too few",
  "wrong too often": "it makes different pages one",
  "too many exceptions": "too many things have several pages to list them",
  "nothing left to merge": "selected rules do already what it would",
  "over the budget": "more pages would be lost than allowed",
  "wrong for a page type": "it makes different pages of a type one",
  "version-like": "it may take versions for one",
};

/**
 * Shows refused rules by reason. Of rules that do the same under several conditions, counts and shows the one with the most
 * right merges.
 */
export function refusedRules({ refused: all }: LearnedSite): Html {
  if (all.length === 0) return html``;
  const refused = onePerAction(all.toSorted((a, b) => b.effect.right - a.effect.right));
  const best = refused.slice(0, ROWS);
  const largest = Math.max(...best.map(({ effect }) => effect.right + effect.wrong));
  const reasons = [...new Set(refused.map(({ refusal }) => refusal.why))];
  const groups = reasons
    .map((why) => [why, refused.filter((rule) => rule.refusal.why === why)] as const)
    .toSorted(([, a], [, b]) => b.length - a.length);
  const rows = groups.map(([why, rules]) => {
    const shown = best.filter((rule) => rule.refusal.why === why);
    const name = html`${why} <i>${REASONS[why]}</i>`;
    return bar(name, rules.length, groups[0]?.[1].length ?? 1, null, list(shown, largest, rules));
  });
  const others = all.length - refused.length;
  const same = others > 0 ? ` ${countOf(others, "more rule")} would do the same.` : "";
  const some = refused.length > ROWS ? ` The ${ROWS} with the most right merges are shown.` : "";
  return html`<section class="refused"><h3>Refused</h3>
<p class="meta">${countOf(refused.length, "rule")}, each counted as if it were the only one.${same}${some}</p>
<ol>${rows}</ol></section>`;
}

function onePerAction(refused: readonly Refused[]): Refused[] {
  const first = new Map<string, Refused>();
  for (const rule of refused) {
    const action = writeAction(rule.rule.action, rule.rule.site);
    if (!first.has(action)) first.set(action, rule);
  }
  return [...first.values()];
}

function list(shown: readonly Refused[], largest: number, all: readonly Refused[]): Html[] {
  if (shown.length === 0) return [];
  const left = all.length - shown.length;
  const more = left === 0 ? [] : [html`<li class="none">and ${countOf(left, "rule")} more</li>`];
  return [columnHead("refused"), ...shown.map((rule) => refusedRow(rule, largest)), ...more];
}
