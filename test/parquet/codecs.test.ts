import { randomBytes } from "node:crypto";
import type { CompressionCodec } from "hyparquet";
import { expect, test } from "vitest";
import { compressorsOf, decompressorsOf } from "../../src/parquet/codecs.ts";
import { loadParquetPeers } from "../../src/parquet/peers.ts";
import { atLength } from "../shared/length.ts";

const peers = await loadParquetPeers();
const compressors = compressorsOf();
const decompressors = decompressorsOf(peers);

/** Pages of all kinds: without bytes, longer than they were, and longer than a codec writes at a time. */
const PAGES = {
  "an empty page": new Uint8Array(0),
  "a page that does not compress": randomBytes(100_000),
  "a page of many MiB": new Uint8Array(atLength(20, 40) << 20).fill(7),
};

test.each(Object.keys(compressors) as CompressionCodec[])("%s gives back what it took", (codec) => {
  for (const [name, page] of Object.entries(PAGES)) {
    const compressed = compressors[codec]?.(page).slice() as Uint8Array;
    const inflated = decompressors[codec]?.(compressed, page.length) as Uint8Array;
    expect(Buffer.compare(inflated, page), name).toBe(0);
  }
});

test("a page that is longer than it says is not cut off", () => {
  for (const codec of ["GZIP", "BROTLI"] as const) {
    const compressed = compressors[codec]?.(new Uint8Array(1000)) as Uint8Array;
    expect(decompressors[codec]?.(compressed, 10), codec).toHaveLength(1000);
  }
});
