// Measures the table in a browser. main.mjs serves the page, the list and the kernel.
import { loadKernel } from "urlmill";
import { fresh } from "../fresh.ts";
import { paths } from "../paths/index.ts";
import { printTable } from "../table.ts";

const options = new URLSearchParams(location.search);

/** Writes a line of the table, which is Markdown, into the page. */
function show(line: string): void {
  lines.push(line);
  if (line.startsWith("| ")) {
    const row = element<HTMLTableElement>("table").insertRow();
    const isHead = row.rowIndex === 0;
    for (const text of line.slice(2, -2).split(" | ")) {
      const cell = document.createElement(isHead ? "th" : "td");
      cell.textContent = text;
      row.append(cell);
    }
  } else if (line.startsWith("- ")) {
    append("notes", "li", line.slice(2));
  } else if (/^\w/.test(line)) {
    append("head", "p", line.trim());
  }
}

function append(parent: string, tag: "li" | "p", text: string): void {
  const child = document.createElement(tag);
  child.textContent = text;
  element(parent).append(child);
}

function element<E extends HTMLElement>(id: string): E {
  return document.getElementById(id) as E;
}

/** The lines printed so far, for the program that drives the page. */
const lines: string[] = [];
Object.assign(globalThis, { lines });

await loadKernel();
const response = await fetch("urls.txt");
const bytes = new Uint8Array(await response.arrayBuffer());
const urls = fresh(new TextDecoder().decode(bytes).split("\n").slice(0, -1));
const corpus = { name: "test/fixtures/urls-50k.txt.gz", bytes, urls };
const only = options.get("only") ?? "";
const rounds = Number(options.get("rounds") ?? 9);
await printTable({ corpus, peers: [], paths, only, rounds, cpu: "one page" }, (line) => {
  show(line);
});
element("state").textContent = "Done.";
