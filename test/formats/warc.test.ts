import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { warcRecord, warcResponse, watRecord } from "../shared/warc.ts";
import { readArchive } from "./archive.ts";

/** The bytes of a sample, decompressed. */
function sample(name: string): Buffer {
  const bytes = readFileSync(new URL(`../fixtures/archives/${name}`, import.meta.url));
  return name.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}

test.each<[string, string[], string[]]>([
  ["warcio-example.warc.gz", ["http://example.com/"], []],
  ["warcio-example-iana.org-chunked.warc", ["http://www.iana.org/"], []],
  ["warcio-example-wget-bad-target-uri.warc.gz", ["http://example.com/"], []],
  [
    "warcio-post-test.warc.gz",
    ["http://httpbin.org/post", "http://httpbin.org/post", "http://httpbin.org/post?foo=bar"],
    [],
  ],
  ["warcio-example-resource.warc.gz", [], []],
  ["warcio-example-space-in-target-uri.warc.gz", [], []],
  [
    "warcio-example-trunc.warc",
    ["http://example.com/"],
    ["3: its Content-Length does not end at a record"],
  ],
])("the responses of %s are read", (name, urls, damage) => {
  const read = readArchive("warc", [sample(name)]);
  expect(read.urls).toEqual(urls);
  expect(read.damage).toEqual(damage);
});

test("every response of a wget crawl is read, and the pages without a URL are named", () => {
  const bytes = sample("iipc-IAH-urls-wget.warc.gz");
  const lines = bytes.toString("latin1").split("\r\n");
  const read = readArchive("warc", [bytes]);
  expect(read.urls).toHaveLength(lines.filter((line) => line === "WARC-Type: response").length);
  expect(read.damage).toEqual([]);
  const tests = readArchive("warc", [sample("iipc-link-extraction-test.warc")]);
  expect(tests.damage).toEqual(["8: a response without WARC-Target-URI"]);
});

test("names of fields may be in any case, a field may go on in the next line, and LF may end lines", () => {
  const record = warcResponse("http://a/b").replace(
    "WARC-Target-URI: http",
    "warc-target-uri:\r\n\thttp",
  );
  expect(
    readArchive("warc", [record.replaceAll("\r\n", "\n").replace("Length: 19", "Length: 17")]),
  ).toEqual({
    urls: ["http://a/b"],
    damage: [],
    records: 1,
  });
});

test("a DNS response, a request and a revisit are not responses of pages", () => {
  const fields = { "WARC-Target-URI": "http://a/", "Content-Type": "application/http" };
  const others = ["request", "revisit", "resource"].map((type) =>
    warcRecord({ ...fields, "WARC-Type": type }, "x"),
  );
  const dns = warcResponse("dns:a").replace("application/http; msgtype=response", "text/dns");
  expect(readArchive("warc", [...others, dns, warcResponse("http://b/")]).urls).toEqual([
    "http://b/",
  ]);
});

const first = warcResponse("http://a/1");
const last = warcResponse("http://a/3");
const WRONG = "2: its Content-Length does not end at a record";

test.each<[string, string, string[], string]>([
  ["a length that is too short", warcResponse("http://a/2", "0123456789", 3), ["2"], WRONG],
  ["a length below 0", warcResponse("http://a/2", "x", -5), [], "2: no Content-Length"],
  [
    "a length that is not a number",
    warcResponse("http://a/2", "x", "1e3"),
    [],
    "2: no Content-Length",
  ],
  [
    "no length",
    warcResponse("http://a/2").replace(/Content-Length.*\r\n/, ""),
    [],
    "2: no Content-Length",
  ],
  [
    "a line that is not a field",
    warcResponse("http://a/2").replace(/WARC-Record-ID.*/, "no field"),
    [],
    "2: a header that is not one of WARC",
  ],
  [
    "a version that is not one",
    warcResponse("http://a/2").replace("/1.0", "/x"),
    [],
    "2: a header that is not one of WARC",
  ],
  [
    "no target",
    warcResponse("").replace(/WARC-Target-URI.*\r\n/, ""),
    [],
    "2: a response without WARC-Target-URI",
  ],
  [
    "a header of 3 MiB",
    warcResponse("http://a/2").replace("WARC-T", `X: ${"y".repeat(3 << 20)}\r\nWARC-T`),
    [],
    "2: a header of more than 2 MiB",
  ],
])("reading goes on after %s", (_, damaged, urls, reason) => {
  const read = readArchive("warc", [first + damaged + last]);
  expect(read.urls).toEqual(["http://a/1", ...urls.map((url) => `http://a/${url}`), "http://a/3"]);
  expect(read.damage).toEqual([reason]);
});

test("a length that goes into the next record loses that record, and says so", () => {
  for (const length of [20, 150]) {
    const damaged = warcResponse("http://a/2", "0123456789", length);
    const { urls, damage } = readArchive("warc", [
      first + damaged + last + warcResponse("http://a/4"),
    ]);
    expect(urls).toEqual(["http://a/1", "http://a/2", "http://a/4"]);
    expect(damage).toEqual([WRONG]);
  }
});

test.each(["\x07", "x", "WA", "WARC", "\r\n\x07W"])(
  "a record that begins after %j in its line is not one, wherever pieces end",
  (junk) => {
    const text = warcResponse("http://a/") + junk + warcResponse("http://b/");
    const whole = readArchive("warc", [text]);
    expect(whole).toMatchObject({
      urls: ["http://a/"],
      damage: ["1: its Content-Length does not end at a record"],
    });
    for (let size = 1; size < 40; size++) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      expect(readArchive("warc", pieces)).toEqual(whole);
    }
  },
);

test("a header without an end hides what follows it in its line, wherever pieces end", () => {
  const text = `WARC/1.0\r\n${"x".repeat((1 << 21) + 2)}${warcResponse("http://b/")}`;
  const whole = readArchive("warc", [text]);
  expect(whole).toMatchObject({ urls: [], damage: ["1: a header of more than 2 MiB"] });
  for (const size of [511, 4096, (1 << 21) + 12, (1 << 21) + 13]) {
    expect(readArchive("warc", [text.slice(0, size), text.slice(size)])).toEqual(whole);
  }
});

test("a file that is cut off at any byte gives what is before, and says what is cut", () => {
  const text = first + warcResponse("http://a/2", "x".repeat(30));
  for (let end = first.length; end < text.length; end++) {
    const { urls, damage } = readArchive("warc", [text.slice(0, end)]);
    const inContent = end >= text.indexOf("\r\n\r\nx") + 4;
    expect(urls).toEqual(inContent ? ["http://a/1", "http://a/2"] : ["http://a/1"]);
    if (end === first.length || end >= text.length - 4) expect(damage).toEqual([]);
    else expect(damage).toEqual([`2: the file ends in its ${inContent ? "content" : "header"}`]);
  }
});

test("a file that is not WARC is refused", () => {
  expect(() => readArchive("warc", ["http://a/\nhttp://b/\n"])).toThrow(
    'it is not a WARC file: it begins with "http://a/',
  );
  expect(() => readArchive("warc", ["x"])).toThrow("it is not a WARC file");
  expect(() => readArchive("warc", [sample("warcio-bad.arc")])).toThrow("it is an ARC file");
  expect(() => readArchive("wat", [sample("warcio-example.arc.gz")])).toThrow("it is an ARC file");
  expect(readArchive("warc", [""])).toEqual({ urls: [], damage: [], records: 0 });
});

/** What a model that has the whole text finds: it cuts at lines that begin a record. */
function model(text: string): string[] {
  const urls: string[] = [];
  for (const record of text.split(/(?<=^|\n)(?=WARC\/)/)) {
    const [header = ""] = record.split(/\r\n\r\n/, 1);
    const length = /^Content-Length: (\d+)$/m.exec(header.replaceAll("\r", ""))?.[1];
    const uri = /^WARC-Target-URI: (.*)$/m.exec(header.replaceAll("\r", ""))?.[1];
    if (record.includes("\r\n\r\n") && length !== undefined && uri !== undefined) urls.push(uri);
  }
  return urls;
}

describe("hostile archives", () => {
  const random = new Random(28500);
  const contents = ["", "x", "\r\n", "\r\n\r\n", "WARC", "\nWAR", "y".repeat(600), "\0\xff"];
  const hostile = (): string => {
    const uri = `http://a/${random.below(1000)}`;
    const content = Array.from({ length: random.below(4) }, () => random.pick(contents)).join("");
    const record = warcResponse(
      uri,
      content,
      random.chance(4) ? random.below(content.length + 1) : undefined,
    );
    if (random.chance(6)) return record.replace(/Content-Length.*\r\n/, "");
    return random.chance(6) ? `${record}\r\n\r\ngarbage\r\n` : record;
  };

  test("are read as a plain model reads them, in pieces that are cut at any byte", () => {
    for (let round = 0; round < atLength(100, 8_000, 30_000); round++) {
      const text = first + Array.from({ length: random.below(6) }, hostile).join("");
      const whole = readArchive("warc", [text]);
      expect(whole.urls).toEqual(model(text));
      const pieces: string[] = [];
      for (let at = 0; at < text.length; ) {
        const next = at + 1 + random.below(random.pick([3, 40, 900]));
        pieces.push(text.slice(at, next));
        at = next;
      }
      expect(readArchive("warc", pieces)).toEqual(whole);
    }
  });

  test("take time by their length, whatever is in them", () => {
    const json = "http://a/";
    const parts = [
      ...[
        "\n",
        "\r\n",
        "WARC/",
        "\nWARC/",
        "\nWARC/1.0\n\n",
        "\nWARC/1.0\r\nA: b\r\n",
        " \n",
        ":\n",
        "\nWAR",
      ],
      ...[warcResponse("http://a/"), warcResponse("http://a/", "x", 0), watRecord(json, ["b"])],
    ];
    for (const part of sampleOf(parts, 3)) {
      const text = first + part.repeat(atLength(400_000, 1_000_000) / part.length);
      for (const format of ["warc", "wat"] as const) {
        const { records } = readArchive(format, text.match(/[\s\S]{1,262144}/g) as string[]);
        expect(records).toBeGreaterThan(0);
      }
    }
  });

  test("content that nobody asked for is not held", () => {
    const megabyte = Buffer.alloc(1 << 20, "x");
    const header = warcResponse("http://a/", "", 400 << 20).trimEnd();
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    function* pieces(): Generator<Uint8Array | string> {
      yield `${header}\r\n\r\n`;
      for (let count = 0; count < 100; count++) {
        yield megabyte;
        if (count % 10 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers);
      }
    }
    expect(readArchive("warc", [...pieces()]).damage).toEqual(["1: the file ends in its content"]);
    expect(most - before).toBeLessThan(64 << 20);
  });
});
