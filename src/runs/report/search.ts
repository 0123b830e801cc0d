import { createHash } from "node:crypto";
import { Html } from "./html.ts";

/**
 * The only script of a report. It hides the rows that lack the words of the search box, and unfolds the folded rows
 * that have them.
 */
export const SEARCH_SCRIPT = `const box = document.querySelector("#search");
const found = document.querySelector("#found");
box.parentElement.hidden = false;
const rows = [...document.querySelectorAll("section > ol > li:not(.head), section > details > section > ol > li:not(.head)")];
const sections = [...document.querySelectorAll(".site, section:has(ol)")];
const has = (element, words) => {
  const text = element.textContent.toLowerCase();
  return words.every((word) => text.includes(word));
};
const isNamed = (element, words) => {
  const site = element.closest(".site");
  return site !== null && has(site.querySelector("h2"), words);
};
function showRow(row, words) {
  const isWhole = words.length === 0 || isNamed(row, words);
  row.hidden = !isWhole && !has(row, words);
  const details = row.querySelector("details");
  if (details === null) return;
  const items = [...details.querySelectorAll(":scope > ul > li:not(.head)")];
  const isHead = isWhole || has(details.querySelector("summary"), words);
  const some = items.some((item) => has(item, words));
  for (const item of items) item.hidden = !isHead && some && !has(item, words);
  details.open = !isHead && !row.hidden;
}
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const isOn = words.length > 0;
  for (const row of rows) showRow(row, words);
  for (const section of sections) {
    const details = section.querySelector(":scope > details");
    const isFound = rows.some((row) => !row.hidden && section.contains(row));
    section.hidden = isOn && !isFound && !isNamed(section, words);
    if (isOn && !section.hidden && details) details.open = true;
  }
  const count = rows.filter((row) => !row.hidden).length;
  found.textContent = isOn ? count + (count === 1 ? " row has" : " rows have") + " these words" : "";
});`;

/** The search box. It is shown only if the script runs. */
export const SEARCH_BOX = new Html(
  `<p id="searching" hidden><label for="search">Search</label> <input id="search" type="search" autocomplete="off" spellcheck="false"> <span id="found" class="meta" role="status"></span></p>`,
);

/** Returns the source for the page's policy that allows this script and no other. */
export function searchPolicy(): string {
  return `'sha256-${createHash("sha256").update(SEARCH_SCRIPT).digest("base64")}'`;
}
