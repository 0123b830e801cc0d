import { expect, test } from "vitest";
import { UrlmillError } from "../../../src/base/errors.ts";
import { FORMAT_CATALOG } from "../../../src/formats/catalog.ts";
import {
  detectFormat,
  RECORD_FORMATS,
  type RecordFormat,
} from "../../../src/learn/records/read-records.ts";
import { SAMPLES } from "./samples.ts";

/** The formats of ClickHouse look as TSV does, and WAT is WARC: content alone does not tell them. */
const BY_NAME: readonly RecordFormat[] = ["TabSeparated", "TSVRaw", "wat"];

for (const format of RECORD_FORMATS.filter((name) => !BY_NAME.includes(name))) {
  test(`${format} is told by its content, whatever the file is called`, () => {
    for (const name of ["-", "x.txt", "x.cdx.gz"]) {
      expect(detectFormat(SAMPLES[format], name)).toBe(format);
      expect(detectFormat(`\uFEFF\r\n  \r\n${SAMPLES[format]}`, name)).toBe(format);
    }
  });
}

test("a format stands in the catalog after each other that its lines show too", () => {
  const told = RECORD_FORMATS.filter((name) => !BY_NAME.includes(name));
  for (const [place, format] of told.entries()) {
    const [line = ""] = SAMPLES[format].split("\n");
    const later = told.slice(place + 1).filter((name) => FORMAT_CATALOG[name].isShown?.(line, "-"));
    expect([format, later]).toEqual([format, []]);
  }
});

test("WAT is told from other WARC by its name", () => {
  for (const name of ["CC-MAIN-1.warc.wat.gz", "a.wat", "a.WAT.gz"]) {
    expect(detectFormat(SAMPLES.wat, name)).toBe("wat");
  }
  expect(detectFormat(SAMPLES.wat, "wat.warc.gz")).toBe("warc");
});

test("formats without their header are told too", () => {
  const lineOf = (format: keyof typeof SAMPLES, line: number) =>
    SAMPLES[format].split("\n")[line] ?? "";
  expect(detectFormat(lineOf("cdx", 1), "-")).toBe("cdx");
  expect(detectFormat("com,a)/ 2014 http://a/ text/html 200 D 1415", "-")).toBe("cdx");
  expect(detectFormat(lineOf("cdxj", 1), "-")).toBe("cdxj");
  expect(detectFormat('["http://a/","200"],', "-")).toBe("wayback");
  expect(detectFormat(`example.org:80 ${lineOf("access-log", 0)}`, "-")).toBe("access-log");
});

test("a plain list is one token with :// or like a host or path", () => {
  for (const line of [
    "http://a",
    "http://a/b c",
    "example.org",
    "localhost/x",
    "/x?y",
    "a.b:80/",
  ]) {
    expect(detectFormat(`${line}\n`, "-")).toBe("lines");
  }
});

test("a table without a column url is TSV, whose reader says what it lacks", () => {
  expect(detectFormat("uri\tsize\n", "-")).toBe("tsv");
  expect(detectFormat("url\n", "-")).toBe("tsv");
});

test("the name of a file tells the format if its content does not", () => {
  expect(detectFormat("hello world\n", "a/B.TSV.gz")).toBe("tsv");
  expect(detectFormat("hello world\n", "logs/crawl.log")).toBe("crawl-log");
  expect(detectFormat("", "x.cdxj")).toBe("cdxj");
});

test("an empty input is a plain list", () => {
  expect(detectFormat("", "-")).toBe("lines");
  expect(detectFormat("\n \n# none\n", "-")).toBe("lines");
});

test("a format that nothing shows is an error that quotes the first line", () => {
  expect(() => detectFormat("hello world\n", "-")).toThrow(UrlmillError);
  expect(() => detectFormat("hello world\n", "-")).toThrow(
    /first line "hello world"; say which: lines,/,
  );
  expect(() => detectFormat("http://a/\t200\n", "-")).toThrow(UrlmillError);
});

test("CDX of a width that has no known columns is refused, with the way to name them", () => {
  const line = "com,a)/ 20140101000000 http://a/ text/html 200 DIGEST 1415 2";
  for (const name of ["-", "x.txt", "x.cdx"]) {
    expect(() => detectFormat(`${line}\n`, name)).toThrow(
      `${name} is CDX with 8 columns and no header: only 7, 9, 10 and 11 columns are known; add a first line that names the columns`,
    );
  }
  expect(detectFormat(` CDX N b a m s k S D\n${line}\n`, "-")).toBe("cdx");
});

test("metadata of ARC files is refused, and not taken for URLs with spaces", () => {
  for (const line of [
    "http://a.org/ 192.0.2.1 20010101000000 text/html 1234",
    "http://a.org/ 192.0.2.1 20010101000000 text/html 200 CHECKSUM - 209 a.arc 1234",
    "filedesc://a.arc 0.0.0.0 20010101000000 text/plain 77",
  ]) {
    expect(() => detectFormat(`${line}\n`, "list.txt")).toThrow(
      "list.txt is metadata of ARC files, which is not read; cut out its first field, the URLs",
    );
  }
});
