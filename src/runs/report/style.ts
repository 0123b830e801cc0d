import { Html } from "./html.ts";

/** The style of a report: one column, light and dark, bars in one colour. */
export const STYLE = new Html(`
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #d9dee5; --page: #fff;
  --ok: #2f7dd1; --merged: #e0a526; --failed: #c8453b; --mark: #fbe7b0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #98a3b3; --line: #333c48;
  --page: #14181e; --ok: #5aa2ee; --merged: #e8b84a; --failed: #e36d63;
  --mark: #55461f; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page);
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; margin-bottom: 0; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 0; }
.meta, i { color: var(--soft); font-style: normal; margin: 0.2rem 0 0.8rem; }
code { font: 0.87em ui-monospace, monospace; overflow-wrap: anywhere; }
.tiles { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin: 1.5rem 0 0.8rem; }
.tile { border-left: 4px solid var(--line); padding-left: 0.7rem; }
.tile b { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums; line-height: 1.2; }
.tile.ok { border-color: var(--ok); } .tile.merged { border-color: var(--merged); }
.tile.failed { border-color: var(--failed); }
svg { display: block; width: 100%; height: 6px; border-radius: 3px; background: var(--line); }
svg rect { fill: var(--ok); }
svg rect.merged, #hosts rect, #groups rect { fill: var(--merged); }
svg rect.failed, #errors rect { fill: var(--failed); }
#overview svg { height: 14px; }
ol, ul { list-style: none; padding: 0; margin: 0; }
.row { display: grid; grid-template-columns: 1fr auto; gap: 0.1rem 1rem; padding: 0.45rem 0; }
.row svg { grid-column: 1 / -1; }
summary { cursor: pointer; }
summary .name::before { content: "▸ "; color: var(--soft); }
details[open] summary .name::before { content: "▾ "; }
.value { font-variant-numeric: tabular-nums; }
ul { border-left: 2px solid var(--line); margin: 0 0 0.6rem 0.3rem; padding-left: 1rem; }
ul li { padding: 0.2rem 0; }
mark { color: inherit; background: var(--mark); border-radius: 2px; }
#searching { margin: 1.5rem 0; } #searching .meta { margin-left: 0.5rem; }
#search { font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 5px; padding: 0.2rem 0.5rem; width: min(20rem, 60%); }
[hidden] { display: none !important; }
.arrow, .line, .none { color: var(--soft); }
`);
