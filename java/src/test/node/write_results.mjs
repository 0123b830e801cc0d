// Writes what the Node package makes of columns of URLs, for the tests of Java, Go and Rust, as frames: the length as Uint32, then the
// bytes. A case has nine of them: plan, profile id, data and offsets of the column, data, offsets and status bytes of the
// result, fingerprints under a key of zeros, Int32 places of errors.
//
//   node write_results.mjs SETS ROWS SEED FILE
//
// Presets are tried on real and hostile URLs, then SETS random option sets on ROWS URLs.
import { openSync, readFileSync, writeSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { createNormalizer, UrlmillError } from "../../../../dist/index.js";
import { importSource } from "../../../../tools/import-source.mjs";

const { Random } = await importSource("../test/shared/random.ts");
const { hostileUrls } = await importSource("../test/shared/hostile.ts");
const { optionUrls, randomOptions } = await importSource("../test/shared/random-options.ts");
const { randomRules, urlsForRules } = await importSource("../test/shared/random-rules.ts");

const [sets, rows, seed] = process.argv.slice(2, 5).map(Number);
const file = openSync(process.argv[5], "w");
const fixtures = new URL("../../../../test/fixtures/", import.meta.url);
const real = gunzipSync(readFileSync(new URL("urls-50k.txt.gz", fixtures)));
const random = new Random(seed);
const hostile = hostileUrls(seed, 10 * rows);
const longest = (length) => `http://a.example/${"é%41/".repeat(length / 6)}`;

for (const preset of ["safe", "crawl", "c14n", "aggressive"]) {
  writeCase({ preset }, columnOf(real.toString("latin1").split("\n")));
  writeCase({ preset }, columnOf([...hostile, "", longest(16_000), longest(9_000)]));
}
for (let set = 0; set < sets; set++) {
  const options = randomOptions(random);
  const urls = optionUrls(random.below(2 ** 31), rows);
  if (set % 4 === 0) {
    options.rules = randomRules(random);
    urls.push(...urlsForRules(random, rows));
  }
  if (isTaken(options)) writeCase(options, columnOf(urls));
}

/** Says whether options go together: rules that are drawn at random may contradict them. */
function isTaken(options) {
  try {
    createNormalizer(options);
    return true;
  } catch (error) {
    if (error instanceof UrlmillError && error.code === "BAD_OPTION") return false;
    throw error;
  }
}

/** Makes a column of byte strings, one character a byte. It does not begin at 0. */
function columnOf(texts) {
  const data = Buffer.from(`xx${texts.join("")}yy`, "latin1");
  const offsets = new Int32Array(texts.length + 1);
  let end = 2;
  for (const [row, text] of texts.entries()) {
    offsets[row] = end;
    end += text.length;
  }
  offsets[texts.length] = end;
  return { data, offsets };
}

function writeCase(options, column) {
  const n = createNormalizer(options);
  const { data, offsets, status } = n.normalizeColumn(column);
  const { fingerprints } = n.fingerprintBatch(column, { key: new Uint8Array(16) });
  const places = Int32Array.from(status, (code, row) => (code > 1 ? placeOf(n, column, row) : -1));
  const id = Buffer.from(n.profileId);
  const given = [column.data, column.offsets];
  for (const frame of [n.plan, id, ...given, data, offsets, status, fingerprints, places]) {
    write(frame);
  }
}

/** Returns where the error of a row is, or -2 if the row is not UTF-8, so that no string has its bytes. */
function placeOf(n, { data, offsets }, row) {
  const bytes = data.subarray(offsets[row], offsets[row + 1]);
  const text = bytes.toString();
  if (!Buffer.from(text).equals(bytes)) return -2;
  try {
    n.normalize(text);
  } catch (error) {
    return error.offset;
  }
  throw new Error(`${text} has a normal form as a string, and none as a row`);
}

function write(frame) {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(frame.byteLength);
  const bytes = Buffer.concat([
    length,
    Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength),
  ]);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
