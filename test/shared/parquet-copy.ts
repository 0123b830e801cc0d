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

/**
 * Holds a file of pyarrow 26 with two rows of `url`, which can be read, and of `secret`, which is encrypted: its footer is
 * plain, and signed.
 */
export const ENCRYPTED_FILE = Buffer.from(
  "UEFSMRUEFTQVOEwVBBUAEgAAGmQJAAAASFRUUDovL2EvCQAAAGh0dHA6Ly9hLxUAFRIVFiwVBBUQFQYVBhw2ACgJaHR0cDovL2Ev" +
    "GAlIVFRQOi8vYS8REQAAAAkgAgAAAAQBAQMCKgAAAA5OjMALmKsyevZ6q42nFKI9yUCj1Ts+DSwCW6YRId7NRpQbVmhVz7n4by4A" +
    "AACY7eUn30X/K/axdngp+eBKgGWkm4/Fh4W0rHfpewDyTDLr3JPs3nTDwP8vXFFIWwAAAEMj2t/X6OIl0ufggMIKNGVg0bTZbRRp" +
    "JsB7CwCjzBrBFVdpPSmmO2zHLn/XriApCErFl6YNwyhcArsKW6y/KUrEjXZJVYDPwWBBww5yZVvzIoKFh35q9kXdTecnAAAAxE7D" +
    "eLy5dEmU+CAk6G7H94Vap75mk4zIqA66QIOJQAcuupo1/9qXFQQZPDUAGAZzY2hlbWEVBAAVDCUCGAN1cmwlAEwcAAAAFQQlAhgG" +
    "c2VjcmV0ABYEGRwZLCYAHBUMGTUABhAZGAN1cmwVAhYEFrwBFsQBJlwmCBw2ACgJaHR0cDovL2EvGAlIVFRQOi8vYS8REQAZLBUE" +
    "FQAVAgAVABUQFQIAPBYkGQYZJgAEAAAAJgAcFQQZNQAGEBkYBnNlY3JldBUCFgQWzAIW1AMmjAMmzAFcKQYZJgAEAABcLBkYBnNl" +
    "Y3JldBiSAnsia2V5TWF0ZXJpYWxUeXBlIjoiUEtNVDEiLCJpbnRlcm5hbFN0b3JhZ2UiOnRydWUsImlzRm9vdGVyS2V5IjpmYWxz" +
    "ZSwibWFzdGVyS2V5SUQiOiJrIiwid3JhcHBlZERFSyI6InEzazhmRHpyNm9CZHliOUNaS3lZalZnWUdPUEV0aGZycG1hdTBHYUxK" +
    "YkIraFpZdG54UnM0Mm5ZckVzPSIsImRvdWJsZVdyYXBwaW5nIjp0cnVlLCJrZXlFbmNyeXB0aW9uS2V5SUQiOiJiU2hQMUlSQnBy" +
    "MCsreXRmVVBkMmRRPT0iLCJ3cmFwcGVkS0VLIjoiZFNEOXJnKzhuRUlXRXUwcVJNc3lJQT09In0AABiHAYMAAABtcXlRiWAL7ozN" +
    "lEQH2IEvzZWFDNcRngm/t2iC4FT0SYQr7WN84kf/wtDPtcRU3UIkBvtjIuYRDgcyY5lpUXWgzRXKl8c5Xe/QVipk6phrimr655iz" +
    "7m1ZBkUf0fjZurQTqfc+2K4jVgGacQtukh9moyy9WlrRbLgFWVUJkUT4CVE/BAAWiAQWBCYIFpgFFAAAKCBwYXJxdWV0LWNwcC1h" +
    "cnJvdyB2ZXJzaW9uIDI2LjAuMRksHAAAHAAAHBwoCBXHVKecb7vWEgAAGMYCeyJrZXlNYXRlcmlhbFR5cGUiOiJQS01UMSIsImlu" +
    "dGVybmFsU3RvcmFnZSI6dHJ1ZSwiaXNGb290ZXJLZXkiOnRydWUsImttc0luc3RhbmNlSUQiOiJERUZBVUxUIiwia21zSW5zdGFu" +
    "Y2VVUkwiOiJERUZBVUxUIiwibWFzdGVyS2V5SUQiOiJmIiwid3JhcHBlZERFSyI6IkxidVBrc0RHeFE2Z1pLaW1zaHhsaEw4RTVu" +
    "OVZCVFpKa1E3ZE56bmxDNWJJczdSVnBrdm8vWnVSK3pJPSIsImRvdWJsZVdyYXBwaW5nIjp0cnVlLCJrZXlFbmNyeXB0aW9uS2V5" +
    "SUQiOiJxR0tzbUJHQXBoM2k2R29heVJKRFRRPT0iLCJ3cmFwcGVkS0VLIjoiTTU5cVVESXhzUHRpaEtxZDdsNVNQUT09In0AjqzM" +
    "vf4p4VotJbcWTi6TlwDWXTDDuB0aS6RJww8EAABQQVIx",
  "base64",
);
