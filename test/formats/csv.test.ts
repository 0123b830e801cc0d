import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { formatOf, urlField } from "../../src/formats/index.ts";
import { DOUBTFUL } from "../../src/formats/scan/layout.ts";
import { RecordReader } from "../../src/learn/records/read-records.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { cutAtRandom, START } from "./whole.ts";

const byColumn = (field: string, header = false) =>
  formatOf("csv", urlField("csv", { field, header }));

/** The URL of each record, or what it is instead; the records' text must be the whole. */
function read(text: string, field = "1", header = false) {
  const records = byColumn(field, header).read(text, START);
  expect(records.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
  return records.map(({ kind, url }) => (kind === "url" ? url : `<${kind}>`));
}

test.each<[string, string, string[]]>([
  ["fields between commas", "a,b\nc,d\n", ["a", "c"]],
  [
    "commas, line ends and quotes in quotes",
    '"a,b",1\n"a\nb",1\n"a\r\nb",1\n"a ""b""",1\n',
    ["a,b", "a\nb", "a\r\nb", 'a "b"'],
  ],
  ["CR LF, and an empty field", 'a,b\r\n,b\r\n"",b\r\n', ["a", "", ""]],
  ["a quote inside a field without quotes", 'a"b,c\na"",c\n', ['a"b', 'a""']],
  ["text after a closing quote", '"a"b,c\n"a" ,c\nd,e\n', ["<malformed>", "<malformed>", "d"]],
  ["a quote that is not closed", 'a,b\n"c,d\ne,f\n', ["a", "<malformed>", "e"]],
  ["empty lines", "a\n\n\r\nb\n", ["a", "<header>", "<header>", "b"]],
])("reads %s", (_, text, urls) => expect(read(text)).toEqual(urls));

test("a key is quoted where it must be, and nothing else changes", () => {
  const format = byColumn("2");
  const text = '"1, 2" ,"http://a/" , "x"\n';
  const [record] = format.read('"1, 2",  http://a/ ,"x"\n', START);
  expect(record?.url).toBe("  http://a/ ");
  expect(format.read(text, START)[0]?.kind).toBe("malformed");
  expect(format.quote("http://a/b")).toBe("http://a/b");
  expect(format.quote("http://a/b,c")).toBe('"http://a/b,c"');
  expect(format.append('1,"a\nb"\r\n', "http://a/,")).toBe('1,"a\nb","http://a/,"\r\n');
  expect(format.appendToHeader("id,url\r\n", "normalized_url")).toBe("id,url,normalized_url\r\n");
});

test("a header may be quoted, and names its columns", () => {
  expect(read('"id","page ""url"""\n1,a\n', 'page "url"', true)).toEqual(["<header>", "a"]);
  expect(() => read("id,uri\n1,a\n", "url", true)).toThrow(
    'no column "url" in the CSV header; the columns are id, uri',
  );
  expect(() => read('id,"url" x\n1,a\n', "url", true)).toThrow(
    "the CSV header cannot be read: text after the closing quote of a field",
  );
});

/** Rows of hostile fields, as RFC 4180 writes them; now and then quoted without need. */
function table(
  random: Random,
  rows: number,
  columns: number,
): { text: string; fields: string[][] } {
  const parts = ["a", ",", '"', "\n", "\r\n", "\r", " ", "\u00e9", "http://a/?x=1", "", "\t", ";"];
  const end = random.pick(["\n", "\r\n"]);
  const fields = Array.from({ length: rows }, () =>
    Array.from({ length: columns }, () =>
      Array.from({ length: random.below(4) }, () => random.pick(parts)).join(""),
    ),
  );
  const written = fields.map((row) =>
    row
      .map((field) =>
        /[",\r\n]/.test(field) || random.chance(4) ? `"${field.replaceAll('"', '""')}"` : field,
      )
      .join(","),
  );
  return { text: Buffer.from(`${written.join(end)}${end}`).toString("latin1"), fields };
}

describe("hostile tables", () => {
  const random = new Random(4180);

  test("are read as a parser of another hand reads them, cut at any byte", () => {
    for (let round = 0; round < atLength(100, 5_000); round++) {
      const columns = 2 + random.below(4);
      const { text } = table(random, 1 + random.below(6), columns);
      const bytes = Buffer.from(text, "latin1");
      const model = parse(bytes, { relax_column_count: true, encoding: "utf8" }) as string[][];
      const column = random.below(columns);
      const urls = read(text, String(column + 1)).filter((url) => url !== "<header>");
      const expected = model.map((row) => Buffer.from(row[column] as string).toString("latin1"));
      expect(urls).toEqual(expected);

      const pieces = cutAtRandom(byColumn("1"), text, random);
      expect(pieces.join("")).toBe(text);
      const again = pieces.flatMap((piece) => read(piece, String(column + 1)));
      expect(again.filter((url) => url !== "<header>")).toEqual(urls);
    }
  });

  test("are learned from as they are deduped", () => {
    for (let round = 0; round < atLength(50, 2_000); round++) {
      const { text } = table(random, 1 + random.below(6), 3);
      const whole = `a,url,b\n${text}`;
      const reader = new RecordReader("csv");
      const bytes = Buffer.from(whole, "latin1");
      const cut = random.below(bytes.length);
      const records = [
        ...reader.push(Uint8Array.from(bytes.subarray(0, cut)), false),
        ...reader.push(bytes.subarray(cut), true),
      ];
      const urls = read(whole, "url", true).filter((url) => !/^(<.*>)?$/.test(url));
      expect(records.map(({ url }) => Buffer.from(url).toString("latin1"))).toEqual(urls);
    }
  });

  test("take time by their length, whatever is in them", () => {
    for (const part of ['"', '""', '",', ',"', '"\n', "\n", ",", '"a"b,', 'a"']) {
      const text = `${part.repeat(atLength(30_000, 300_000))}\n`;
      const records = byColumn("1").read(text, START);
      expect(records.at(-1)?.end).toBe(text.length);
      // Only a search that goes on knows a quote that is not closed.
      const end = byColumn("1").boundary()(Buffer.from(text), 0);
      const ends = [0, DOUBTFUL, ...records.map((record) => record.end)];
      expect(ends).toContain(end);
      expect(byColumn("1").mend?.(text, true, text.length).end).toBe(text.length);
    }
  });
});
