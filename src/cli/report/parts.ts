import { Html, html } from "./html.ts";
import { SEARCH_SCRIPT, searchPolicy } from "./search.ts";

/** Longer texts are cut. */
const LONGEST_TEXT = 500;
/** Characters that move a cursor or turn the direction of writing. */
const CONTROLS = /\p{Cc}/gu;
/** Where a `,` stands between digits. */
const THOUSANDS = /\B(?=(?:\d{3})+(?!\d))/g;
const ALL_CONTROLS = /\p{Cc}|\p{Bidi_Control}/gu;

/** A page for people, with nothing to load and nothing that runs but its search; `styles` are written as they are, and `body` has the search box. */
export function renderPage(title: string, styles: readonly Html[], body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src ${new Html(searchPolicy())}">
<title>${title}</title>
<style>${styles}</style>
</head>
<body>
${body}
<script>${new Html(SEARCH_SCRIPT)}</script>
</body>
</html>
`.text;
}

/** One row: what, how many, a bar, and examples to unfold. */
export function bar(
  name: Html,
  value: number,
  largest: number,
  all: number | null,
  examples: readonly Html[],
): Html {
  const width = ((100 * value) / Math.max(1, largest)).toFixed(2);
  const head = html`<span class="name">${name}</span><span class="value">${count(value)}${all === null ? "" : html` <i>${share(value, all)}</i>`}</span><svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="6"/></svg>`;
  if (examples.length === 0) return html`<li class="row">${head}</li>`;
  return html`<li><details><summary class="row">${head}</summary><ul>${examples}</ul></details></li>`;
}

/** A part of a bar: its name, how much it is, and the class of its colour. */
export type BarPart = readonly [name: string, value: number, kind: string];

/** Parts side by side in one bar that is `all` wide. */
export function stackedBar(parts: readonly BarPart[], all: number, label: string): Html {
  let at = 0;
  const bars = parts.map(([name, value, kind]) => {
    const width = all === 0 ? 0 : (100 * value) / all;
    const part = html`<rect class="${kind}" x="${at.toFixed(3)}" width="${width.toFixed(3)}" height="10"><title>${name}: ${count(value)}</title></rect>`;
    at += width;
    return part;
  });
  return html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg>`;
}

/** Returns a byte string as text to show: what is not UTF-8, or controls how it is shown, shows as such. */
export function urlText(bytes: string): string {
  return shown(Buffer.from(bytes, "latin1").toString()).replaceAll(CONTROLS, "\ufffd");
}

/** A byte string as text, written left to right, wherever it comes from. */
export function url(bytes: string): Html {
  return code(html`${urlText(bytes)}`);
}

/** A text that somebody else chose, short enough and without any character that controls how it is shown. */
export function plain(text: string): string {
  return shown(text).replaceAll(ALL_CONTROLS, "\ufffd");
}

/** Something of a URL, written left to right. */
export function code(text: Html): Html {
  return html`<code><bdi dir="ltr">${text}</bdi></code>`;
}

function shown(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}\u2026` : text;
}

/**
 * Writes a number with `,` between thousands; it has at most two decimals and is less than 1e21. The first
 * `toLocaleString` of a process takes 12 ms, as long as all other work for a report's page.
 */
export function count(value: number): string {
  return String(value).replaceAll(THOUSANDS, ",");
}

/** Writes a part of a whole in per cent. */
export function share(value: number, all: number): string {
  if (all === 0) return "";
  const percent = (100 * value) / all;
  return `${percent.toFixed(percent < 10 ? 1 : 0)} %`;
}
