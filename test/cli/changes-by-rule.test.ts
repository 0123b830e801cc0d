import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createNormalizer, Status } from "../../src/index.ts";
import { unescapeLine } from "../../src/io/text/line-escape.ts";
import { OPTION_VALUES, STEP_NAMES } from "../../src/options/catalog.generated.ts";
import { runCli } from "../shared/cli.ts";
import { toColumn } from "../shared/columns.ts";
import { ENGINES } from "../shared/engines.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { optionUrls } from "../shared/random-options.ts";
import { tempFolder } from "../shared/temp-folder.ts";

/** Real URLs, some of them unless all are asked for, and hostile ones. */
const LINES = [
  ...sampleOf(linesOf(readCorpus()), 80),
  ...hostileUrls(3, 300).map((line) => line.replace(/\r$/, "")),
  ...optionUrls(3, 300),
];
const INPUT = Buffer.from(`${LINES.join("\n")}\n`, "latin1");

const folder = tempFolder();

/** What `--stats` says, told by explain on every changed line: rules by count, then as they are listed. */
function countByExplain(preset: (typeof OPTION_VALUES.preset)[number]): [string, number][] {
  const normalizer = createNormalizer({ preset });
  const { status } = normalizer.normalizeColumn(toColumn(LINES));
  const counts = new Map<string, number>();
  for (const [row, line] of LINES.entries()) {
    if (status[row] !== Status.CHANGED) continue;
    const { steps } = normalizer.explainBytes(line);
    for (const rule of new Set(steps.map((step) => step.step)))
      counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return STEP_NAMES.flatMap((rule): [string, number][] => {
    const count = counts.get(rule);
    return count === undefined ? [] : [[rule, count]];
  }).toSorted(([, a], [, b]) => b - a);
}

describe.each(OPTION_VALUES.preset)("under %s", (preset) => {
  const expected = countByExplain(preset);

  test.each(sampleOf(ENGINES, 2))(
    "--stats counts what explain lists for every line (%s)",
    async (engine) => {
      const flags = ["--preset", preset, "--engine", engine, "--on-error", "empty", "--stats"];
      for (const threads of engine === "wasm" ? sampleOf(["1", "2"], 2) : ["1"]) {
        const { stderr } = await runCli(["dedupe", ...flags, "--threads", threads], INPUT);
        expect(Object.entries(JSON.parse(stderr).changesByStep)).toEqual(expected);
      }
    },
  );
});

test("records of a format are counted as lines are", async () => {
  const records = LINES.slice(-600).filter((line) => !/[\t\r]/.test(line));
  const flags = ["--preset", "crawl", "--on-error", "empty", "--stats"];
  const lines = await runCli(
    ["normalize", "--format", "lines", ...flags],
    Buffer.from(`${records.join("\n")}\n`, "latin1"),
  );
  const tsv = Buffer.from(records.map((line) => `1\t${line}\n`).join(""), "latin1");
  const columns = await runCli(["normalize", ...flags, "--format", "tsv", "--field", "2"], tsv);
  const counts = JSON.parse(columns.stderr).changesByStep;
  expect(Object.keys(counts).length).toBeGreaterThan(5);
  expect(counts).toEqual(JSON.parse(lines.stderr).changesByStep);
});

test("merged lines are listed with their key, also in a report, on any number of threads", async () => {
  const file = join(folder, "in.txt");
  const urls = LINES.slice(0, atLength(300, 2_000));
  writeFileSync(file, Buffer.from(urls.map((url) => `${url}\r\n ${url}\n`).join(""), "latin1"));
  const maps = [];
  for (const threads of ["1", "2"]) {
    const map = join(folder, `map-${threads}`);
    const report = join(folder, `report-${threads}.html`);
    const flags = ["--preset", "crawl", "--map", map, "--report", report, "--threads", threads];
    await runCli(["dedupe", ...flags, file]);
    maps.push(readFileSync(map, "latin1"));
  }
  const normalizer = createNormalizer({ preset: "crawl" });
  const rows = (maps[0] as string).split("\n").slice(0, -1);
  const keyOf = (line: string): string => normalizer.explainBytes(line).url ?? line;
  const lines = urls.flatMap((url) => [url, ` ${url}`]);
  expect(rows.length).toBe(lines.length - new Set(lines.map(keyOf)).size);
  for (const row of rows) {
    const tab = row.indexOf("\t");
    expect(keyOf(unescapeLine(row.slice(tab + 1)))).toBe(unescapeLine(row.slice(0, tab)));
  }
  expect(maps[1]).toBe(maps[0]);
});
