import { join } from "node:path";
import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { ParquetFile } from "../../src/parquet/input-file.ts";
import { loadParquetPeers } from "../../src/parquet/peers.ts";
import { GroupOutput } from "../../src/parquet/write/group-output.ts";
import { RowGroupWriter } from "../../src/runs/parquet/row-group-writer.ts";
import { UrlTexts } from "../../src/runs/parquet/url-texts.ts";
import { writeSmallPages } from "../shared/parquet.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

const PAGES = 20;
const stop = new Error("stopped");

/** Copies every second row of one row group, and is stopped at the given pause; returns how many there were. */
async function copyUntil(stopsAt: number): Promise<number> {
  const peers = await loadParquetPeers();
  const path = writeSmallPages(join(folder, "pages.parquet"), PAGES);
  const file = await ParquetFile.open(path, peers);
  try {
    const field = { field: { name: "url", isNeeded: true }, hasHeader: false } as const;
    const options = { emit: "normalized", onError: "keep", form: "url", field } as const;
    let pauses = 0;
    const pause = async (): Promise<void> => {
      if (++pauses === stopsAt) throw stop;
    };
    const writer = new RowGroupWriter(peers, options, pause, () => {});
    const work = {
      normalizer: createNormalizer({ engine: "js" }),
      base: undefined,
      fingerprintKey: null,
      writesKeys: false,
      filter: null,
      form: null,
      steps: null,
      lists: false,
    };
    const urls = await UrlTexts.of(await writer.readUrls(file, 0), work, async () => {});
    const isChosen = Uint8Array.from(urls.column.rows, (_, row) => row % 2);
    const chosen = isChosen.reduce((sum, byte) => sum + byte, 0);
    const output = { write: async () => {} };
    await writer.write(
      file,
      0,
      urls,
      { isChosen, chosen, counts: null },
      async (tools) => new GroupOutput(output, 4, tools),
    );
    return pauses;
  } finally {
    await file.close();
  }
}

test("signals are heard between all pages of a column, as it is read and as it is written", async () => {
  expect(await copyUntil(Number.POSITIVE_INFINITY)).toBe(2 * PAGES);
});

test.each([1, 5, PAGES + 1, 2 * PAGES])(
  "a stop at pause %i ends the row group with its reason",
  async (at) => {
    await expect(copyUntil(at)).rejects.toBe(stop);
  },
);
