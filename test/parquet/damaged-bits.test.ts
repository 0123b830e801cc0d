// At full length only: it damages files.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parquetMetadata } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { expect, test } from "vitest";
import { UrlmillError } from "../../src/base/errors.ts";
import { IoError } from "../../src/io/io-error.ts";
import { checksumOf } from "../../src/parquet/stored-pages.ts";
import { atLength } from "../shared/length.ts";
import { readParquet, writeColumns } from "../shared/parquet.ts";
import { type CopyOptions, copyParquet } from "../shared/parquet-copy.ts";
import { CHECKSUM_FILE, SPARK_FILE } from "../shared/parquet-files.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const IN = join(folder, "in.parquet");
const OUT = join(folder, "out.parquet");

/** Copies a file. Returns the bytes that were written, or the message of an error that names the file. */
async function copied(file: Uint8Array, options: CopyOptions): Promise<Uint8Array | string> {
  writeFileSync(IN, file);
  try {
    return await copyParquet([IN], options);
  } catch (error) {
    const isTold = error instanceof IoError || error instanceof UrlmillError;
    if (!isTold || !error.message.includes(IN)) throw error;
    return error.message;
  }
}

/** Reads the URLs of written bytes, and no other column: a header without a checksum can make one of them unreadable. */
async function urlsOf(bytes: Uint8Array): Promise<unknown[]> {
  writeFileSync(OUT, bytes);
  return (await readParquet(OUT, ["url"])).rows.map(({ url }) => url);
}

function flipped(file: Uint8Array, bit: number): Uint8Array {
  const bytes = new Uint8Array(file);
  bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
  return bytes;
}

/** Lists the pages of a file: where their headers and their contents begin and end, and their checksums. */
function pagesOf(file: Uint8Array) {
  const buffer = new Uint8Array(file).buffer;
  const pages: { header: number; content: number; end: number; crc: number | undefined }[] = [];
  for (const { columns } of parquetMetadata(buffer).row_groups) {
    for (const { meta_data: meta } of columns) {
      if (meta === undefined) throw new Error("a chunk has no metadata");
      const start = Number(meta.dictionary_page_offset ?? meta.data_page_offset);
      const reader = { view: new DataView(buffer), offset: start };
      while (reader.offset < start + Number(meta.total_compressed_size)) {
        const header = reader.offset;
        const { compressed_page_size, crc } = parquetHeader(reader);
        const content = reader.offset;
        reader.offset += compressed_page_size;
        pages.push({ header, content, end: reader.offset, crc });
      }
    }
  }
  return pages;
}

const MODES: [string, CopyOptions][] = [
  ["the URLs are written again", {}],
  ["all pages are copied", { emit: "original" }],
  ["half of the rows are kept", { halves: true }],
];

test.each(MODES)(
  "a flipped bit of a footer is an error, or each row has its URL: %s",
  async (_, mode) => {
    for (const file of [CHECKSUM_FILE, SPARK_FILE]) {
      const outcomes = { refused: 0, read: 0 };
      const expected = await urlsOf((await copied(file, mode)) as Uint8Array);
      const start = file.length - 8 - file.readUInt32LE(file.length - 8);
      for (let bit = 8 * start; bit < 8 * file.length; bit += atLength(97, 3, 1)) {
        const bytes = flipped(file, bit);
        const result = await copied(bytes, mode);
        if (typeof result === "string") {
          outcomes.refused++;
          expect(result).not.toMatch(/undefined|not a function|DataView|bounds/);
        } else {
          outcomes.read++;
          const at = `byte ${(bit >> 3) - start} of the footer, bit ${bit & 7}`;
          expect(await urlsOf(result).catch(String), at).toEqual(expected);
        }
      }
      expect(Math.min(outcomes.refused, outcomes.read)).toBeGreaterThan(5);
    }
  },
  600_000,
);

test.each(MODES)(
  "a flipped bit of a page with a checksum is an error that names it: %s",
  async (_, mode) => {
    const pages = pagesOf(CHECKSUM_FILE);
    const random = new Random(32);
    for (let round = 0; round < atLength(8, 1_000, 3_000); round++) {
      const page = pages[random.below(pages.length)] as (typeof pages)[number];
      const bit = 8 * page.content + random.below(8 * (page.end - page.content));
      expect(await copied(flipped(CHECKSUM_FILE, bit), mode)).toMatch(
        /it is damaged \(column (?:url|even|n) of row group [12]: page [12]: its checksum is wrong\)$/,
      );
    }
  },
  600_000,
);

test.each(MODES)(
  "a flipped bit of a page's header is an error, or each row has its URL: %s",
  async (_, mode) => {
    const expected = await urlsOf((await copied(CHECKSUM_FILE, mode)) as Uint8Array);
    const outcomes = { refused: 0, read: 0 };
    for (const { header, content } of pagesOf(CHECKSUM_FILE)) {
      for (let bit = 8 * header; bit < 8 * content; bit += atLength(41, 3, 1)) {
        const result = await copied(flipped(CHECKSUM_FILE, bit), mode);
        if (typeof result === "string") {
          outcomes.refused++;
          expect(result).not.toMatch(/undefined|not a function|DataView|bounds/);
        } else {
          outcomes.read++;
          const urls = await urlsOf(result).catch(String);
          expect(urls, `byte ${bit >> 3}, bit ${bit & 7}`).toEqual(expected);
        }
      }
    }
    expect(Math.min(outcomes.refused, outcomes.read)).toBeGreaterThan(5);
  },
  600_000,
);

test.each([...MODES, ["keys are added", { emit: "both" }] as [string, CopyOptions]])(
  "pages have checksums again if those of the input had them: %s",
  async (_, mode) => {
    const written = (await copied(CHECKSUM_FILE, mode)) as Uint8Array;
    const pages = pagesOf(written);
    expect(pages.length).toBeGreaterThan(5);
    for (const { content, end, crc } of pages) {
      expect(crc).toBe(checksumOf(written.subarray(content, end)));
    }
    const columns = [{ name: "url", data: ["HTTP://a/", "HTTP://b/"], type: "STRING" }] as const;
    const without = readFileSync(writeColumns(join(folder, "without.parquet"), columns));
    for (const { crc } of pagesOf((await copied(without, mode)) as Uint8Array)) {
      expect(crc).toBeUndefined();
    }
    await expect(urlsOf(written)).resolves.toHaveLength(mode.halves === true ? 30 : 60);
  },
);

test("a file of Spark, which names BIT_PACKED for levels that are not there, is read", async () => {
  const written = (await copied(SPARK_FILE, {})) as Uint8Array;
  expect(await urlsOf(written)).toEqual(["http://a/", null, "http://a/"]);
});

// Each changes the byte after some others in the footer of the file of Spark.
test.each([
  [
    "the rows of the file",
    "url%\0L\x1c\0\0\0\x16",
    0x04,
    "its row groups have 3 rows, and its footer says 2",
  ],
  ["a column that may be null", "\x15\x0c%", 0, "has 1 nulls, and its schema allows none"],
  ["a repetition", "\x15\x0c%", 0x12, "its schema: the repetition 9 is not known"],
  [
    "the values of a chunk",
    "\x19\x18\x03url\x15\0\x16",
    0x04,
    "column url of row group 1 has 2 values, and the row group 3 rows",
  ],
])("%s: a wrong number is named", async (_, before, byte, message) => {
  const bytes = new Uint8Array(SPARK_FILE);
  const at = SPARK_FILE.lastIndexOf(before, undefined, "latin1");
  expect(at).toBeGreaterThan(0);
  bytes[at + before.length] = byte;
  expect(await copied(bytes, {})).toContain(message);
});
