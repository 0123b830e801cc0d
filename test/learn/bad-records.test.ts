import { describe, expect, test } from "vitest";
import { UrlmillError } from "../../src/base/errors.ts";
import { type LearnRecord, RecordReader } from "../../src/learn/index.ts";
import { learnNow } from "../shared/learn-site.ts";

const url = "http://a.org/";
const SIM = "sim:0123456789abcdef";

describe("records of a program", () => {
  test.each([
    [[null], /^record 0 .*it is null, not an object with a url/],
    [[{ url }, "http://a.org/"], /^record 1 .*it is "http:\/\/a.org\/", not an object/],
    [[{ url, fp: "sim:xyz" }], /^record 0 .*fp is "sim:xyz", .*16 hexadecimal digits after sim/],
    [[{ url, fp: "abc" }], /fp is "abc", not a kind \(cls, sim, text, raw\)/],
    [[{ url, fp: null }], /fp is null/],
    [[{ url, fp: 5 }], /fp is 5/],
    [[{ url, size: "5" }], /size is "5", not a number from 0 on/],
    [[{ url, size: Number.NaN }], /size is NaN/],
    [[{ url, status: -1 }], /status is -1/],
    [[{ url, redirect: {} }], /redirect is \[object Object\], not a text/],
    [[{ url, canonical: null }], /canonical is null, not a text; leave out what is not known/],
    [[{ url, og: 1 }], /og is 1, not a text/],
    [[{ url, self: "#a" }], /self is "#a", not a list of texts/],
    [[{ url, self: [1] }], /self is 1, not a list of texts/],
    [new Set(), /^records are an array, not a Set; spread it into one/],
    [null, /^records are an array, not null/],
    ["http://a.org/", /^records are an array, not http/],
  ])("%j are refused with the place and the remedy", (records, message) => {
    let thrown: unknown;
    try {
      learnNow(records as LearnRecord[]);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(UrlmillError);
    expect(thrown).toMatchObject({ code: "BAD_INPUT", message: expect.stringMatching(message) });
  });

  test("a url that is not one is skipped and counted, not refused", () => {
    const { records, skipped } = learnNow([{ url }, { url: "mailto:x" }, {} as LearnRecord]);
    expect([records, skipped]).toEqual([3, 2]);
  });
});

test("a bad simhash in a list is counted and named by its line", () => {
  const list = `url\tfp\n${url}\t${SIM}\n${url}b\tsim:xyz\n${url}c\tsim:0123456789ABCDEF\n${url}d\t-\n`;
  const reader = new RecordReader("tsv");
  const records = reader.push(Buffer.from(list), true);
  expect(records).toEqual([{ url, fp: SIM }, { url: `${url}d` }]);
  expect([reader.failed, reader.errors]).toEqual([
    2,
    [
      { line: 3, reason: 'sim is "xyz", not 16 hexadecimal digits in lower case' },
      { line: 4, reason: 'sim is "0123456789ABCDEF", not 16 hexadecimal digits in lower case' },
    ],
  ]);
});

test("a bad simhash in a column of its own is named too", () => {
  const reader = new RecordReader("jsonl", { fp: "sim:near" });
  reader.push(Buffer.from(`{"url":"${url}","near":"12"}\n`), true);
  expect(reader.errors).toEqual([
    { line: 1, reason: 'sim is "12", not 16 hexadecimal digits in lower case' },
  ]);
});
