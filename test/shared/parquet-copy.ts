import { createNormalizer } from "../../src/index.ts";
import { ParquetFile } from "../../src/parquet/input-file.ts";
import { loadParquetPeers } from "../../src/parquet/peers.ts";
import { RowGroupWriter } from "../../src/runs/parquet/row-group-writer.ts";
import { RunOutput } from "../../src/runs/parquet/run-output.ts";
import { UrlTexts } from "../../src/runs/parquet/url-texts.ts";

const work = {
  normalizer: createNormalizer({ engine: "js" }),
  base: undefined,
  fingerprintKey: null,
  writesKeys: true,
  filter: null,
  form: null,
  steps: null,
  lists: false,
};

/** Says what to do with files in place of copying them. */
export interface CopyOptions {
  readonly emit?: "normalized" | "original" | "both";
  /** Keeps every second row alone, as `dedupe` would. */
  readonly halves?: boolean;
  /** Changes a file after it is opened. */
  readonly damage?: (file: ParquetFile, name: string) => void;
}

/** Reads all of some files and writes them as one, as the command does but in this process. Returns the bytes. */
export async function copyParquet(
  paths: readonly string[],
  { emit = "normalized", halves = false, damage }: CopyOptions = {},
): Promise<Uint8Array> {
  const peers = await loadParquetPeers();
  const field = { field: { name: "url", isNeeded: true }, hasHeader: false } as const;
  const options = { emit, onError: "keep", form: "url", field } as const;
  const parts: Uint8Array[] = [];
  const output = { write: async (bytes: Uint8Array) => void parts.push(bytes.slice()) };
  const whole = new RunOutput(output, peers, { emit, count: false });
  const writer = new RowGroupWriter(
    peers,
    options,
    async () => {},
    () => {},
  );
  for (const path of paths) {
    const file = await ParquetFile.open(path, peers);
    try {
      damage?.(file, path);
      whole.enter(file);
      for (const [group, { field_3: rows }] of file.raw.field_4.entries()) {
        if (rows === 0n) continue;
        const urls = await UrlTexts.of(await writer.readUrls(file, group), work, async () => {});
        const isChosen = Uint8Array.from(urls.column.rows, (_, row) => row % 2);
        const chosen = isChosen.reduce((sum, byte) => sum + byte, 0);
        const found = halves ? { isChosen, chosen, counts: null } : null;
        const written = await writer.write(file, group, urls, found, (tools) =>
          whole.file.beginGroup(tools),
        );
        if (written !== null) whole.file.add(written);
      }
    } finally {
      await file.close();
    }
  }
  await whole.finish();
  return Buffer.concat(parts);
}
