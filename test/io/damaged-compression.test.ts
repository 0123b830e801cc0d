import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { decompressed } from "../../src/io/compression/decompressed.ts";
import { decompressZstd, nativeDecoder, packageDecoder } from "../../src/io/compression/zstd.ts";
import { readAll } from "../../src/io/sources/read-all.ts";
import { runCli } from "../shared/cli.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { warcResponse } from "../shared/warc.ts";

const folder = tempFolder();

let files = 0;

/** All bytes of a file, decompressed, or null where reading it is an error. */
async function read(bytes: Uint8Array): Promise<Buffer | null> {
  const file = join(folder, String(files++ % 100));
  writeFileSync(file, bytes);
  try {
    return await readAll(file);
  } catch (error) {
    expect((error as Error).message).toMatch(/^cannot read .*: its compressed data /);
    return null;
  }
}

/** What each of some files gives; several at a time, since most of it is waiting. */
async function readEach(
  inputs: readonly Uint8Array[],
  decode: (bytes: Uint8Array) => Promise<Buffer | null>,
): Promise<(Buffer | null)[]> {
  const outputs: (Buffer | null)[] = [];
  for (let at = 0; at < inputs.length; at += 50) {
    outputs.push(...(await Promise.all(inputs.slice(at, at + 50).map(decode))));
  }
  return outputs;
}

/**
 * The bits of a file which flipped give other output without an error, as `byte.bit`. Looks at those of
 * the first bytes and at every `step`th.
 */
async function silentFlips(
  bytes: Uint8Array,
  decode: (bytes: Uint8Array) => Promise<Buffer | null>,
  step = 1,
): Promise<string[]> {
  const expected = (await decode(bytes)) as Buffer;
  expect(expected.length).toBeGreaterThan(bytes.length);
  const bits = Array.from({ length: 8 * bytes.length }, (_, bit) => bit).filter(
    (bit) => bit < 64 || bit % step === 0,
  );
  const flips = bits.map((bit) => {
    const flipped = Buffer.from(bytes);
    (flipped[bit >> 3] as number) ^= 1 << (bit & 7);
    return flipped;
  });
  const outputs = await readEach(flips, decode);
  expect(outputs).toHaveLength(flips.length);
  return bits
    .filter((_, at) => outputs[at]?.equals(expected) === false)
    .map((bit) => `${bit >> 3}.${bit & 7}`);
}

/** A frame with a checksum, a skippable frame, and another one. */
const ZSTD = readFileSync(new URL("../fixtures/checked.zst", import.meta.url));
const SECOND = ZSTD.indexOf(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd), 4);
const TEXT = readFileSync(new URL("../fixtures/checked.txt", import.meta.url));
const GZIP = Buffer.concat([gzipSync(TEXT.subarray(0, 700)), gzipSync(TEXT.subarray(700))]);
const SECOND_MEMBER = gzipSync(TEXT.subarray(0, 700)).length;

test("a flipped bit of zstd with checksums is an error or changes nothing", async () => {
  expect(await silentFlips(ZSTD, read, atLength(503, 17))).toEqual([]);
}, 60_000);

test("a flipped bit of gzip is an error or changes nothing", async () => {
  expect(await silentFlips(GZIP, read, atLength(503, 13))).toEqual([]);
}, 60_000);

test("a truncation is an error, but not one after a whole frame or member", async () => {
  for (const [bytes, borders] of [
    [ZSTD, [SECOND - 13, SECOND]],
    [GZIP, [SECOND_MEMBER]],
  ] as [Uint8Array, number[]][]) {
    // One byte of zstd is the text "(".
    const lengths = Array.from({ length: bytes.length - 2 }, (_, at) => at + 2);
    const cuts = lengths
      .filter((length) => borders.includes(length) || length % atLength(41, 1) === 0)
      .map((length) => bytes.subarray(0, length));
    const outputs = await readEach(cuts, read);
    const whole = cuts.filter((_, at) => outputs[at] !== null);
    expect(whole.map(({ length }) => length)).toEqual(borders);
  }
}, 60_000);

test("a list is not taken for damaged data", async () => {
  for (const text of ["(", "P*MX", "P*M8\n", "?\n", "\u00e9", "\x1f\x1f\x1f\x1f"]) {
    expect(String(await read(Buffer.from(text)))).toBe(text);
  }
});

const DECODERS = [
  ["node:zlib", nativeDecoder()],
  ["fzstd", await packageDecoder()],
] as const;

describe.each(DECODERS)("zstd by %s", (_, decoder) => {
  /** Decompresses bytes that come `step` at a time; throws what it throws. */
  async function decompress(bytes: Uint8Array, step = bytes.length): Promise<Buffer> {
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += step) yield bytes.slice(at, at + step);
    }
    const pieces: Uint8Array[] = [];
    for await (const piece of await decompressZstd(chunks(), decoder ?? undefined)) {
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  test.runIf(decoder !== null)("frames are decoded wherever chunks end", async () => {
    for (
      let step = 1;
      step <= ZSTD.length;
      step += step < atLength(8, 32) ? 1 : atLength(137, 37)
    ) {
      expect((await decompress(ZSTD, step)).equals(TEXT)).toBe(true);
    }
  });

  test.runIf(decoder !== null)(
    "every flipped bit is an error or changes nothing",
    async () => {
      const decode = (bytes: Uint8Array) => decompress(bytes).catch(() => null);
      expect(await silentFlips(ZSTD, decode, atLength(127, 3))).toEqual([]);
    },
    60_000,
  );

  test.runIf(decoder !== null)("empty frames and frames without a size pass", async () => {
    const empty = Buffer.from("28b52ffd2400010000 99e9d851".replaceAll(" ", ""), "hex");
    const stored = Buffer.from("28b52ffd0000110000 6869".replaceAll(" ", ""), "hex");
    expect(String(await decompress(Buffer.concat([empty, stored, empty])))).toBe("hi");
  });

  test.runIf(decoder !== null).each([
    ["a window over 128 MiB", "28b52ffd0089010000", /window of more than 128 MiB/],
    ["a dictionary", "28b52ffd010007010000", /take a dictionary/],
    ["a length that is not the content's", "28b52ffd2003110000 6869", /damaged/],
    ["a block over 128 KiB", "28b52ffd00580b001061", /a block is too long/],
    ["a block of an unknown type", "28b52ffd0058070000", /unknown type/],
    ["something else after a frame", "28b52ffd2400010000 99e9d851 0a0a0a0a0a", /damaged/],
  ])("%s is an error", async (__, hex, message) => {
    const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex");
    await expect(decompress(bytes)).rejects.toThrow(message);
  });
});

test("the fixture is what gzip keeps too", () => {
  expect(Buffer.concat([gunzipSync(GZIP)]).equals(TEXT)).toBe(true);
});

describe("zeros after a gzip member", () => {
  const [first, second] = [TEXT.subarray(0, 700), TEXT.subarray(700)].map((text) => gzipSync(text));
  const members = [first, second] as [Buffer, Buffer];

  /** Decompresses bytes that come `step` at a time, as text; throws what it throws. */
  async function decompress(bytes: Uint8Array, step: number): Promise<string> {
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += step) yield bytes.slice(at, at + step);
    }
    const pieces: Uint8Array[] = [];
    for await (const piece of (await decompressed(chunks())).stream) pieces.push(piece);
    return String(Buffer.concat(pieces));
  }

  const lengths = [1, 2, 9, 512, 70_000];
  const steps = [1, 10, members[0].length, 512, 1 << 16, 1 << 20];
  const cases = lengths.flatMap((zeros) =>
    steps.filter((step) => step * 5000 > zeros).map((step) => [zeros, step] as const),
  );

  test.each(sampleOf(cases, 4))(
    "%i of them are padding at the end, in pieces of %i bytes",
    async (...given) => {
      const [zeros, step] = given;
      const padded = Buffer.concat([...members, Buffer.alloc(zeros)]);
      expect(await decompress(padded, step)).toBe(String(TEXT));
    },
  );

  test.each(sampleOf(cases, 4))(
    "%i of them before a member are an error, in pieces of %i bytes",
    async (...given) => {
      const [zeros, step] = given;
      for (const last of [members[1], Buffer.from("\n"), Buffer.from("\0\x1f")]) {
        const bytes = Buffer.concat([members[0], Buffer.alloc(zeros), last]);
        await expect(decompress(bytes, step)).rejects.toThrow("zeros are in the place of a member");
      }
    },
  );

  test("a reader that leaves closes the file", async () => {
    let isClosed = false;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      try {
        yield members[0];
        for (;;) yield members[1];
      } finally {
        isClosed = true;
      }
    }
    for await (const piece of (await decompressed(chunks())).stream) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    await expect.poll(() => isClosed, { timeout: 30_000 }).toBe(true);
  });

  const calls = [
    ["normalize", "--threads", "1"],
    ["normalize", "--threads", "2"],
    ["dedupe", "--emit", "both"],
    ["normalize", "--format", "sitemap"],
    ["normalize", "--format", "warc"],
    ["learn", "--format", "lines"],
  ];
  test.each(sampleOf(calls, 2))("%s %s %s fails, from a file and from a pipe", async (...args) => {
    const warc = warcResponse("http://a/");
    const sitemap = "<urlset><url><loc>http://a/</loc></url>\n";
    const xml = args.includes("sitemap") ? sitemap : "http://a/\n";
    const text = Buffer.from(args.includes("warc") ? warc : xml, "latin1");
    const bytes = Buffer.concat([gzipSync(text), Buffer.alloc(512), gzipSync(text)]);
    const file = join(folder, "padded.gz");
    writeFileSync(file, bytes);
    const fromFile = await runCli([...args, file]);
    const piped = await runCli([...args, "-"], bytes);
    for (const [{ code, stderr }, name] of [
      [fromFile, file],
      [piped, "standard input"],
    ] as const) {
      const reason = "zeros are in the place of a member";
      expect(stderr).toContain(
        args.includes("warc") && args.includes("normalize")
          ? `${name}: damaged gzip member at byte 0: ${reason}; the run goes on with the next record`
          : `cannot read ${name}: its compressed data are damaged (${reason})`,
      );
      expect(code).toBe(1);
    }
  });
});

/** Files with damage that is not one bit: zeros, other bytes, holes. The first magic number has at most one wrong byte. */
function* damages(bytes: Buffer): Generator<[string, Buffer]> {
  for (let at = 0; at < bytes.length; at++) {
    for (const value of [0, 0xff, (bytes[at] as number) ^ 0xff]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = value;
      yield [`${value} at ${at}`, damaged];
    }
    if (at < 4) continue;
    for (const length of [2, 3, 10, 18, 64, 512]) {
      const end = Math.min(at + length, bytes.length);
      yield [`zeros from ${at} to ${end}`, Buffer.from(bytes).fill(0, at, end)];
      yield [
        `a hole from ${at} to ${end}`,
        Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]),
      ];
    }
  }
}

const EMPTY_LAST = Buffer.concat([GZIP, gzipSync("")]);
/** Members of archives: a damage to one must not end the file. */
const WARC_GZIP = Buffer.concat(
  ["http://a/", "http://b/", "http://c/"].map((url) => gzipSync(warcResponse(url))),
);

test.each([
  ["gzip", GZIP, [SECOND_MEMBER]],
  ["gzip whose last member is empty", EMPTY_LAST, [SECOND_MEMBER, GZIP.length]],
  ["a web archive", WARC_GZIP, membersOf(WARC_GZIP)],
  ["zstd", ZSTD, [SECOND - 13, SECOND]],
] as const)(
  "damage to %s is an error or changes nothing",
  async (_, bytes, borders) => {
    const all = [...damages(bytes)].filter((__, at) => at % atLength(307, 1) === 0);
    const expected = await read(bytes);
    const outputs = await readEach(
      all.map(([, damaged]) => damaged),
      read,
    );
    const silent = all.filter(([, damaged], at) => {
      const output = outputs[at] as Buffer | null;
      // A file cut after a member, or with zeros from there on, is a whole file.
      const rest = borders.find(
        (border) =>
          isPadding(damaged.subarray(border)) &&
          bytes.subarray(0, border).equals(damaged.subarray(0, border)),
      );
      return output !== null && output.equals(expected as Buffer) === false && rest === undefined;
    });
    expect(silent.map(([name]) => name)).toEqual([]);
  },
  120_000,
);

function isPadding(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** Where the members of such a file begin, but for the first. */
function membersOf(bytes: Buffer): number[] {
  const magic = bytes.subarray(0, 4);
  const starts: number[] = [];
  for (let at = bytes.indexOf(magic, 1); at >= 0; at = bytes.indexOf(magic, at + 1))
    starts.push(at);
  return starts;
}
