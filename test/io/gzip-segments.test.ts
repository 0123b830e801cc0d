import { gzipSync, type ZlibOptions } from "node:zlib";
import { describe, expect, test } from "vitest";
import { gunzip } from "../../src/io/compression/gzip.ts";
import type { ReadRange } from "../../src/io/compression/gzip-members.ts";
import { gunzipSegments } from "../../src/io/compression/gzip-segments.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const STORED: ZlibOptions = { level: 0 };

function rangesOf(file: Uint8Array, piece: number): ReadRange {
  return async function* (start, end) {
    for (let at = start; at < Math.min(end, file.length); at += piece) {
      yield file.subarray(at, Math.min(at + piece, end));
    }
  };
}

/** Returns the content of a file up to its end or to an error, and the error. */
async function outcome(
  content: AsyncIterable<Uint8Array>,
): Promise<{ bytes: Buffer; error: string }> {
  const pieces: Uint8Array[] = [];
  let error = "";
  try {
    for await (const piece of content) pieces.push(Buffer.from(piece));
  } catch (thrown) {
    error = (thrown as Error).message;
  }
  return { bytes: Buffer.concat(pieces), error };
}

/** Expects the same of a file by segments as from the first byte to the last. Returns the number of ranges that were read. */
async function expectSame(file: Uint8Array, shortest: number, piece = 1 << 16): Promise<number> {
  let ranges = 0;
  const read: ReadRange = (start, end) => {
    ranges++;
    return rangesOf(file, piece)(start, end);
  };
  const whole = await outcome(gunzip(rangesOf(file, piece)(0, file.length)));
  const parts = await outcome(gunzipSegments(read, { shortest }));
  expect(parts.error).toBe(whole.error);
  // What comes before an error is a true beginning; how much that is depends on the pieces.
  const length =
    whole.error === "" ? whole.bytes.length : Math.min(whole.bytes.length, parts.bytes.length);
  expect(parts.bytes.subarray(0, length).equals(whole.bytes.subarray(0, length))).toBe(true);
  if (whole.error === "") expect(parts.bytes.length).toBe(whole.bytes.length);
  return ranges;
}

/** Text that compresses somewhat, or bytes that do not. */
function contentOf(random: Random, length: number): Buffer {
  const isText = random.below(2) === 0;
  return Buffer.from(
    Array.from({ length }, () => (isText ? 97 + random.below(8) : random.below(256))),
  );
}

/** A file of members of random lengths. Some contain whole gzip files, with and without compression. */
function membersOf(random: Random, count: number, depth = 0): Buffer {
  return Buffer.concat(
    Array.from({ length: count }, () => {
      const isNested = depth < 2 && random.below(4) === 0;
      const content = isNested
        ? membersOf(random, 1 + random.below(5), depth + 1)
        : contentOf(random, random.below(random.below(2) === 0 ? 200 : 3000));
      return gzipSync(content, random.below(2) === 0 ? STORED : {});
    }),
  );
}

describe("a gzip file that is read in segments", () => {
  test("gives the content of any members, also of gzip files within members", async () => {
    const random = new Random(11);
    for (let round = 0; round < atLength(4, 300); round++) {
      const file = membersOf(random, 1 + random.below(40));
      await expectSame(file, 1 + random.below(2000), 1 + random.below(5000));
    }
  });

  test("is read in more than one segment", async () => {
    const file = Buffer.concat(
      Array.from({ length: 50 }, (_, at) => gzipSync(`member ${at}\n`.repeat(200))),
    );
    expect(await expectSame(file, 300)).toBeGreaterThan(10);
  });

  test("is refused where it is cut, damaged or padded within, as it is without segments", async () => {
    const random = new Random(12);
    for (let round = 0; round < atLength(12, 600); round++) {
      const file = membersOf(random, 2 + random.below(12));
      const at = random.below(file.length);
      const kind = random.below(4);
      if (kind === 0) await expectSame(file.subarray(0, at), 1 + random.below(500));
      if (kind === 1) {
        file[at] = (file[at] as number) ^ (1 << random.below(8));
        await expectSame(file, 1 + random.below(500));
      }
      const zeros = Buffer.alloc(1 + random.below(600));
      if (kind === 2) await expectSame(Buffer.concat([file, zeros]), 1 + random.below(500));
      if (kind === 3) await expectSame(Buffer.concat([file, zeros, file]), 1 + random.below(500));
    }
  });

  test("takes time by its length, if it is a member that contains a file of many members", async () => {
    const inner = Buffer.concat(
      Array.from({ length: 3000 }, (_, at) => gzipSync(`inner ${at}`, STORED)),
    );
    const file = Buffer.concat([gzipSync(inner, STORED), gzipSync("after")]);
    expect(await expectSame(file, 64)).toBeLessThan(200);
  });

  test("is read ahead, and closed, when its reader stops", async () => {
    const file = Buffer.concat(Array.from({ length: 50 }, () => gzipSync("x".repeat(500))));
    const positions: number[] = [];
    const content = gunzipSegments(rangesOf(file, 64), {
      reached: (position) => positions.push(position),
      shortest: 100,
    });
    expect((await content.next()).done).toBe(false);
    await content.return();
    const read = positions.length;
    await new Promise(setImmediate);
    expect(Math.max(...positions)).toBeLessThan(file.length);
    expect(positions.length).toBeLessThanOrEqual(read + 3);
  });
});
