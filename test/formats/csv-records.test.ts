import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Format, Mended } from "../../src/formats/format.ts";
import { formatOf, urlField } from "../../src/formats/index.ts";
import { RecordReader } from "../../src/formats/records.ts";
import { Scanner } from "../../src/formats/scan/scanner.ts";
import { readChunks } from "../../src/io/chunk-reader.ts";
import type { Source } from "../../src/io/source.ts";
import { MendedSource } from "../../src/io/sources/mended-source.ts";
import { RecordReader as LearnReader } from "../../src/learn/records/read-records.ts";
import { InputHeaders } from "../../src/runs/call/input-headers.ts";
import { Slots } from "../../src/threads/slots.ts";
import { expectEqual } from "../shared/equal.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { sourceOf } from "../shared/random-source.ts";
import { START } from "./whole.ts";

/** A table that Node and Python read alike: its rows, of which a header and an empty line have no second part. */
interface Case {
  readonly name: string;
  readonly delimiter?: string;
  /** The character that escapes quotes, which only Node reads. */
  readonly escapeChar?: string | undefined;
  /** The field of the URL, which a header names; the first one without a header. */
  readonly field?: string;
  readonly rows: readonly (readonly [text: string, url?: string | null])[];
  /** The doubtful quotes: the line, and the number of lines of the field or null. */
  readonly quotes: readonly (readonly [line: number, lines: number | null])[];
}

const CASES: Case[] = JSON.parse(
  readFileSync(new URL("../fixtures/csv.json", import.meta.url), "utf8"),
);
const ESCAPED: Case[] = [
  {
    name: "quotes and backslashes after a backslash",
    rows: [
      ['"say \\"hi\\"",c\n', 'say "hi"'],
      ['"a\\\\",b\n', "a\\"],
      ['"a\\\\\\"b",c\n', 'a\\"b'],
    ],
    quotes: [],
  },
  {
    name: "a backslash before other characters, which stays",
    rows: [
      ['"a\\b\\n",c\n', "a\\b\\n"],
      ['"\\N",c\n', "\\N"],
      ['"a\\\nb",c\n', "a\\\nb"],
    ],
    quotes: [],
  },
  {
    name: "a backslash without quotes, which means nothing",
    rows: [
      ["\\N,c\n", "\\N"],
      ['a\\,b,"c"\n', "a\\"],
      ['a\\"b,c\n', 'a\\"b'],
    ],
    quotes: [],
  },
  {
    name: "doubled quotes beside escaped ones",
    rows: [['"a""b\\"c",d\n', 'a"b"c']],
    quotes: [],
  },
  {
    name: "a quote that only an escaped one follows",
    rows: [
      ['"a\\",b\n', null],
      ["c,d\n", "c"],
    ],
    quotes: [[1, null]],
  },
  {
    name: "a backslash at the end",
    rows: [
      ["a,b\n", "a"],
      ['"c\\', null],
    ],
    quotes: [[2, null]],
  },
  {
    name: "text after a closing quote",
    rows: [
      ['"a\\"b"c,d\n', null],
      ["e,f\n", "e"],
    ],
    quotes: [],
  },
  {
    name: "a header with escaped quotes, and another character between fields",
    delimiter: ";",
    field: 'the "url"',
    rows: [['id;"the \\"url\\""\n'], ['1;"a;\\"b"\n', 'a;"b']],
    quotes: [],
  },
].map((one) => ({ ...one, escapeChar: "\\" }) as unknown as Case);

const latin1 = (text: string): string => Buffer.from(text).toString("latin1");

function formatFor({ field = "1", ...how }: Partial<Case>) {
  return formatOf("csv", { ...urlField("csv", { field }), ...how });
}

/** Returns the text of each row, with its URL if it is a record. */
function rowsIn(
  reader: RecordReader,
  text: Buffer,
  place = START as Parameters<typeof reader.read>[1],
) {
  const rows: (string | null)[][] = [];
  for (const { starts, kinds, urls, rows: count } of reader.read(text, place)) {
    const column = Buffer.from(urls.data).toString("latin1");
    for (let row = 0; row < count; row++) {
      const record = text.toString("latin1", starts[row], starts[row + 1]);
      const url = column.slice(urls.offsets[row], urls.offsets[row + 1]);
      const kind = kinds[row] as number;
      rows.push(kind === 6 ? [record] : [record, kind === 5 ? null : url]);
    }
  }
  return rows;
}

/** A source that gives a text in two pieces. */
function cutAt(cut: number, text: string): Source {
  const pieces = [text.slice(0, cut), text.slice(cut)].filter((piece) => piece !== "");
  return {
    taken: 0,
    read: async (into) =>
      into.length &&
      Buffer.from(into.buffer, into.byteOffset).write(pieces.shift() ?? "", "latin1"),
    close: async () => {},
  };
}

/** What a run reads of a table whose bytes come in pieces. */
function inPieces(one: Partial<Case>, text: string, random: Random, scans: boolean) {
  const source = sourceOf(Buffer.from(text, "latin1"), random);
  const size = random.pick([1, 3, 40, 1 + random.below(2000)]);
  return readBy(formatFor(one), source, size, scans);
}

/** What a run reads of a source, so many bytes at a time. */
async function readBy(format: Format, source: Source, size: number, scans: boolean) {
  const scanner = scans ? new Scanner() : null;
  const quotes: (number | null)[][] = [];
  const mended = new MendedSource(
    source,
    { format, scanner },
    (line, { lines }) => quotes.push([line, lines]),
    false,
  );
  const { boundary } = mended;
  const reading = { boundary, lastByte: 0x0a, maxLine: null, size, mended };
  const slots: Slots<ArrayBufferLike> = Slots.unshared(2, 64);
  const headers = new InputHeaders(format, null);
  headers.start("");
  const reader = new RecordReader(format, scans);
  const rows: unknown[] = [];
  for await (const chunk of readChunks(mended, "x", slots, reading)) {
    if (chunk.kind === "long") throw new Error("a line of no record");
    const bytes = Buffer.from(Buffer.from(chunk.slot.input, 0, chunk.length));
    rows.push(...rowsIn(reader, bytes, headers.placeOf(bytes)));
    slots.release(chunk.slot);
  }
  return { rows, quotes };
}

describe.each([...CASES, ...ESCAPED])("a table with $name (escape: $escapeChar)", (one) => {
  const rows = one.rows.map((row) => row.map((text) => text && latin1(text)));
  const text = rows.map(([record]) => record).join("");
  const isEnded = text.endsWith("\n");

  test.each([true, false])("is read as its rows (scanned: %s)", (scans) => {
    const format = formatFor(one);
    const reader = new RecordReader(format, scans);
    expect(rowsIn(reader, Buffer.from(text, "latin1"))).toEqual(rows);
  });

  test.each([true, false])("is read alike in pieces (scanned: %s)", async (scans) => {
    const random = new Random(58);
    const ended = isEnded
      ? rows
      : rows.with(-1, [`${rows.at(-1)?.[0]}\n`, rows.at(-1)?.[1] ?? null]);
    for (let round = 0; round < atLength(3, 200); round++) {
      const read = await inPieces(one, text, random, scans);
      expectEqual<unknown>(read, { rows: ended, quotes: one.quotes });
    }
  });

  // `learn` reads tables with commas, without escapes.
  if (one.delimiter !== undefined || one.escapeChar !== undefined) return;
  test("is learned from", () => {
    const random = new Random(58);
    const urls = rows.map(([, url]) => url).filter((url) => url != null && url !== "");
    for (let round = 0; round < atLength(3, 200); round++) {
      const reader = new LearnReader("csv", { field: one.field ?? "1" });
      const bytes = Buffer.from(text, "latin1");
      const cuts = [random.below(bytes.length + 1), random.below(bytes.length + 1)];
      const [first = 0, second = 0] = cuts.toSorted((a, b) => a - b);
      const records = [
        ...reader.push(bytes.subarray(0, first), false),
        ...reader.push(bytes.subarray(first, second), false),
        ...reader.push(bytes.subarray(second), true),
      ];
      expectEqual(
        records.map(({ url }) => latin1(url)),
        urls,
      );
      const open = one.quotes.filter(([, lines]) => lines === null).map(([line]) => line);
      const errors = reader.errors.filter(({ reason }) => reason === "a quote that is not closed");
      expect(errors.length).toBe(open.length);
    }
  });
});

/** The records of a text with commas, and the lines of quotes that are not closed, by expressions for fields. */
function model(text: string, escapes: boolean): { records: string[]; quotes: number[] } {
  const [inside, inLine] = escapes
    ? ['(?:[^"\\\\]|\\\\[^]|"")*', '(?:[^"\\\\\\n]|\\\\[^\\n]|"")*']
    : ['(?:[^"]|"")*', '(?:[^"\\n]|"")*'];
  const field = `(?:"${inside}"(?=,|\\r?\\n|\\r?$(?![^]))|"${inLine}"(?!")[^,\\n]*|[^",\\n][^,\\n]*|)`;
  const record = new RegExp(`((?:${field},)*)(?:${field}(?:\\r?\\n|\\r?$(?![^])))?`, "y");
  const records: string[] = [];
  const quotes: number[] = [];
  for (let at = 0; at < text.length; ) {
    record.lastIndex = at;
    const [whole = "", before = ""] = record.exec(text) ?? [];
    let end = at + whole.length;
    const isBroken = end === at + before.length && text[end] === '"';
    if (isBroken) {
      quotes.push(text.slice(0, end).split("\n").length);
      const newline = text.indexOf("\n", end);
      end = newline < 0 ? text.length : newline + 1;
    }
    records.push(text.slice(at, end));
    at = end;
  }
  return { records, quotes };
}

test.each([
  [undefined, []],
  ["\\", ["\\", '\\"', "\\", '\\\\"', "\\\n"]],
])(
  "hostile quotes are read as expressions of the grammar read them, cut at any byte (escape: %s)",
  async (escapeChar, more) => {
    const random = new Random(1958);
    const parts = ['"', '"', '"', '""', ",", "\n", "\n", "\r\n", "\r", "a", '"a"', 'b"', ' "', ";"];
    parts.push(...more);
    let open = 0;
    for (let round = 0; round < atLength(100, 10_000); round++) {
      const length = 1 + random.below(40);
      const text = `${Array.from({ length }, () => random.pick(parts)).join("")}\n`;
      const { records, quotes } = model(text, escapeChar !== undefined);
      open += quotes.length;
      for (const scans of [true, false]) {
        const whole = rowsIn(new RecordReader(formatFor({ escapeChar }), scans), Buffer.from(text));
        expectEqual([text, whole.map(([record]) => record)], [text, records]);
        const pieces = await inPieces({ escapeChar }, text, random, scans);
        expectEqual([text, pieces.rows], [text, whole]);
        expectEqual([text, pieces.quotes], [text, quotes.map((line) => [line, null])]);
      }
    }
    // With escapes, fewer quotes are open.
    const [short, long] = escapeChar === undefined ? [35, 4_000] : [30, 3_000];
    expect(open).toBeGreaterThan(atLength(short, long));
  },
);

describe("a row with a field of many lines before another field in quotes", () => {
  const rows = [`a,"${"\n".repeat(1001)}","b\nc"\n`, "d,e\n"];
  const text = rows.join("");
  const first = text.indexOf('"b');

  test.each([true, false])(
    "is one row, cut at any byte after the field (scanned: %s)",
    async (scans) => {
      for (let cut = first - 3; cut < text.length; cut++) {
        const read = await readBy(formatFor({}), cutAt(cut, text), text.length, scans);
        expectEqual(
          [cut, read],
          [
            cut,
            {
              rows: [
                [rows[0], "a"],
                [rows[1], "d"],
              ],
              quotes: [[1, 1002]],
            },
          ],
        );
      }
    },
  );

  test("is one row for learn, cut at any byte after the field", () => {
    for (let cut = first - 3; cut < text.length; cut++) {
      const reader = new LearnReader("csv", { field: "1" });
      const bytes = Buffer.from(text);
      const records = [
        ...reader.push(bytes.subarray(0, cut), false),
        ...reader.push(bytes.subarray(cut, cut + 2), false),
        ...reader.push(bytes.subarray(cut + 2), true),
      ];
      expectEqual([cut, records.map(({ url }) => url)], [cut, ["a", "d"]]);
    }
  });

  test("is looked at whole only when its bytes have doubled", async () => {
    const random = new Random(6);
    const long = `a,"${"x\n".repeat(1 << 16)}","${"y\n".repeat(1 << 17)}"\n`;
    const format = formatFor({});
    let looked = 0;
    const mend: Format["mend"] = (held, ...rest) => {
      looked += held.length;
      return format.mend?.(held, ...rest) as Mended;
    };
    const source = sourceOf(Buffer.from(long), random);
    const { rows } = await readBy({ ...format, mend }, source, 1 << 10, true);
    expect(rows.length).toBe(1);
    expect(looked).toBeLessThan(3 * long.length);
  });
});
