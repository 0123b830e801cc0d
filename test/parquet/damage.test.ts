import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { RowGroupWriter } from "../../src/cli/parquet/row-group-writer.ts";
import { UrlTexts } from "../../src/cli/parquet/url-texts.ts";
import { UrlmillError } from "../../src/errors.ts";
import { createNormalizer } from "../../src/index.ts";
import { IoError } from "../../src/io/io-error.ts";
import { ParquetFile } from "../../src/parquet/input-file.ts";
import { loadParquetPeers } from "../../src/parquet/peers.ts";
import { atLength } from "../shared/length.ts";
import { writeColumns } from "../shared/parquet.ts";
import { Random } from "../shared/random.ts";

const folder = mkdtempSync(join(tmpdir(), "urlmill-"));
afterAll(() => rmSync(folder, { recursive: true }));

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

/** Reads all of a file and writes every second row, as `dedupe` would. */
async function copyHalf(path: string): Promise<void> {
  const peers = await loadParquetPeers();
  const file = await ParquetFile.open(path, peers);
  try {
    const field = { field: { name: "url", isNeeded: true }, hasHeader: false } as const;
    const options = { emit: "normalized", onError: "keep", form: "url", field } as const;
    const writer = new RowGroupWriter({ write: async () => {} }, peers, options, async () => {});
    writer.begin(file);
    const normalizer = createNormalizer({ engine: "js" });
    const work = {
      normalizer,
      base: undefined,
      fingerprintKey: null,
      writesKeys: true,
      form: null,
      rules: null,
      lists: false,
    };
    for (const group of file.raw.field_4.keys()) {
      const urls = await UrlTexts.of(await writer.readUrls(file, group), work, async () => {});
      const isChosen = Uint8Array.from(urls.column.rows, (_, row) => row % 2);
      const chosen = isChosen.reduce((sum, byte) => sum + byte, 0);
      await writer.write(file, group, urls, {
        isChosen,
        chosen,
        merged: [],
        fresh: new Uint8Array(0),
      });
    }
    await writer.finish();
  } finally {
    await file.close();
  }
}

test("a file with a damaged byte is read, or refused by an error that names it", async () => {
  const random = new Random(20);
  const path = join(folder, "damaged.parquet");
  let refused = 0;
  const count = atLength(200, 20_000);
  for (let round = 0; round < count; round++) {
    const bytes = new Uint8Array(SAMPLE);
    const at = 4 + random.below(bytes.length - 8);
    bytes[at] = random.below(256);
    writeFileSync(path, bytes);
    try {
      await copyHalf(path);
    } catch (error) {
      refused++;
      const isTold = error instanceof IoError || error instanceof UrlmillError;
      expect(isTold, `byte ${at} = ${bytes[at]}: ${(error as Error).stack}`).toBe(true);
      expect((error as Error).message).toContain(path);
    }
  }
  expect(refused).toBeGreaterThan(count / 20);
});
