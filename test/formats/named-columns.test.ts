import { expect, test } from "vitest";
import { type Format, type FormatName, formatOf, urlField } from "../../src/formats/index.ts";
import type { UrlFieldOptions } from "../../src/formats/url-field.ts";
import { type RecordFormat, RecordReader } from "../../src/learn/records/read-records.ts";
import { InputHeaders } from "../../src/runs/call/input-headers.ts";

const TSV = "id\turl\tdate\n1\thttp://a/\t2020\n2\thttp://b/\t2021\n";

/** What is read of an input that comes in chunks, each of some of its lines. */
function readInputs(format: Format, inputs: readonly (readonly string[])[]) {
  const headers = new InputHeaders(format, null);
  return inputs.flatMap((chunks, number) => {
    headers.start(`input ${number}`);
    return chunks.flatMap((chunk) => {
      const place = headers.placeOf(Buffer.from(chunk, "latin1"));
      return format.read(chunk, place).map(({ kind, url }) => (kind === "url" ? url : kind));
    });
  });
}

const open = (name: FormatName, options: UrlFieldOptions = {}) =>
  formatOf(name, urlField(name, options));

/** The URLs that learning reads. */
function learned(format: RecordFormat, text: string, options: UrlFieldOptions = {}) {
  const reader = new RecordReader(format, options);
  return reader.push(Buffer.from(text), true).map(({ url }) => url);
}

test("a column is found by its name, or by its number, with a header and without", () => {
  const whole = (options: UrlFieldOptions) => readInputs(open("tsv", options), [[TSV]]);
  expect(whole({})).toEqual(["header", "http://a/", "http://b/"]);
  expect(whole({ field: "date" })).toEqual(["header", "2020", "2021"]);
  expect(whole({ field: "1", header: true })).toEqual(["header", "1", "2"]);
  expect(whole({ field: "1" })).toEqual(["id", "1", "2"]);
  expect(whole({ field: "1", header: false })).toEqual(["id", "1", "2"]);
});

test("learning finds the same columns as dedupe", () => {
  const table = TSV.replaceAll("http://", "");
  for (const options of [{}, { field: "date" }, { field: "1", header: true }, { field: "3" }]) {
    const read = readInputs(open("tsv", options), [[table]]);
    expect(learned("tsv", table, options)).toEqual(read.filter((url) => url !== "header"));
  }
  expect(learned("jsonl", '{"link":"a","url":"b"}', { field: "link" })).toEqual(["a"]);
  expect(learned("cdxj", 'k 2020 {"link":"a","url":"b"}', { field: "link" })).toEqual(["a"]);
  const cdx = " CDX N a r\nk http://a/ http://b/\n";
  for (const field of ["r", "redirect", "3"]) {
    expect(learned("cdx", cdx, { field })).toEqual(["http://b/"]);
    expect(readInputs(open("cdx", { field }), [[cdx]])).toEqual(["header", "http://b/"]);
  }
});

test("a name of a column is found in UTF-8", () => {
  const table = Buffer.from("id\tadresse-é\n1\thttp://a/\n").toString("latin1");
  expect(readInputs(open("tsv", { field: "adresse-é" }), [[table]])).toEqual([
    "header",
    "http://a/",
  ]);
});

test.each<[FormatName, string, string[]]>([
  [
    "tsv",
    "\nid\turl\n1\ta\n\n2\tb\n3\n4\tc\n",
    ["header", "header", "a", "header", "b", "malformed", "c"],
  ],
  [
    "cdx",
    "\n CDX b a\n1 a\n\n2 b\n3\n CDX b a\n4 c\n",
    ["header", "header", "a", "header", "b", "malformed", "header", "c"],
  ],
])("%s that is cut anywhere between lines gives the same", (name, text, expected) => {
  const lines = text.split(/(?<=\n)/);
  const format = open(name);
  expect(readInputs(format, [[text]])).toEqual(expected);
  expect(readInputs(format, [lines])).toEqual(expected);
  for (let cut = 1; cut < lines.length; cut++) {
    const halves = [lines.slice(0, cut).join(""), lines.slice(cut).join("")];
    expect(readInputs(format, [halves])).toEqual(expected);
  }
});

test("the header of a further file is left out, another one is an error with the file's name", () => {
  const format = open("tsv");
  expect(readInputs(format, [[TSV], [TSV]])).toEqual([
    ...["header", "http://a/", "http://b/"],
    ...["repeated", "http://a/", "http://b/"],
  ]);
  expect(readInputs(format, [[TSV], ["\n", TSV]]).slice(3, 5)).toEqual(["header", "repeated"]);
  expect(() => readInputs(format, [[TSV], ["url\n"]])).toThrow(
    "input 1 has another header than the file before it",
  );
  expect(() => readInputs(format, [["uri\tx\nhttp://a/\t1\n"]])).toThrow(
    'input 0: no column "url" in the TSV header; the columns are uri, x',
  );
});

test("CDX files may have different headers, but no header changes the columns of its own file", () => {
  const format = open("cdx");
  expect(readInputs(format, [[" CDX b a\n1 a\n"], [" CDX a b\na 1\n"]])).toEqual([
    "header",
    "a",
    "header",
    "a",
  ]);
  const changed = "a CDX header after records names other columns";
  expect(() => readInputs(format, [[" CDX b a\n1 a\n CDX a b\n"]])).toThrow(changed);
  expect(() => readInputs(format, [["a 1\n", " CDX a b\n"]])).toThrow(changed);
  expect(() => learned("cdx", " CDX b a\n1 a\n CDX a b\n")).toThrow(changed);
});

test("a row that has not as many fields as the header names has no URL", () => {
  expect(readInputs(open("tsv"), [["a\turl\n1\tu\tx\n1\n1\tu\n"]])).toEqual([
    ...["header", "malformed", "malformed", "u"],
  ]);
  // A CDX line with a space in its URL: the third field is not the URL.
  const row = "com,a)/ 2020 http://a/ b text/html 200 D - 1 f";
  expect(readInputs(open("cdx"), [[`${row.replace("/ b", "/b")}\n`]])).toEqual(["http://a/b"]);
  expect(readInputs(open("cdx"), [[` CDX N b a m s k r V g\n${row}\n`]])).toEqual([
    ...["header", "malformed"],
  ]);
});

test.each<[FormatName | RecordFormat, UrlFieldOptions, string]>([
  [
    "lines",
    { field: "1" },
    "field needs a format with fields (tsv, TabSeparated, TSVRaw, csv, cdx, cdxj, jsonl): lines has its URL in one place",
  ],
  ["sitemap", { field: "loc" }, "sitemap has its URL in one place"],
  ["access-log", { field: "1" }, "access-log has its URL in one place"],
  ["jsonl", { header: true }, "header needs a format with columns"],
  ["tsv", { field: "url", header: false }, "without a header no column has one; give its number"],
  ["tsv", { field: "0", header: false }, "give its number"],
  ["cdx", { field: "0" }, "a column of CDX is a letter, a number from 1 on"],
  ["cdx", { field: "constructor" }, "a column of CDX is a letter"],
])("%s refuses %o", (format, options, message) => {
  expect(() => urlField(format, options)).toThrow(message);
  expect(() => urlField(format, options)).toThrow(expect.objectContaining({ code: "BAD_OPTION" }));
});

test("a column beyond the header is an error that names the columns", () => {
  expect(() => readInputs(open("tsv", { field: "4", header: true }), [[TSV]])).toThrow(
    "no column 4 in the TSV header; the columns are id, url, date",
  );
  expect(() => readInputs(open("cdx", { field: "4" }), [[" CDX N b a\n"]])).toThrow(
    "CDX lines have no column 4; the columns are N, b, a",
  );
});

test("a key is named in the header, where it is written after the columns", () => {
  expect(open("tsv").appendToHeader("id\turl\r\n", "normalized_url")).toBe(
    "id\turl\tnormalized_url\r\n",
  );
  expect(open("tsv").appendToHeader("\r\n", "normalized_url")).toBe("\r\n");
  expect(open("cdx").appendToHeader(" CDX N b a\n", "normalized_url")).toBe(" CDX N b a A\n");
  expect(open("cdx").appendToHeader(",CDX,a,s,\n", "normalized_url")).toBe(",CDX,a,s,A\n");
  expect(open("cdx").appendToHeader("\n", "normalized_url")).toBe("\n");
});
