// Draws the charts of the README and of docs/performance.md from the measurements in bench/results.
import { readFileSync, writeFileSync } from "node:fs";
import { drawBars } from "./bars.mjs";

const read = (name) =>
  JSON.parse(readFileSync(new URL(`../results/${name}.json`, import.meta.url), "utf8"));

/** Draws lines to unique lines: seconds and memory of each tool, the fastest first. awk takes so long that the others look alike. */
function dedupeChart() {
  const { lines, rows } = read("dedupe");
  const sorted = rows
    .filter(({ name }) => !name.startsWith("awk"))
    .sort((a, b) => a.seconds - b.seconds);
  return drawBars(
    sorted.map(({ name, seconds, megabytes }) => ({
      name,
      bars: [
        { value: seconds, text: `${seconds.toFixed(2)} s` },
        { value: megabytes, text: `${megabytes.toLocaleString("en")} MB` },
      ],
    })),
    `${lines / 1e6} million lines to unique lines: seconds, memory`,
  );
}

/** Draws keys of strings: millions of URLs a second on one core, the fastest first. */
function keysChart() {
  const { rows } = read("keys");
  const sorted = rows.toSorted((a, b) => a.nanoseconds - b.nanoseconds);
  return drawBars(
    sorted.map(({ name, nanoseconds }) => {
      const value = 1000 / nanoseconds;
      return { name, bars: [{ value, text: `${value.toPrecision(2)} million` }] };
    }),
    "Keys of URLs a second, on one core",
  );
}

/** Returns each chart by its file. */
export function charts() {
  return { "docs/dedupe.svg": dedupeChart(), "docs/keys.svg": keysChart() };
}

/** Saves the measurements of a bench, and draws the charts again. */
export function saveResults(name, results) {
  const file = new URL(`../results/${name}.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  for (const [path, svg] of Object.entries(charts())) {
    writeFileSync(new URL(`../../${path}`, import.meta.url), svg);
  }
}
