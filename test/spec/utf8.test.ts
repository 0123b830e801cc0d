import { expect, test } from "vitest";
import { URL as ReferenceUrl } from "whatwg-url";
import { type Normalizer, Status } from "../../src/index.ts";
import { fromColumn, toColumn } from "../shared/columns.ts";
import { describeEngines } from "../shared/engines.ts";

/** A lead of each length, and those whose second byte has other limits (Unicode 3.9, table 3-7). */
const LEADS: readonly (readonly [lead: number, length: number])[] = [
  ...[0xc1, 0xc2, 0xc3, 0xdf].map((lead) => [lead, 2] as const),
  ...[0xe0, 0xe1, 0xe2, 0xec, 0xed, 0xee, 0xef].map((lead) => [lead, 3] as const),
  ...[0xf0, 0xf1, 0xf3, 0xf4, 0xf5].map((lead) => [lead, 4] as const),
];
/** The bytes beside the limits of a continuation, and those of E0, ED, F0 and F4. */
const EDGES = [0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0];

/** Bytes alone, each lead with an edge at one place and a good continuation at the others, and one that ends too early. */
const SEQUENCES: readonly Buffer[] = [0x80, 0xbf, 0xc0, 0xff]
  .map((byte) => Buffer.of(byte))
  .concat(
    LEADS.flatMap(([lead, length]) => [
      Buffer.from([lead, ...Array<number>(length - 2).fill(0x90)]),
      ...Array.from({ length: length - 1 }, (_, at) =>
        EDGES.map((edge) => {
          const bytes = Buffer.alloc(length, lead === 0xe0 ? 0xa4 : 0x90).fill(lead, 0, 1);
          if (at > 0 && lead === 0xed) bytes[1] = 0x82;
          if (at > 0 && lead === 0xf4) bytes[1] = 0x82;
          bytes[at + 1] = edge;
          return bytes;
        }),
      ).flat(),
    ]),
  );

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns the text of bytes; null if they are not UTF-8. Node's decoder is the second opinion. */
function decoded(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Returns what the URL Standard makes of a URL; null if it refuses it. Node's parser has older Unicode tables. */
function hrefOf(url: string): string | null {
  try {
    return new ReferenceUrl(url).href;
  } catch {
    return null;
  }
}

const triplets = (bytes: Buffer): string => bytes.toString("hex").replaceAll(/../g, "%$&");
const hex = (bytes: Buffer): string => bytes.toString("hex");

/** Returns the status of a URL, whose bytes are given as characters, alone in a column. */
function statusOf(n: Normalizer, url: string): number {
  return n.normalizeColumn(toColumn([url])).status[0] as number;
}

test("the table of sequences has both sides of each limit", () => {
  const valid = SEQUENCES.filter((bytes) => decoded(bytes) !== null).map(hex);
  for (const edge of ["c280", "dfbf", "e0a0a4", "ed9f90", "f0909090", "f48f9090"]) {
    expect(valid).toContain(edge);
  }
  for (const edge of ["c1bf", "e09fa4", "eda090", "f08f9090", "f4909090", "f5808080"]) {
    expect(valid).not.toContain(edge);
  }
});

describeEngines("bytes at the limits of UTF-8", (create) => {
  const n = create();
  const raw = (bytes: Buffer): string => bytes.toString("latin1");
  const wrong = (isWrong: (bytes: Buffer) => boolean) => SEQUENCES.filter(isWrong).map(hex);

  test("in triplets of a host, do what the URL Standard says", () => {
    expect(
      wrong((bytes) => {
        const url = `http://a${triplets(bytes)}b/`;
        const result = n.tryNormalize(url);
        // A browser puts U+FFFD for what is not UTF-8, and no host may hold it.
        return (result.ok ? result.url : null) !== hrefOf(url);
      }),
    ).toEqual([]);
    expect(
      wrong((bytes) => {
        const isRefused = statusOf(n, `http://a${triplets(bytes)}b/`) === Status.BAD_HOST;
        return decoded(bytes) === null && !isRefused;
      }),
    ).toEqual([]);
  });

  test("raw in a host, do what their triplets do", () => {
    expect(
      wrong((bytes) => {
        const status = statusOf(n, `http://a${raw(bytes)}b/`);
        return status !== statusOf(n, `http://a${triplets(bytes)}b/`);
      }),
    ).toEqual([]);
  });

  test("raw in a host of another scheme, are refused exactly where they are not UTF-8", () => {
    expect(
      wrong((bytes) => {
        const isRefused = statusOf(n, `x://a${raw(bytes)}b/`) === Status.BAD_HOST;
        return isRefused !== (decoded(bytes) === null);
      }),
    ).toEqual([]);
  });

  test("raw in a path, become triplets whether they are UTF-8 or not", () => {
    const urls = SEQUENCES.map((bytes) => `http://h/${raw(bytes)}`);
    const expected = SEQUENCES.map((bytes) => `http://h/${triplets(bytes).toUpperCase()}`);
    expect(fromColumn(n.normalizeColumn(toColumn(urls)))).toEqual(expected);
  });
});
