import { join } from "node:path";
import { expect, test } from "vitest";
import type { ParquetFile } from "../../src/parquet/input-file.ts";
import { writeColumns } from "../shared/parquet.ts";
import { copyParquet } from "../shared/parquet-copy.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

/** Copies three files, the second of which has metadata that no footer holds. */
function copyAll(damage: (file: ParquetFile) => void): Promise<Uint8Array> {
  const paths = ["first", "second", "third"].map((name) =>
    writeColumns(join(folder, `${name}.parquet`), [
      { name: "url", data: ["http://a/", "http://b/"], type: "STRING" },
    ]),
  );
  const isSecond = (path: string): boolean => path === paths[1];
  return copyParquet(paths, { damage: (file, path) => isSecond(path) && damage(file) });
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
  ).rejects.toThrow(
    "second.parquet: it is damaged (column url of row group 1: the codec 99 is not known)",
  );
});

test("files without damage are copied, all three", async () => {
  await expect(copyAll(() => {})).resolves.toBeInstanceOf(Uint8Array);
});
