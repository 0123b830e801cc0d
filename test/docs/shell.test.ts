// At full length only: it starts shells.

import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { parquetWriteFile } from "hyparquet-writer";
import { beforeEach, describe, expect, test } from "vitest";
import { CLI_PATH } from "../shared/cli.ts";
import { type CodeBlock, codeBlocks } from "../shared/code-blocks.ts";
import { IS_LONG } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures", import.meta.url));
const folder = tempFolder();
const bin = join(folder, "bin");
const work = join(folder, "work");

const LINKS = [
  "HTTP://Example.com/a/../b?utm_source=x",
  "http://example.com/b",
  "http://example.com/c?y=2&x=1",
];
const ROWS = LINKS.map((url, row) => ({
  id: row + 1,
  url,
  title: `page ${row}`,
  date: `2024-03-0${row + 1}`,
}));
const table = (mark: string): string =>
  [Object.keys(ROWS[0] as object), ...ROWS.map(Object.values)]
    .map((row) => `${row.join(mark)}\n`)
    .join("");

/** The files that the documents name, each with a few URLs. */
function writeSamples(): void {
  for (const name of ["urls.txt", "links.txt"]) {
    writeFileSync(join(work, name), `${LINKS.join("\n")}\nnot a url\n`);
  }
  writeFileSync(join(work, "monday.txt"), `${LINKS.join("\n")}\n`);
  writeFileSync(join(work, "tuesday.txt"), `${LINKS.join("\n")}\nhttp://example.com/new\n`);
  writeFileSync(join(work, "crawl.tsv"), table("\t"));
  writeFileSync(join(work, "crawl.tsv.gz"), gzipSync(table("\t")));
  writeFileSync(join(work, "crawl.csv"), table(","));
  const json = ROWS.map(({ url, ...rest }) => JSON.stringify({ ...rest, page: { url } }));
  writeFileSync(join(work, "crawl.jsonl"), `${json.join("\n")}\n`);
  parquetWriteFile({
    filename: join(work, "crawl.parquet"),
    columnData: [
      { name: "id", data: ROWS.map(({ id }) => id), type: "INT32" },
      { name: "url", data: ROWS.map(({ url }) => url), type: "STRING" },
      { name: "date", data: ROWS.map(({ date }) => date), type: "STRING" },
    ],
  });
  writeFileSync(join(work, "filters.txt"), "$removeparam=y\n");
  writeFileSync(join(work, "rules.tsv"), "#urlmill-rules 1\nexample.com\t*\tdrop y\n");
  const captured = (key: string): string =>
    ` CDX N b a m s k S\ncom,${key})/ 2026 http://${key}.com/ text/html 200 ${key} 9\n`;
  for (const key of ["a", "b"]) {
    writeFileSync(join(work, `crawl-${key}.cdx.gz`), gzipSync(captured(key)));
  }
  for (const name of ["index.cdx", "new.cdx"]) writeFileSync(join(work, name), captured(name));
  const archive = "archives/iipc-IAH-urls-wget.warc";
  copyFileSync(join(FIXTURES, `${archive}.wat.gz`), join(work, "CC-1.warc.wat.gz"));
  copyFileSync(join(FIXTURES, `${archive}.gz`), join(work, "crawl.warc.gz"));
  copyFileSync(join(FIXTURES, "learn/forum.tsv.gz"), join(work, "forum.tsv.gz"));
  copyFileSync(join(FIXTURES, "urls-50k.txt.gz"), join(work, "urls-50k.txt.gz"));
}

beforeEach(() => {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  mkdirSync(bin, { recursive: true });
  // `npx urlmill`, and the command as it is where the package is installed globally.
  const run = `exec "${process.execPath}" "${CLI_PATH}" "$@"\n`;
  writeFileSync(join(bin, "npx"), `#!/bin/sh\nshift\n${run}`);
  writeFileSync(join(bin, "urlmill"), `#!/bin/sh\n${run}`);
  for (const name of ["npx", "urlmill"]) chmodSync(join(bin, name), 0o755);
  writeSamples();
});

/** Runs a script; the two outputs come as one, in the order they were written. */
function run(script: string): { status: number | null; output: string } {
  const { status, stdout } = spawnSync("sh", ["-c", `exec 2>&1\n${script}`], {
    cwd: work,
    encoding: "utf8",
    env: {
      ...process.env,
      PATH: [bin, process.env["PATH"]].join(delimiter),
      URLMILL_ENGINE: "",
      NO_COLOR: "1",
    },
  });
  return { status, output: stdout };
}

const INSTALLS = /^(?:npm install|npm ci|pip install) /;
const runnable = (...languages: string[]): CodeBlock[] =>
  codeBlocks().filter(
    ({ place, language, notRun }) =>
      // test/cli/recipes.test.ts runs those with databases.
      notRun === null && languages.includes(language) && !place.startsWith("docs/python-spark-"),
  );

/** The lines of a block, but those that install. */
const commandsOf = ({ lines }: CodeBlock): string[] => lines.filter((line) => !INSTALLS.test(line));

const countCommands = (block: CodeBlock): number =>
  commandsOf(block).filter((line) => (block.language === "sh" ? /^[^#]/ : /^\$ /).test(line))
    .length;

/** Blocks with something to run. Short runs have one of each document, with the fewest commands. */
const BLOCKS = sampled(
  runnable("sh", "console").filter((block) => commandsOf(block).some((line) => /^[^#]/.test(line))),
);

function sampled(blocks: CodeBlock[]): CodeBlock[] {
  if (IS_LONG) return blocks;
  const byLength = blocks.toSorted((a, b) => countCommands(a) - countCommands(b));
  const documentOf = ({ place }: CodeBlock): string => place.replace(/:\d+$/, "");
  return [...new Map(byLength.toReversed().map((block) => [documentOf(block), block])).values()];
}

describe.skipIf(process.platform === "win32")("in a shell", () => {
  test.each(BLOCKS.filter(({ language }) => language === "sh"))(
    "the commands at $place run, but those that install",
    (block) => {
      expect(run(`set -e\n${commandsOf(block).join("\n")}`)).toMatchObject({ status: 0 });
    },
  );

  test.each(BLOCKS.filter(({ language }) => language === "console"))(
    "the commands at $place print what stands there",
    ({ lines }) => {
      const shown = lines.map((line) => (line.startsWith("$ ") ? `\n${line}` : line)).join("\n");
      const printed = lines
        .filter((line) => line.startsWith("$ "))
        .map((line) => `\n${line}\n${run(`cd .\n${line.slice(2)}`).output}`)
        .join("");
      expect(printed.trimEnd()).toBe(shown.trimEnd());
    },
  );
});
