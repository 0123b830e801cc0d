import { Html, html } from "./html.ts";
import { SEARCH_SCRIPT, searchPolicy } from "./search.ts";

/** The longest text that is shown whole. */
const LONGEST_TEXT = 500;
/** Matches characters that move a cursor or change the direction of writing. */
const CONTROLS = /\p{Cc}/gu;
/** Matches the places for a `,` between digits. */
const THOUSANDS = /\B(?=(?:\d{3})+(?!\d))/g;
const ALL_CONTROLS = /\p{Cc}|\p{Bidi_Control}/gu;

/**
 * Returns a page for people that loads nothing and runs only its search script. `styles` are written unchanged;
 * `body` includes the search box.
 */
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

/** Returns one row: a name, a count, a bar, and examples to unfold. */
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

/** Holds a part of a bar: its name, its amount, and the class of its colour. */
export type BarPart = readonly [name: string, value: number, kind: string];

/** Returns one bar that is `all` wide, with its parts side by side. */
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

/** Returns a byte string as text to show. Bytes that are not UTF-8, and control characters, are made visible. */
export function urlText(bytes: string): string {
  return shown(Buffer.from(bytes, "latin1").toString()).replaceAll(CONTROLS, "\ufffd");
}

/** Returns a byte string as text, written left to right, whatever its source. */
export function url(bytes: string): Html {
  return code(html`${urlText(bytes)}`);
}

/** Returns a text from an untrusted source, shortened, and without characters that control how it is shown. */
export function plain(text: string): string {
  return shown(text).replaceAll(ALL_CONTROLS, "\ufffd");
}

/** Shows a part of a URL, written left to right. */
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

/** Writes a share of a whole in per cent. */
export function share(value: number, all: number): string {
  if (all === 0) return "";
  const percent = (100 * value) / all;
  return `${percent.toFixed(percent < 10 ? 1 : 0)} %`;
}
