import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UrlmillError } from "../../src/base/errors.ts";
import { IoError } from "../../src/io/io-error.ts";
import { atLength } from "../shared/length.ts";
import { writeColumns } from "../shared/parquet.ts";
import { copyParquet } from "../shared/parquet-copy.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

const ROWS = 60;
const rows = <T>(make: (row: number) => T): T[] =>
  Array.from({ length: ROWS }, (_, row) => make(row));
const SAMPLE = readFileSync(
  writeColumns(
    join(folder, "sample.parquet"),
    [
      {
        name: "url",
        data: rows((row) => (row % 7 === 0 ? null : `http://a/${row >> 1}`)),
        type: "STRING",
        nullable: true,
      },
      { name: "host", data: rows((row) => `host${row % 3}`), type: "STRING" },
      { name: "n", data: rows((row) => row), type: "INT32" },
    ],
    20,
  ),
);

test("a file with a damaged byte is read, or refused by an error that names it", async () => {
  const random = new Random(20);
  const path = join(folder, "damaged.parquet");
  let refused = 0;
  const count = atLength(60, 8_000);
  for (let round = 0; round < count; round++) {
    const bytes = new Uint8Array(SAMPLE);
    const at = 4 + random.below(bytes.length - 8);
    bytes[at] = random.below(256);
    writeFileSync(path, bytes);
    try {
      await copyParquet([path], { halves: true });
    } catch (error) {
      refused++;
      const isTold = error instanceof IoError || error instanceof UrlmillError;
      expect(isTold, `byte ${at} = ${bytes[at]}: ${(error as Error).stack}`).toBe(true);
      expect((error as Error).message).toContain(path);
      expect((error as Error).message).not.toMatch(/undefined|not a function|DataView|bounds/);
    }
  }
  expect(refused).toBeGreaterThan(count / 20);
});
