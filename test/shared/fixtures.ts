import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const fixture = (name: string): URL => new URL(`../fixtures/${name}`, import.meta.url);

export function readJsonFixture<T>(name: string): T {
  return JSON.parse(readFileSync(fixture(name), "utf8")) as T;
}

let corpus: Uint8Array | undefined;

/** 50,000 real URLs, one a line, each line ended by LF. All callers get the same bytes: do not change them. */
export function readCorpus(): Uint8Array {
  corpus ??= gunzipSync(readFileSync(fixture("urls-50k.txt.gz")));
  return corpus;
}

/** The lines of `bytes` as byte strings. */
export function linesOf(bytes: Uint8Array): string[] {
  const lines = Buffer.from(bytes).toString("latin1").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
