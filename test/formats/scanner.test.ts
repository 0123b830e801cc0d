import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ChunkPlace } from "../../src/formats/format.ts";
import { formatOf, urlField } from "../../src/formats/index.ts";
import { hasUrl, RecordKind, RecordReader } from "../../src/formats/records.ts";
import { Scanner } from "../../src/formats/scan/scanner.ts";
import { csvEndSearch } from "../../src/formats/tables/csv-records.ts";
import { prepare } from "../../src/normalizers.ts";
import type { Job, Slice } from "../../src/runs/call/job.ts";
import { ChunkProcessor } from "../../src/runs/rows/chunk-processor.ts";
import { toByteString } from "../../src/url/bytes.ts";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { expectEqual } from "../shared/equal.ts";
import { atLength, shareOf, testAtLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { hostileList, LINES, TABLES, type Table } from "./hostile-cases.ts";
import { START } from "./whole.ts";

/** A row of a text: its kind if it has no URL, else its URL and where that is. */
interface Row {
  readonly at: readonly (number | undefined)[];
  readonly is: number | readonly [string, number, number];
}

/** The most rows of a scan. */
const ROWS = 1 << 14;

/** The one case of each format whose long lists are scanned in short runs too. */
const LARGE = new Map([...TABLES, ...LINES].map((one) => [one.name, one]));

/** The rows that a scanner has found by itself, of all texts. */
let plainRows = 0;

/** Returns what a reader makes of a text: of each row its place, its kind, and its URL with the place of that. */
function rowsOf(reader: RecordReader, text: Buffer, place: ChunkPlace): Row[] {
  const rows: Row[] = [];
  for (const records of reader.read(text, place)) {
    const { rows: count, starts, froms, tos, kinds, urls } = records;
    const column = toByteString(urls.data);
    // For more rows the scanner has no room.
    if (records.scanner !== null) expect(count).toBeLessThanOrEqual(ROWS);
    for (let row = 0; row < count; row++) {
      const kind = kinds[row] as number;
      const at = [starts[row], starts[row + 1]];
      if (!hasUrl(kind)) {
        rows.push({ at, is: kind });
        continue;
      }
      const url = column.slice(urls.offsets[row], urls.offsets[row + 1]);
      const [from, to] = [froms[row] as number, tos[row] as number];
      // What is copied as it is must be the URL.
      if (kind === RecordKind.PLAIN) {
        plainRows++;
        const field = text.toString("latin1", from, to);
        // Of each of 24,000 rows, without an assertion, which takes longer than the scan.
        if (!field.includes(url)) expect(field).toContain(url);
      }
      rows.push({ at, is: [url, from, to] });
    }
  }
  return rows;
}

describe.each([...TABLES, ...LINES])("$name with $field by $header", (one) => {
  const { name, field, header, delimiter, ...lines } = one;
  const largeTest = LARGE.get(name) === one ? test : testAtLength;
  const format = formatOf(name, {
    ...urlField(name, {
      field,
      ...(header !== undefined && name !== "cdx" ? { header: true } : {}),
    }),
    delimiter,
  });
  const places: ChunkPlace[] =
    header === undefined
      ? [START, { header: null, isStart: false }]
      : [START, { header, isStart: false }, { header, isStart: name !== "cdx" }];

  test("is scanned as it is read", () => {
    const random = new Random(35);
    const scanned = new RecordReader(format, true);
    const read = new RecordReader(format, false);
    plainRows = 0;
    for (let round = 0; round < atLength(40, 1_500, 10_000); round++) {
      const place = random.pick(places);
      const begin =
        place.isStart && header !== undefined ? `${random.pick(["", "\n"])}${header}\n` : "";
      const list = begin + hostileList(lines, random) + hostileList(lines, random);
      const text = Buffer.from(random.chance(9) ? list.slice(0, -1) : list, "latin1");
      const outcome = (reader: RecordReader): unknown => {
        try {
          return rowsOf(reader, text, place);
        } catch (error) {
          return (error as Error).message;
        }
      };
      expectEqual(outcome(scanned), outcome(read));
    }
    // Otherwise the scanner left all rows to the reader.
    if (!(name === "cdx" && field === "S")) expect(plainRows).toBeGreaterThan(20);
  });

  largeTest("is scanned as it is read where one scan has no room for all rows", () => {
    const random = new Random(53);
    const piece = Array.from({ length: 20 }, () => hostileList(lines, random)).join("");
    const text = Buffer.from(
      piece.repeat(Math.ceil(atLength(21_000, 24_000) / piece.split("\n").length)),
      "latin1",
    );
    const [scanned, read] = [true, false].map((scans) =>
      rowsOf(new RecordReader(format, scans), text, places[1] as ChunkPlace),
    );
    expectEqual(scanned, read);
    expect(scanned?.length).toBeGreaterThan(ROWS);
  });
});

/** Returns the kinds of the rows of a text, as the scanner finds them. */
function kindsOf(
  name: "csv" | "tsv" | "jsonl" | "cdxj",
  field: string,
  header: string | null,
  text: string,
) {
  const format = formatOf(name, { ...urlField(name, { field }), delimiter: undefined });
  const records = new RecordReader(format, true).read(Buffer.from(text), {
    header,
    isStart: false,
  });
  return [...records].flatMap(({ rows, kinds }) => [...kinds.subarray(0, rows)]);
}

const { PLAIN, QUOTED, MISSING } = RecordKind;

// A row that the scanner leaves is READ, which takes many times as long.
test.each([
  [
    "csv",
    "url",
    "id,url,x",
    '1,http://a/,2\n"1","http://a/","2"\r\n,http://a/,"a,""b"""\n',
    [PLAIN, QUOTED, PLAIN],
  ],
  [
    "csv",
    "url",
    "id,url",
    '1,"http://a/"\n1,"http://a/"\r\n"1",http://a/\r\n',
    [QUOTED, QUOTED, PLAIN],
  ],
  ["csv", "url", "url", '"http://a/"\nhttp://a/\n"http://a/"\r\n', [QUOTED, PLAIN, QUOTED]],
  ["tsv", "url", "id\turl\tx", "1\thttp://a/\t\n\thttp://a/?b\t2\r\n", [PLAIN, PLAIN]],
  [
    "jsonl",
    "url",
    null,
    '{"url":"http://a/"}\n{ "a" : [ 1, {} ], "url" : "http://a/" } \r\n{"b":true}\n',
    [PLAIN, PLAIN, MISSING],
  ],
  [
    "jsonl",
    "a.1.url",
    null,
    '{"a":[null,{"url":"http://a/"}]}\n{"a":[{"url":1},{"b":false}]}\n',
    [PLAIN, MISSING],
  ],
  ["cdxj", "url", null, 'a,b)/ 2020 {"url": "http://b.a/", "status": "200"}\n', [PLAIN]],
] as const)(
  "the scanner finds plain rows of %s itself: %s of %j",
  (name, field, header, text, kinds) => {
    expect(kindsOf(name, field, header, text)).toEqual(kinds);
  },
);

test("the scanner reads all that JSON may hold beside a URL", () => {
  const limits = [0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xcfff, 0xd000, 0xd7ff, 0xe000, 0xffff];
  const planes = [0x10000, 0x3ffff, 0x40000, 0xfffff, 0x100000, 0x10ffff];
  const values = [
    ...[...limits, ...planes].map((code) => `"a${String.fromCodePoint(code)}b"`),
    ...[...'"\\/bfnrt'].map((letter) => `"\\${letter}"`),
    ...[
      "0",
      "-0",
      "1.5",
      "-12.05e3",
      "1E+2",
      "2e-9",
      '"\\u00Af"',
      "{}",
      "[]",
      "[[{}],0]",
      "true",
      "false",
      "null",
    ],
  ];
  const text = values.map((value) => `{"a":${value},"url":"http://a/"}\n`).join("");
  expect(kindsOf("jsonl", "url", null, text)).toEqual(values.map(() => PLAIN));
});

test("the scanner takes no member for another whose name is as long, or begins as the other", () => {
  const names = ["u", "ur", "uri", "lru", "URL", "urla", "aurl", "url.a", ""];
  const text = names.map((name) => `{"${name}":"http://a/"}\n`).join("");
  expect(kindsOf("jsonl", "url", null, text)).toEqual(names.map(() => RecordKind.MISSING));
});

test("the scanner takes nothing beside a URL that JSON may not hold", () => {
  const nearHex = ["/", ":", "@", "G", "`", "g"].flatMap((byte) =>
    [0, 1, 2, 3].map((at) => `"\\u${"0000".slice(0, at)}${byte}${"0000".slice(at + 1)}"`),
  );
  const values = [
    ...nearHex,
    ...[
      "",
      "01",
      "-",
      "--1",
      "+1",
      "1.",
      ".5",
      "1.e1",
      "1e",
      "1e+",
      "1x",
      "tru",
      "truth",
      "nul",
      "fals",
    ],
    ...[
      '"\\x"',
      '"\\',
      '"\u001f"',
      "'a'",
      "[1,]",
      "[,1]",
      "[1 2]",
      "{,}",
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      "{1:2}",
    ],
    ...["[}", "{]", "a"],
  ];
  const text = values.map((value) => `{"a":${value},"url":"http://a/"}\n`).join("");
  expect(kindsOf("jsonl", "url", null, text)).toEqual(values.map(() => RecordKind.MALFORMED));
});

test.each(ENGINES)("rows that are as many as a scan may have are written (%s)", async (engine) => {
  const errors = join(tempFolder(), "errors");
  // So short that a chunk has more of them. The last and the first rows of scans are no URLs.
  const isUrl = Array.from({ length: 40_000 }, (_, row) => (row + 1) % ROWS > 1);
  const formats = [
    ["csv", ["X:a", "no"], ["X:a,x:a", "no,"]],
    ["tsv", ["X:a", "no"], ["X:a\tx:a", "no\t"]],
    [
      "jsonl",
      ['{"url":"X:a"}', '{"url":"no"}'],
      ['{"url":"X:a","normalized_url":"x:a"}', '{"url":"no","normalized_url":null}'],
    ],
  ] as const;
  for (const [format, [url, other], written] of shareOf(formats, engine)) {
    const flags = ["--format", format, "--engine", engine, "--errors", errors, "--emit", "both"];
    if (format !== "jsonl") flags.push("--field", "1");
    const text = isUrl.map((is) => `${is ? url : other}\n`).join("");
    const { stdout } = await runCli(["normalize", "-q", ...flags], text);
    const expected = isUrl.map((is) => `${written[is ? 0 : 1]}\n`).join("");
    expect(Buffer.compare(Buffer.from(stdout), Buffer.from(expected))).toBe(0);
    expect(readFileSync(errors, "utf8")).toBe(
      isUrl.map((is, row) => (is ? "" : `${row + 1}\tNO_SCHEME\tno\n`)).join(""),
    );
  }
});

test("the ends of CSV records are found alike in pieces that are cut at any byte, in any state", () => {
  const random = new Random(36);
  // No scan of rows has told this scanner what is between fields.
  const fresh = new Scanner();
  for (let round = 0; round < atLength(300, 20_000, 100_000); round++) {
    const text = Buffer.from(hostileList(TABLES[0] as Table, random), "latin1");
    const piece = text.subarray(random.below(text.length), 1 + random.below(text.length));
    const state = random.below(3);
    const separator = random.pick([",", ";"]).charCodeAt(0);
    const search = csvEndSearch({ separator, escapes: false });
    expectEqual(search(piece, state, fresh), search(piece, state, null));
  }
});

describe.each([...TABLES, ...LINES])(
  "$name with $field by $header",
  ({ name, field, header, delimiter, ...lines }) => {
    const options = { field, ...(header !== undefined && name !== "cdx" ? { header: true } : {}) };
    const { setup } = prepare({ preset: "crawl" });
    const fingerprintKey = new Uint8Array(16).fill(7);

    test("is written alike after a scan", () => {
      const random = new Random(37);
      for (let round = 0; round < atLength(3, 100, 300); round++) {
        const dedupes = random.chance(2);
        const job: Job = {
          format: name,
          field: { ...urlField(name, options), delimiter },
          base: undefined,
          onError: random.pick(["keep", "empty", "fail"]),
          emit: random.pick(dedupes ? ["original", "normalized", "both"] : ["normalized", "both"]),
          form: random.pick(["url", "url", "surt", "unicode", "crawlee"]),
          fingerprintKey: dedupes ? fingerprintKey : null,
          value: null,
          also: null,
          maps: false,
          lists: true,
          counts: true,
          filter: null,
          shows: false,
        };
        const [scanned, read] = [setup, { ...setup, engine: "js" as const, module: null }].map(
          (each) => new ChunkProcessor(each, job),
        ) as [ChunkProcessor, ChunkProcessor];
        for (let list = 0; list < 10; list++) {
          const begin = header === undefined ? "" : `${header}\n`;
          const text = begin + hostileList(lines, random) + hostileList(lines, random);
          expectEqual(written(scanned, text), written(read, text));
        }
      }
    });
  },
);

/** Returns all that a processor makes of a text. */
function written(processor: ChunkProcessor, text: string): unknown {
  const input = new SharedArrayBuffer(text.length);
  Buffer.from(input).write(text, "latin1");
  const task = { input, output: new SharedArrayBuffer(0), length: text.length, place: START };
  try {
    const { output, text: all, rowsToMerge, ...counts } = processor.run(task);
    const bytes = (slice: Slice | null): Buffer | null =>
      slice && Buffer.from(Buffer.from(output, slice.at, slice.bytes));
    if (rowsToMerge !== null) {
      const { starts } = rowsToMerge;
      const [end] = new Int32Array(output, starts.at + starts.bytes - 4, 1);
      expect(end).toBeLessThanOrEqual(rowsToMerge.text?.bytes ?? text.length);
    }
    const rows = Object.entries(rowsToMerge ?? {}).map(([name, slice]) => [name, bytes(slice)]);
    return { text: bytes(all), rows, counts };
  } catch (error) {
    return (error as Error).message;
  }
}
