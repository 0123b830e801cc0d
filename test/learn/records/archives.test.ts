import { expect, test } from "vitest";
import { read, readChunks, reasons } from "./read.ts";
import { SAMPLES } from "./samples.ts";

test("CDX with 11 columns: digest, redirect and size; a revisit has no size", () => {
  expect(read("cdx", SAMPLES.cdx).records).toEqual([
    {
      url: "http://www.financeminister.gov.au/",
      ts: "20150914222034",
      status: 200,
      fp: "raw:ZMSA5TNJUKKRYAIM5PRUJLL24DV7QYOO",
      size: 83848,
    },
    {
      url: "http://example.com/old",
      ts: "20150914222035",
      status: 301,
      fp: "raw:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
      size: 412,
      redirect: "http://example.com/new",
    },
    {
      url: "http://example.com/",
      ts: "20150914222036",
      fp: "raw:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A",
    },
  ]);
});

test("CDX without a header is read by the number of its columns", () => {
  const nine = "com,a)/ 2014 http://a/ text/html 200 DIGEST /b 151 a.arc.gz";
  const seven = "com,a)/ 2014 http://a/ text/html 200 DIGEST 1415";
  const ten = "com,a)/ 2014 http://a/ text/html 200 DIGEST - - 151 a.arc.gz";
  const base = { url: "http://a/", ts: "2014", status: 200, fp: "raw:DIGEST" };
  expect(read("cdx", [nine, seven, ten].join("\n")).records).toEqual([
    { ...base, redirect: "/b" },
    { ...base, size: 1415 },
    base,
  ]);
});

test("a CDX header decides the columns and the separator", () => {
  const spaces =
    " CDX A b e a m s c k r V v D d g M n\na 2001 1.2.3.4 http://a/ text/html 200 c k - 1 2 3 4 f - 5750\n";
  const commas = ",CDX,a,s\nhttp://a/,404\n";
  expect(read("cdx", spaces).records).toEqual([
    { url: "http://a/", ts: "2001", status: 200, fp: "raw:k", size: 5750 },
  ]);
  expect(read("cdx", commas).records).toEqual([{ url: "http://a/", status: 404 }]);
});

test("a CDX header alone has no records, one without the original URL is an error", () => {
  expect(read("cdx", " CDX N b a m s k r V g\n").failed).toBe(0);
  expect(() => read("cdx", " CDX N b\n")).toThrow("no column a, the original URL");
});

test("a malformed CDX line says why", () => {
  const text = [
    "com,a)/ 2014 http://a/ b text/html 200 DIGEST -",
    "com,a)/ 2014 http://a/ text/html 2x0 D - 1 f",
    "com,a)/ 2014 - text/html 200 D - 1 f",
    "com,a)/ 2014 http://a/ text/html 200 D - - 1k 1 f",
  ].join("\n");
  expect(reasons("cdx", text)).toEqual([
    "8 fields where CDX has 7, 9, 10 or 11",
    'status is "2x0", not an HTTP status',
    "the url is empty",
    'size is "1k", not a whole number',
  ]);
  expect(reasons("cdx", " CDX a s\nhttp://a/ 200 x\n")).toEqual([
    "3 fields where the header has 2",
  ]);
});

test("captures that are not pages, or have no payload, are not evidence", () => {
  const text = [
    "dns,a)/ 2014 dns:a text/dns - D - 1 f",
    "com,a)/ 2014 http://a/ text/html 304 D - 1 f",
    "com,a)/ 2014 http://a/ text/html 206 D 77",
  ].join("\n");
  expect(read("cdx", text).records).toEqual([
    { url: "http://a/", status: 304, ts: "2014" },
    { url: "http://a/", status: 206, ts: "2014" },
  ]);
});

test("CDXJ: members as strings or numbers, sha1: goes, headers are none", () => {
  expect(read("cdxj", SAMPLES.cdxj).records).toEqual([
    {
      url: "http://example.com/",
      ts: "20170730223850",
      status: 200,
      fp: "raw:G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK",
      size: 1219,
    },
    {
      url: "http://example.com/a",
      ts: "20170730223851",
      status: 301,
      fp: "raw:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
      size: 659,
      redirect: "https://example.com/\u00e4",
    },
  ]);
});

test("CDXJ: what was posted names no page", () => {
  expect(read("cdxj", 'a)/ 2014 {"url":"http://a/","method":"POST"}\n').records).toEqual([]);
});

test("a malformed CDXJ line says why", () => {
  const text = [
    "com,example)/ 20170730223850",
    '{"url":"http://a/"}',
    'a)/ 2014 {"url":',
    'a)/ 2014 {"status":"200"}',
    'a)/ 2014 {"url":["http://a/"]}',
    'a)/ 2014 {"url":"http://a/","length":"x"}',
  ].join("\n");
  expect(reasons("cdxj", text)).toEqual([
    'no JSON object in "com,example)/ 20170730223850"',
    'no key and timestamp before the JSON object in "{\\"url\\":\\"http://a/\\"}"',
    'not JSON: "{\\"url\\":"',
    "no member url",
    'the member "url" is an array, not text',
    'size is "x", not a whole number',
  ]);
});

const WAYBACK = [
  {
    url: "http://www.archive.org:80/",
    ts: "19970126045828",
    status: 200,
    fp: "raw:Q4YULN754FHV2U6Q5JUT6Q2P57WEWNNY",
    size: 1415,
  },
  {
    url: "http://www.archive.org:80/]]",
    ts: "19971211122953",
    fp: "raw:XAHDNHZ5P3GSSSNJ3DMEOJF7BMCCPZR3",
  },
];

test("Wayback JSON: a row a line, the resumption key is not one", () => {
  expect(read("wayback", SAMPLES.wayback).records).toEqual(WAYBACK);
});

test("Wayback JSON may stand in one line", () => {
  const { records, failed, lines } = read("wayback", SAMPLES.wayback.replaceAll("\n", ""));
  expect(records).toEqual(WAYBACK);
  expect([failed, lines]).toEqual([0, 1]);
});

test("Wayback JSON may have its brackets on lines of their own", () => {
  const text = '[\n["original"],\n["http://a/"],\n["http://b/"]\n]\n';
  expect(read("wayback", text).records).toEqual([{ url: "http://a/" }, { url: "http://b/" }]);
});

test("Wayback JSON answers may follow each other, and be empty", () => {
  const answer = '[["original"],\n["http://a/"]]\n';
  expect(read("wayback", answer + answer).records.length).toBe(2);
  expect(read("wayback", "[]\n")).toEqual({ records: [], errors: [], failed: 0, lines: 1 });
  expect(read("wayback", '[["original"]]\n').failed).toBe(0);
});

test("Wayback JSON without the field original is an error that names the fields", () => {
  expect(() => read("wayback", '[["urlkey","timestamp"],\n')).toThrow(
    'no field "original" in the first row; the fields are urlkey, timestamp',
  );
});

test("a malformed Wayback row says why, also among others of its line", () => {
  const text =
    '[["original","length"],\n["http://a/"],\n["http://a/", 5],\nnonsense,\n["b","x"],["c","1"],{}]\n';
  const { records, errors, failed } = read("wayback", text);
  expect(errors).toEqual([
    { line: 2, reason: "1 fields where the first row has 2" },
    { line: 3, reason: "a row is not an array of strings" },
    { line: 4, reason: 'not a row of a JSON array: "nonsense,"' },
    { line: 5, reason: 'not a row of a JSON array: "[\\"b\\",\\"x\\"],[\\"c\\",\\"1\\"],{}]"' },
  ]);
  expect([records.length, failed]).toEqual([0, 4]);
  const oneLine = read("wayback", '[["original","length"],["b","x"],["c","1"],{}]]');
  expect(oneLine.failed).toBe(1);
  expect(read("wayback", '[["original","length"],["b","x"],["c","1"],["d"]]')).toMatchObject({
    records: [{ url: "c", size: 1 }],
    failed: 2,
    lines: 1,
  });
});

test("a sitemap gives the URL of each entry, its escapes undone", () => {
  expect(read("sitemap", SAMPLES.sitemap)).toEqual({
    records: [{ url: "http://example.org/?a&b" }, { url: "http://example.org/\u00e9" }],
    errors: [],
    failed: 0,
    lines: 6,
  });
});

test("a malformed entry of a sitemap says why, and the line that it begins on", () => {
  const entries = ["<url></url>", "\n<url><loc> </loc></url>", "<url><loc>a</loc></url>"];
  expect(read("sitemap", entries.join("\n"))).toMatchObject({
    records: [{ url: "a" }],
    errors: [
      { line: 1, reason: "an entry without loc or link" },
      { line: 3, reason: "the url is empty" },
    ],
  });
});

test("an entry of a sitemap that is not UTF-8 is malformed", () => {
  const bytes = Buffer.from("<url><loc>http://a/\u00ff</loc></url>", "latin1");
  expect(readChunks("sitemap", [bytes]).errors).toEqual([{ line: 1, reason: "not UTF-8" }]);
});
