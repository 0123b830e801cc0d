import { Html } from "./html.ts";

/** The additional style of a report on learning: sites to unfold, rules with columns of figures. */
export const LEARN_STYLE = new Html(`
:root { --left: #f3dca6; }
@media (prefers-color-scheme: dark) { :root { --left: #6d5b2f; } }
.tile.left { border-color: var(--left); }
svg rect.left { fill: var(--left); }
.site { border-top: 1px solid var(--line); margin-top: 1.8rem; padding-top: 1.3rem; }
.top { display: block; }
.top h2 { display: inline; margin: 0; overflow-wrap: anywhere; }
.top svg { height: 10px; }
.figures { display: grid; grid-template-columns: repeat(5, 1fr); gap: 0.2rem 1rem; margin: 0.5rem 0 0.6rem; }
.figures b { display: block; font-size: 1.15rem; line-height: 1.3; }
.figures > span { font-size: 0.87em; line-height: 1.35; }
.figures i { white-space: nowrap; }
h3 { font-size: 1rem; margin: 1.4rem 0 0; }
h3 + .meta { margin-bottom: 0.2rem; }
.row.rule { grid-template-columns: 1fr repeat(3, 6rem); gap: 0.3rem 0.5rem; position: relative; }
.rule.head { color: var(--soft); font-size: 0.87em; padding: 0; }
.cell, .figures { font-variant-numeric: tabular-nums; text-align: right; }
#overview + .meta, .top + .meta { margin-top: 0.6rem; }
.rule:not(.head) .cell i { position: absolute; left: 0; top: 0; clip-path: inset(50%); }
.why { grid-column: 1 / -1; color: var(--soft); font-size: 0.87em; line-height: 1.2; }
.why b { color: var(--ink); }
.action { display: inline-block; max-width: 100%; }
.name code + .action { padding-left: 0.7rem; }
.action code { font-weight: 700; }
.refused > ol > li > details > .row rect, .refused > ol > .row rect { fill: var(--soft); }
.levels { margin: 0.4rem 0 1rem; } .levels b { margin-right: 0.4rem; }
details:not([open]) > summary .name::before { content: "▸ "; }
@media (max-width: 40rem) {
  .figures { display: flex; flex-wrap: wrap; column-gap: 0.5rem; } .figures > span { flex: 1 0 3.4rem; } .figures i { display: block; } .figures b { font-size: 1rem; }
  .rule.head { display: none; }
  .row.rule { grid-template-columns: 1fr 1fr auto; } .rule .name { grid-column: 1 / -1; }
  .rule:not(.head) .cell i { position: static; clip-path: none; font-size: 0.87em; }
  ul { padding-left: 0.6rem; }
}
`);
