import { expect, test } from "vitest";
import { UrlmillError } from "../../../src/base/errors.ts";
import { read, reasons } from "./read.ts";
import { SAMPLES } from "./samples.ts";

test("a plain list skips blank lines and comments and trims", () => {
  const { records } = read("lines", "# seeds\n\n  http://a/b c \n\t\nhttp://a/#x\n");
  expect(records).toEqual([{ url: "http://a/b c" }, { url: "http://a/#x" }]);
});

test("a tab in a plain list is malformed", () => {
  expect(reasons("lines", "http://a/\t200\n")).toEqual(["a tab in a list of URLs"]);
});

test("TSV takes the strongest kind whose field has a value, and ignores other columns", () => {
  expect(read("tsv", SAMPLES.tsv).records).toEqual([
    { url: "http://www.aesidau.com/", size: 108234, fp: "cls:0" },
    { url: "http://www.aesidau.com/?p=1", size: 47865, fp: "raw:a992e245e691c699" },
    { url: "http://www.aesidau.com/\u00fc", size: 24, fp: "cls:3" },
  ]);
});

test("TSV takes the strongest kind whatever the order of the columns", () => {
  const text =
    "digest\tsim\turl\ttext\tcls\nD\t00000000000000ff\tu\tT\tC\nD\t00000000000000ff\tu\tT\t\nD\t\tu\tT\t\nsha1:D\t\tu\t\t\n";
  expect(read("tsv", text).records.map((record) => record.fp)).toEqual([
    "cls:C",
    "sim:00000000000000ff",
    "text:T",
    "raw:D",
  ]);
});

test("TSV has all members of a record", () => {
  const record = {
    url: "http://a/",
    fp: "text:x",
    size: 0,
    status: 301,
    redirect: "/b",
    canonical: "/c",
    ts: "2020",
  };
  const text = `${Object.keys(record).join("\t")}\n${Object.values(record).join("\t")}\n`;
  expect(read("tsv", text).records).toEqual([record]);
});

test("self links are a list of JSON, or texts with spaces between", () => {
  const record = { url: "a", shortlink: "/?p=1", og: "/x", self: ["/?p=1#top", "#b%20c"] };
  const written = { ...record, self: ["/?p=1#top", "#b c"] };
  expect(read("jsonl", `${JSON.stringify(written)}\n`).records).toEqual([record]);
  const tsv = "url\tshortlink\tog\tself\na\t/?p=1\t/x\t/?p=1#top  #b%20c\n";
  expect(read("tsv", tsv).records).toEqual([record]);
  expect(read("tsv", "url\tself\na\t-\n").records).toEqual([{ url: "a" }]);
  expect(read("jsonl", '{"url":"a","self":[]}\n').records).toEqual([{ url: "a" }]);
  expect(reasons("jsonl", '{"url":"a","self":[1]}\n{"url":"a","self":true}\n')).toEqual([
    'the member "self" is not a list of texts',
    'the member "self" is not a list of texts',
  ]);
});

test("No-Vary-Search is a column by its name in records, or as the header is written", () => {
  const noVarySearch = 'key-order, params=("a")';
  const others = { contentLocation: "/c", hreflang: "/h", robots: "noindex, follow" };
  const records = [{ url: "a", noVarySearch, ...others }];
  for (const name of ["noVarySearch", "no-vary-search"]) {
    const text = `url\t${name}\tcontentLocation\threflang\trobots\na\t${noVarySearch}\t/c\t/h\tnoindex, follow\n`;
    expect(read("tsv", text).records).toEqual(records);
    const { noVarySearch: value, ...rest } = records[0] as (typeof records)[number];
    expect(read("jsonl", `${JSON.stringify({ ...rest, [name]: value })}\n`).records).toEqual(
      records,
    );
  }
});

test("fields that are empty or - have no value", () => {
  const text = "url\tsize\tstatus\traw\tts\tn\nhttp://a/\t-\t\t-\t\t-\n";
  expect(read("tsv", text).records).toEqual([{ url: "http://a/" }]);
});

test("where there is a column fp, the other kinds are ignored", () => {
  const text = "url\tfp\traw\na\tsim:00000000000000ff\tx\nb\t\tx\n";
  expect(read("tsv", text).records).toEqual([
    { url: "a", fp: "sim:00000000000000ff" },
    { url: "b" },
  ]);
});

test("an fp without a known kind is a class", () => {
  const text = "url\tfp\na\t17\na\tsha1:X\na\traw:sha1:X\na\tcls:\n";
  const fps = read("tsv", text).records.map((record) => record.fp);
  expect(fps).toEqual(["cls:17", "cls:sha1:X", "raw:X", undefined]);
});

test("the option fp names the kind and the column", () => {
  const options = { fp: "text:nsh" };
  expect(read("tsv", SAMPLES.tsv, options).records[0]?.fp).toBe("text:7032");
  const jsonl = '{"url":"a","nsh":5,"fp":"raw:x"}\n{"url":"b","fp":"raw:x"}\n';
  expect(read("jsonl", jsonl, options).records).toEqual([{ url: "a", fp: "text:5" }, { url: "b" }]);
});

test("the option fp may name a column that has another meaning, or fp", () => {
  expect(read("tsv", "url\tfp\tts\na\tx\ty\n", { fp: "raw:ts" }).records).toEqual([
    { url: "a", fp: "raw:y" },
  ]);
  expect(read("tsv", "url\tfp\na\tx\n", { fp: "raw:fp" }).records[0]?.fp).toBe("raw:x");
});

test("an option fp that is not known is an error", () => {
  for (const fp of ["cluster", "md5:cluster", "cls:", ""]) {
    expect(() => read("tsv", "", { fp })).toThrow(UrlmillError);
    expect(() => read("tsv", "", { fp })).toThrow(/a kind \(cls, sim, text, raw\)/);
  }
});

test("a header without the column url is an error that names the columns", () => {
  const call = () => read("tsv", "uri\tsize\nhttp://a/\t1\n");
  expect(call).toThrow(expect.objectContaining({ code: "BAD_OPTION" }));
  expect(call).toThrow('no column "url" in the TSV header; the columns are uri, size');
});

test("a header without the column of the option fp is an error that names the columns", () => {
  const call = () => read("tsv", "url\tsize\n", { fp: "cls:cluster" });
  expect(call).toThrow('no column "cluster" in the TSV header; the columns are url, size');
});

test("a column twice in a header is an error, unless it is ignored", () => {
  expect(() => read("tsv", "url\tsize\turl\n")).toThrow('two columns "url"');
  expect(read("tsv", "url\tx\tx\nu\t1\t2\n").records).toEqual([{ url: "u" }]);
});

test("a header alone has no records", () => {
  expect(read("tsv", "url\tsize\n")).toEqual({ records: [], errors: [], failed: 0, lines: 1 });
});

test("a malformed row says why and stands at its line", () => {
  const text = [
    "url\tsize\tstatus\tn",
    "a\t1\t200",
    "a\t1\t200\t1\tx",
    "a\t1.5\t\t",
    "a\t-3\t\t",
    "a\t\t99\t",
    "a\t\tOK\t",
    "\t1\t200\t1",
    "a\t1234567890123456\t\t",
    "a\t1\t200\t1",
  ].join("\n");
  const { records, errors, failed } = read("tsv", text);
  expect(errors).toEqual([
    { line: 2, reason: "3 fields where the header has 4" },
    { line: 3, reason: "5 fields where the header has 4" },
    { line: 4, reason: 'size is "1.5", not a whole number' },
    { line: 5, reason: 'size is "-3", not a whole number' },
    { line: 6, reason: 'status is "99", not an HTTP status' },
    { line: 7, reason: 'status is "OK", not an HTTP status' },
    { line: 8, reason: "the url is empty" },
    { line: 9, reason: 'size is "1234567890123456", not a whole number' },
  ]);
  expect(failed).toBe(8);
  expect(records).toEqual([{ url: "a", size: 1, status: 200 }]);
});

test("JSON lines have all members of a record", () => {
  const record = {
    url: "http://a/",
    fp: "text:x",
    size: 5,
    status: 200,
    redirect: "/b",
    canonical: "/c",
    ts: "2020",
  };
  expect(read("jsonl", `${JSON.stringify({ ...record, more: [1] })}\n`).records).toEqual([record]);
});

test("JSON lines take the strongest kind that has a value", () => {
  const text = [
    '{"url":"a","cluster":4,"sim":"00000000000000ff","raw":"r"}',
    '{"url":"a","cluster":null,"sim":"00000000000000ff","raw":"r"}',
    '{"url":"a","text":"-","digest":"sha1:D"}',
    '{"url":"a","fp":"17","cls":"x"}',
  ].join("\n");
  const fps = read("jsonl", text).records.map((record) => record.fp);
  expect(fps).toEqual(["cls:4", "sim:00000000000000ff", "raw:D", "cls:17"]);
});

test("JSON lines may write numbers as strings of digits, as CDX servers do", () => {
  const text = '{"url":"a","status":"200","size":"12","ts":20200102030405}';
  expect(read("jsonl", text).records).toEqual([
    { url: "a", size: 12, status: 200, ts: "20200102030405" },
  ]);
});

test("a JSON member of the wrong type is a malformed line with a reason", () => {
  const text = [
    "{",
    "[1]",
    '"http://a/"',
    "null",
    "{}",
    '{"url":5}',
    '{"url":""}',
    '{"url":"a","size":"big"}',
    '{"url":"a","size":1.5}',
    '{"url":"a","size":-1}',
    '{"url":"a","status":true}',
    '{"url":"a","status":0}',
    '{"url":"a","fp":["x"]}',
    '{"url":"a","cls":1.5}',
    '{"url":"a","redirect":{"to":"b"}}',
    '{"url":"a","canonical":1}',
  ].join("\n");
  expect(reasons("jsonl", text)).toEqual([
    'not JSON: "{"',
    "JSON, but not an object",
    "JSON, but not an object",
    "JSON, but not an object",
    "no member url",
    'the member "url" is 5, not text',
    "the url is empty",
    'size is "big", not a whole number',
    'the member "size" is 1.5, not text and not a whole number',
    'size is "-1", not a whole number',
    'the member "status" is true, not text and not a whole number',
    'status is "0", not an HTTP status',
    'the member "fp" is an array, not text and not a whole number',
    'the member "cls" is 1.5, not text and not a whole number',
    'the member "redirect" is an object, not text',
    'the member "canonical" is 1, not text',
  ]);
});

test("columns and members that are not read can have anything", () => {
  expect(read("jsonl", '{"url":"a","n":"first"}\n{"url":"b","n":0}\n')).toMatchObject({
    records: [{ url: "a" }, { url: "b" }],
    failed: 0,
  });
  expect(read("tsv", "url\tn\na\tfirst\n").records).toEqual([{ url: "a" }]);
});

test("members that every object inherits are not members of a line", () => {
  expect(reasons("jsonl", '{"__proto__":{"url":"http://a/"}}')).toEqual(["no member url"]);
});
