import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type CliResult, runCli } from "../shared/cli.ts";
import { atLength } from "../shared/length.ts";
import { readParquet, writeColumns } from "../shared/parquet.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

/** More than one or two slices of 65,536 texts; every fifth is not a URL, every seventh comes again later. */
const ROWS = atLength(70_000, 140_000);
const URLS = Array.from({ length: ROWS }, (_, row) => {
  if (row % 5 === 4) return `no url ${row}`;
  return `HTTP://a/./${row % 7 === 0 && row > ROWS / 2 ? row - ROWS / 2 : row}`;
});
const FLAGS = ["--preset", "crawl", "--emit", "normalized", "--stats"];

let expected: CliResult;
beforeAll(async () => {
  expected = await runCli(["dedupe", ...FLAGS], `${URLS.join("\n")}\n`);
});

test.each(["PLAIN", "RLE_DICTIONARY"] as const)(
  "a row group of %s texts in several slices gives what lines give",
  async (encoding) => {
    const input = writeColumns(
      path(`${encoding}.parquet`),
      [{ name: "url", data: URLS, type: "STRING", encoding }],
      ROWS,
    );
    const out = path(`${encoding}-out.parquet`);
    const result = await runCli(["dedupe", ...FLAGS, input, "-o", out]);
    const { rows } = await readParquet(out);
    expect(rows.map(({ url }) => `${url}\n`).join("") === expected.stdout).toBe(true);
    const counts = (stderr: string) => {
      const { lines, changed, duplicates, errorsByCode, changesByStep } = JSON.parse(stderr);
      return { lines, changed, duplicates, errorsByCode, changesByStep };
    };
    expect(counts(result.stderr)).toEqual(counts(expected.stderr));
    expect(counts(result.stderr)).toMatchObject({ lines: ROWS, duplicates: expect.any(Number) });
  },
  60_000,
);
