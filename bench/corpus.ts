import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { fresh } from "./fresh.ts";

/** Holds a list of URLs as bytes and as strings. */
export interface Corpus {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly urls: readonly string[];
}

const BUNDLED = new URL("../../test/fixtures/urls-50k.txt.gz", import.meta.url);

/** Reads the lines of a file, gzipped or plain. Without a file, reads the bundled 50,000 real URLs. */
export function readCorpus(file?: string): Corpus {
  const content = readFileSync(file ?? BUNDLED);
  const bytes = content[0] === 0x1f && content[1] === 0x8b ? gunzipSync(content) : content;
  const lines = bytes.toString("utf8").split("\n");
  if (lines.at(-1) === "") lines.pop();
  const urls = fresh(lines);
  return { name: file ?? "test/fixtures/urls-50k.txt.gz", bytes, urls };
}
