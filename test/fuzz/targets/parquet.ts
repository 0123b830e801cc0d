import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { UrlmillError } from "../../../src/base/errors.ts";
import { IoError } from "../../../src/io/io-error.ts";
import { pageKernel } from "../../../src/parquet/memory/page-kernel.ts";
import { copyParquet } from "../../shared/parquet-copy.ts";
import { counted } from "../edges.ts";

export { PLACES, reached } from "../edges.ts";

const folder = mkdtempSync(join(tmpdir(), "urlmill-fuzz-"));
const IN = join(folder, "in.parquet");
pageKernel();

/** Any bytes as a Parquet file: they are refused by an error that names it, or what is written can be read by others. */
export const fuzz = counted(async (data: Buffer): Promise<void> => {
  writeFileSync(IN, data);
  for (const halves of [false, true]) {
    let written: Uint8Array;
    try {
      written = await copyParquet([IN], { halves });
    } catch (error) {
      const isTold = error instanceof IoError || error instanceof UrlmillError;
      if (isTold && error.message.includes(IN)) continue;
      throw error;
    }
    const { buffer: file } = new Uint8Array(written);
    await parquetReadObjects({ file, compressors, columns: ["url"] });
  }
});
