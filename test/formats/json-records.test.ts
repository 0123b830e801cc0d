import { expect, test } from "vitest";
import type { FormatName } from "../../src/formats/index.ts";
import { RecordReader } from "../../src/learn/records/read-records.ts";
import { formatNamed, START } from "./whole.ts";

const byteString = (text: string): string => Buffer.from(text).toString("latin1");
const text = (bytes: string): string => Buffer.from(bytes, "latin1").toString();

/** The URL of the one record of a line, and the line with the key K in its place; null without a URL. */
function read(name: FormatName, line: string, field?: string): [string, string] | null {
  const format = formatNamed(name, field);
  const bytes = byteString(line);
  const [record] = format.read(`${bytes}\n`, START);
  if (record?.kind !== "url") return null;
  const { url, from, to } = record;
  return [text(url), text(bytes.slice(0, from) + format.quote("K") + bytes.slice(to))];
}

test.each([
  ['{"url":"http://a/"}', "url"],
  ['{"\\u0075rl":"http://a/"}', "url"],
  ['{"\\u0075\\u0072\\u006c":"http://a/"}', "url"],
  ['{"adresse-\u00e9":"http://a/"}', "adresse-\u00e9"],
  ['{"adresse-\\u00e9":"http://a/"}', "adresse-\u00e9"],
  ['{"\\ud83d\\ude00":"http://a/"}', "\u{1f600}"],
  ['{"\u{1f600}":"http://a/"}', "\u{1f600}"],
  ['{"a\\/b\\"":"http://a/"}', 'a/b"'],
  ['{"":"http://a/"}', ""],
  ['{"__proto__":"http://a/"}', "__proto__"],
])("a member of JSON is found by its decoded name: %s", (line, field) => {
  expect(read("jsonl", line, field)).toEqual(["http://a/", line.replace("http://a/", "K")]);
});

test.each([
  // The first name is the two characters that the bytes of the second look like.
  ['{"\u00e9":"URL","\\u00c3\\u00a9":"no"}', "\u00e9"],
  ['{"\u00c3\u00a9":"no","\\u00e9":"URL"}', "\u00e9"],
  ['{"url":"no","url":"URL"}', "url"],
  ['{"url":"no","\\u0075rl":"URL"}', "url"],
  ['{"\\u0075rl":"no","url":"URL"}', "url"],
  ['{"a":{"url":"no"},"url":"URL","b":{"url":"no"}}', "url"],
  ['{"a":[{"url":"no"}],"url":"URL","b":["url","no"],"c":"url"}', "url"],
  ['{"a":"\\"url\\":\\"no\\"","url":"URL"}', "url"],
])("no other member is taken or overwritten: %s", (line, field) => {
  expect(read("jsonl", line, field)).toEqual(["URL", line.replace("URL", "K")]);
});

test.each([
  '{"url":"http://a/","url":1}',
  '{"a":{"url":"http://a/"}}',
  '["http://a/"]',
  '[{"url":"http://a/"}]',
])("what the last member of the name does not say is not a URL: %s", (line) => {
  expect(read("jsonl", line)).toBeNull();
});

test("an element of a JSON array is not a member", () => {
  expect(read("jsonl", '["http://a/"]', "0")).toBeNull();
});

const CDXJ = [
  'com,a)/{x} 2020 {"url": "URL"}',
  'com,a)/?q={"url":"no"} 2020 {"url": "URL"}',
  '{com,a)/ 2020 {"url": "URL"}',
  'com,a)/ 2020 response {"url": "URL", "x": " {"}',
];

test.each(CDXJ)("the key of a CDXJ line may hold braces: %s", (line) => {
  expect(read("cdxj", line)).toEqual(["URL", line.replace("URL", "K")]);
  const { append } = formatNamed("cdxj");
  expect(append(`${line}\n`, "K")).toBe(`${line.slice(0, -1)},"normalized_url":"K"}\n`);
});

test("learning finds the JSON of a CDXJ line after braces in its key too", () => {
  const reader = new RecordReader("cdxj");
  const records = reader.push(Buffer.from(CDXJ.join("\n")), true);
  expect(records.map(({ url }) => url)).toEqual(CDXJ.map(() => "URL"));
  expect(reader.errors).toEqual([]);
});

test.each([
  ["jsonl", "x\n"],
  ["jsonl", "x}\n"],
  ["jsonl", "[]\n"],
  ["cdxj", "com,a)/ 2020 x}\n"],
  ["cdxj", 'com,a)/ 2020 {"x\n'],
] as const)(
  "what is not an object is not a record that a key can be added to: %s",
  (name, record) => {
    const place = { header: null, isStart: true };
    expect(
      formatNamed(name)
        .read(record, place)
        .map(({ kind }) => kind),
    ).toEqual(["malformed"]);
  },
);

test("an empty key is written into an object", () => {
  expect(formatNamed("jsonl").append('{"id":1}\r\n', "")).toBe('{"id":1,"normalized_url":""}\r\n');
});

test.each([
  '{"a":NaN,"url":"http://a/"}',
  '{"a":[ Infinity ,-Infinity,{"NaN":NaN}],"url":"http://a/","b":"\\"NaN,\\\\"}',
])("constants that Python writes are values, and stay as written: %s", (line) => {
  for (const name of ["jsonl", "cdxj"] as const) {
    const start = name === "jsonl" ? "" : "a,b)/ 20200101000000 ";
    expect(read(name, start + line)).toEqual([
      "http://a/",
      start + line.replace('"http://a/"', '"K"'),
    ]);
  }
});

test.each([
  "-NaN",
  "--Infinity",
  "+Infinity",
  "1NaN",
  "NaN1",
  "NaN NaN",
  "nan",
  '"NaN',
  "Infinity.",
])("no other spelling of a constant is JSON: %s", (value) => {
  expect(read("jsonl", `{"url":"http://a/","a":${value}}`)).toBe(null);
});

test("a constant in the place of a URL is not a URL", () => {
  expect(read("jsonl", '{"url":NaN}')).toBe(null);
});
