import { expect, test } from "vitest";
import { isArchive } from "../../../src/formats/index.ts";
import { RECORD_FORMATS } from "../../../src/learn/records/format.ts";
import { LineSplitter } from "../../../src/learn/records/line-splitter.ts";
import { expectEqual } from "../../shared/equal.ts";
import { atLength } from "../../shared/length.ts";
import { read, readChunks } from "./read.ts";
import { OPTIONS, SAMPLES } from "./samples.ts";

for (const format of RECORD_FORMATS) {
  const text = SAMPLES[format];
  const whole = read(format, text, OPTIONS);

  test(`${format}: two chunks that meet at any byte give the same records`, () => {
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut += atLength(3, 1)) {
      const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)];
      expectEqual(readChunks(format, chunks, OPTIONS), whole);
    }
  });

  test(`${format}: a chunk for each byte gives the same records`, () => {
    const chunks = Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte));
    expect(readChunks(format, chunks, OPTIONS)).toEqual(whole);
  });

  test(`${format}: the last line needs no end`, () => {
    expect(read(format, text.slice(0, -1), OPTIONS)).toEqual(whole);
  });

  test(`${format}: an empty input has no records, no lines and no errors`, () => {
    expect(read(format, "", OPTIONS)).toEqual({ records: [], errors: [], failed: 0, lines: 0 });
  });
}

for (const format of RECORD_FORMATS.filter((name) => !isArchive(name))) {
  const text = SAMPLES[format];
  const whole = read(format, text, OPTIONS);

  test(`${format}: the sample has records and no malformed line`, () => {
    expect(whole.errors).toEqual([]);
    expect(whole.records.length).toBeGreaterThan(0);
    expect(whole.lines).toBe(text.split("\n").length - 1);
  });

  test(`${format}: CR LF gives the same records as LF`, () => {
    expect(read(format, text.replaceAll("\n", "\r\n"), OPTIONS)).toEqual(whole);
  });

  test(`${format}: a byte order mark is not part of the first line`, () => {
    expect(read(format, `\uFEFF${text}`, OPTIONS)).toEqual(whole);
  });
}

test("a line of megabytes over many chunks is one record", () => {
  const url = `http://example.org/${"x".repeat(5_000_000)}`;
  const bytes = Buffer.from(`${url}\nhttp://b/\n`);
  const chunks = [];
  for (let at = 0; at < bytes.length; at += 65_536) chunks.push(bytes.subarray(at, at + 65_536));
  const { records, lines } = readChunks("lines", chunks);
  expect(lines).toBe(2);
  expect(records.map((record) => record.url.length)).toEqual([url.length, 9]);
});

test("a line that is not UTF-8 is malformed, its neighbours are read", () => {
  const bytes = Buffer.from("http://a/\nhttp://b/\xe9\r\nhttp://c/\u00e9\r\n", "latin1");
  const text = Buffer.concat([bytes.subarray(0, 22), Buffer.from("http://c/\u00e9\r\n")]);
  const { records, errors, failed, lines } = readChunks("lines", [text]);
  expect(records.map((record) => record.url)).toEqual(["http://a/", "http://c/\u00e9"]);
  expect(errors).toEqual([{ line: 2, reason: "not UTF-8" }]);
  expect([failed, lines]).toEqual([1, 3]);
});

test("of malformed lines the first hundred are kept and all are counted", () => {
  const { errors, failed } = read("jsonl", "[]\n".repeat(250));
  expect(errors.length).toBe(100);
  expect(errors[99]?.line).toBe(100);
  expect(failed).toBe(250);
});

test("a line longer than may be is malformed and does not stay in memory", () => {
  const seen: string[] = [];
  const sink = {
    line: (text: string) => seen.push(text),
    badLine: (reason: string) => seen.push(`(${reason})`),
  };
  const splitter = new LineSplitter(sink, 10);
  for (const byte of Buffer.from("a\n0123456789abcdef\nb\n0123456789abcdef")) {
    splitter.push(Uint8Array.of(byte), false);
  }
  splitter.push(new Uint8Array(0), true);
  expect(seen).toEqual(["a", "(longer than 10 bytes)", "b", "(longer than 10 bytes)"]);
});
