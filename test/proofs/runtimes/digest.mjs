// What every runtime must agree on, one digest for each engine. Nothing here needs Node.

const PRESETS = ["safe", "crawl", "aggressive"];
/** URLs that go one by one; the others go in batches alone. */
const SINGLE = 5_000;
const BASE = "https://example.org/a/b?c";
/** One key for all: a normalizer without one makes its own. */
const KEY = Uint8Array.from({ length: 16 }, (_, at) => at);

/**
 * Returns the engine that `engine` gives on this runtime and the SHA-256 of what it makes of all URLs: strings one by
 * one and in a batch, lines, a column and fingerprints.
 */
export async function digestOf(createNormalizer, engine, bytes) {
  const urls = new TextDecoder().decode(bytes).split("\n").slice(0, -1);
  const parts = [];
  let name;
  for (const preset of PRESETS) {
    const n = createNormalizer({ preset, engine });
    name = n.engine;
    const batch = n.normalizeBatch(urls, { base: BASE });
    const lines = n.normalizeLines(bytes);
    const column = n.normalizeColumn(columnOf(urls));
    const single = urls.slice(0, SINGLE).map((url) => n.tryNormalize(url));
    const { fingerprints } = n.fingerprintBatch(urls, { key: KEY });
    const { steps } = n.explain(urls[0]);
    const texts = [batch.urls, single.map(({ url, error }) => url ?? error), steps, n.profileId];
    parts.push(new TextEncoder().encode(JSON.stringify(texts)));
    for (const { buffer, byteOffset, byteLength } of [
      batch.status,
      lines.bytes,
      lines.status,
      column.data,
      column.offsets,
      fingerprints,
    ]) {
      parts.push(new Uint8Array(buffer, byteOffset, byteLength));
    }
  }
  const all = new Uint8Array(await new Blob(parts).arrayBuffer());
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", all));
  return { engine: name, digest: Array.from(digest, hex).join("") };
}

function hex(byte) {
  return byte.toString(16).padStart(2, "0");
}

function columnOf(urls) {
  const pieces = urls.map((url) => new TextEncoder().encode(url));
  const offsets = new Int32Array(urls.length + 1);
  for (const [row, { length }] of pieces.entries()) offsets[row + 1] = offsets[row] + length;
  const data = new Uint8Array(offsets.at(-1));
  for (const [row, piece] of pieces.entries()) data.set(piece, offsets[row]);
  return { data, offsets };
}
