import type { JudgedRule } from "../../learn/learned-site.ts";
import type { Refusal } from "../../learn/thresholds/refusal.ts";
import { writeAction } from "../../site-rules/language/action-text.ts";
import { writeCondition } from "../../site-rules/language/condition-text.ts";
import { explainEvidence } from "../../site-rules/rule.ts";
import { markedPair } from "./difference.ts";
import { type Html, html } from "./html.ts";
import { bound, countOf, pagesLost } from "./learn-figures.ts";
import { type BarPart, code, count, plain, stackedBar } from "./parts.ts";

/** The column names of figures, by the result of a rule. */
const COLUMNS = {
  selected: ["merged", "right", "at least"],
  proposed: ["groups", "alike", "at least"],
  refused: ["right", "wrong", "lost"],
} as const;
type Fate = keyof typeof COLUMNS;

/** Returns the names of the columns. On a small screen, each figure has its own name. */
export function columnHead(fate: Fate): Html {
  const cells = COLUMNS[fate].map((name) => html`<span class="cell">${name}</span>`);
  return html`<li class="row rule head" aria-hidden="true"><span></span>${cells}</li>`;
}

/** Shows an applied rule with the number `order`. Its bar is full at `largest` URLs. */
export function selectedRow(judged: JudgedRule, order: number, largest: number): Html {
  const { evidence } = judged.rule;
  const [merged, right] = mergesOf(judged);
  const least = evidence === null ? "" : bound(evidence.lb);
  const parts: BarPart[] = [
    ["right", right, "ok"],
    ["wrong", merged - right, "failed"],
  ];
  const name = html`<i>${count(order)}.</i> ${ruleName(judged)}`;
  const figures = [count(merged), count(right), least];
  return row("selected", judged, name, figures, stackedBar(parts, largest, "URLs merged"));
}

/** Returns the URLs that a selected rule merges, and how many rightly. Uses its evidence, or else its effect. */
export function mergesOf({ rule, effect }: JudgedRule): [merged: number, right: number] {
  const { evidence } = rule;
  if (evidence !== null) return [evidence.n, evidence.ok];
  return [effect.right + effect.wrong, effect.right];
}

/** Shows a rule to review. Its bar is full at `largest` groups. URLs alone do not show whether pages are equal. */
export function proposedRow(judged: JudgedRule, largest: number): Html {
  const { level, n = 0, ok = 0, lb = 0 } = judged.rule.evidence ?? {};
  const parts: BarPart[] = [
    ["alike", ok, "ok"],
    [level === "pattern" ? "unknown" : "different", n - ok, "left"],
  ];
  const figures = level === "pattern" ? [count(n), "", ""] : [count(n), count(ok), bound(lb)];
  const bar = stackedBar(parts, largest, "groups of URLs it makes one");
  return row("proposed", judged, ruleName(judged), figures, bar);
}

/** Shows a refused rule. Its bar is full at `largest` URLs. */
export function refusedRow(
  judged: JudgedRule & { readonly refusal: Refusal },
  largest: number,
): Html {
  const { right, wrong, lost } = judged.effect;
  const parts: BarPart[] = [
    ["right", right, "ok"],
    ["wrong", wrong, "failed"],
  ];
  const figures = [count(right), count(wrong), pagesLost(lost)];
  const bar = stackedBar(parts, largest, "URLs it makes one with another");
  const reason = html`<span class="why">${refusalText(judged.refusal)}</span>`;
  return row("refused", judged, ruleName(judged), figures, bar, reason);
}

/** Returns the reason with its figures, as in "version-like, 0.95 of 0.99". */
export function refusalText({ why, reached, needed, unit }: Refusal): string {
  // A figure just below the limit must not be rounded up to the limit.
  const write = (value: number) =>
    unit === "share"
      ? (Math.floor(value * 1000 + 1e-6) / 1000).toString()
      : (Math.round(value * 100) / 100).toString();
  return `${why}, ${write(reached)} of ${write(needed)}${unit === "share" ? "" : ` ${unit}`}`;
}

/** Shows condition and action, and how many exceptions the rule has. */
function ruleName({ rule }: JudgedRule): Html {
  const condition = code(html`${plain(writeCondition(rule.condition))}`);
  const action = code(html`${plain(writeAction(rule.action, rule.site))}`);
  const { size = 0 } = rule.except ?? {};
  const but = size === 0 ? html`` : html` <i>but ${countOf(size, "exception")}</i>`;
  return html`${condition} <span class="action">${action}</span>${but}`;
}

function row(
  fate: Fate,
  { rule: { evidence }, examples }: JudgedRule,
  name: Html,
  figures: readonly string[],
  bar: Html,
  reason: Html = html``,
): Html {
  const cells = COLUMNS[fate].map(
    (column, index) => html`<span class="cell"><i>${column}</i> ${figures[index] as string}</span>`,
  );
  const why =
    evidence === null
      ? html``
      : html`<span class="why"><b>${evidence.level}</b> ${explainEvidence(evidence.level)}</span>`;
  const head = html`<span class="name">${name}</span>${cells}${why}${reason}${bar}`;
  if (examples.length === 0) return html`<li class="row rule">${head}</li>`;
  return html`<li><details><summary class="row rule">${head}</summary><ul>${examples.map(pairOfUrls)}</ul></details></li>`;
}

/** Shows two URLs that are or become one, with their differences marked. */
export function pairOfUrls([a, b]: readonly [string, string]): Html {
  const [first, second] = markedPair(plain(a), plain(b));
  return html`<li>${first}<br><span class="arrow">=</span> ${second}</li>`;
}
