import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { RowGroupWriter } from "../../src/cli/parquet/row-group-writer.ts";
import { UrlTexts } from "../../src/cli/parquet/url-texts.ts";
import { createNormalizer } from "../../src/index.ts";
import { ParquetFile } from "../../src/parquet/input-file.ts";
import { loadParquetPeers } from "../../src/parquet/peers.ts";
import { writeColumns } from "../shared/parquet.ts";

const folder = mkdtempSync(join(tmpdir(), "urlmill-"));
afterAll(() => rmSync(folder, { recursive: true }));

const work = {
  normalizer: createNormalizer({ engine: "js" }),
  base: undefined,
  fingerprintKey: null,
  writesKeys: true,
  form: null,
  rules: null,
  lists: false,
};

/** Copies three files, the second of which has metadata that no footer holds. */
async function copyAll(damage: (file: ParquetFile) => void): Promise<void> {
  const peers = await loadParquetPeers();
  const field = { field: { name: "url", isNeeded: true }, hasHeader: false } as const;
  const options = { emit: "normalized", onError: "keep", form: "url", field } as const;
  const writer = new RowGroupWriter({ write: async () => {} }, peers, options, async () => {});
  for (const name of ["first", "second", "third"]) {
    const path = writeColumns(join(folder, `${name}.parquet`), [
      { name: "url", data: ["http://a/", "http://b/"], type: "STRING" },
    ]);
    const file = await ParquetFile.open(path, peers);
    try {
      if (name === "second") damage(file);
      writer.begin(file);
      const urls = await UrlTexts.of(await writer.readUrls(file, 0), work, async () => {});
      await writer.write(file, 0, urls, null);
      writer.end(file);
    } finally {
      await file.close();
    }
  }
  await writer.finish();
}

test("metadata that cannot be written again are an error that names their file, not the last one", async () => {
  await expect(
    copyAll((file) => {
      const chunk = file.raw.field_4[0]?.field_1[0]?.field_3;
      Object.assign(chunk as object, { field_16: Symbol("damaged") });
    }),
  ).rejects.toThrow(`cannot read ${join(folder, "second.parquet")}: it is damaged (its footer: `);
});

test("a codec that is not known is an error that names it and the file", async () => {
  await expect(
    copyAll((file) => {
      const chunk = file.raw.field_4[0]?.field_1[0]?.field_3;
      Object.assign(chunk as object, { field_4: 99 });
    }),
  ).rejects.toThrow("second.parquet: it is damaged (the codec 99 is not known)");
});

test("files without damage are copied, all three", async () => {
  await expect(copyAll(() => {})).resolves.toBeUndefined();
});
