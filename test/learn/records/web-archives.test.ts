import { expect, test } from "vitest";
import { readChunks } from "./read.ts";
import { SAMPLES, warcRecord } from "./samples.ts";

const read = (format: "warc" | "wat", text: string) => readChunks(format, [Buffer.from(text)]);

test("a response of WARC is a capture with its status, digest and target of a redirect", () => {
  const page = warcRecord(
    "response",
    "http://a/",
    "HTTP/1.1 200 OK\r\nA: b\r\n\r\nlocation: x",
  ).replace(
    "Content-Type",
    "WARC-Payload-Digest: sha1:ABC\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nContent-Type",
  );
  const moved = warcRecord("response", "http://a/old", "HTTP/1.1 301\r\nlocation:  /new \r\n\r\n");
  const cut = page.replace("WARC-Date", "WARC-Truncated: length\r\nWARC-Date");
  expect(read("warc", page + moved + cut).records).toEqual([
    { url: "http://a/", fp: "raw:ABC", status: 200, ts: "2020-01-01T00:00:00Z" },
    { url: "http://a/old", status: 301, redirect: "/new" },
    { url: "http://a/", status: 200, ts: "2020-01-01T00:00:00Z" },
  ]);
});

test("requests and what is not HTTP are not learned from", () => {
  const dns = warcRecord("response", "dns:a", "x").replace(
    "application/http; msgtype=response",
    "text/dns",
  );
  const { records, failed, lines } = read("warc", warcRecord("request", "http://a/", "GET") + dns);
  expect({ records, failed, lines }).toEqual({ records: [], failed: 0, lines: 2 });
});

test("a link of WAT is a record, and a damaged record is malformed with its number", () => {
  const { records, errors } = read(
    "wat",
    SAMPLES.wat + warcRecord("metadata", "http://a/", "{") + SAMPLES.wat,
  );
  expect(records).toEqual([{ url: "http://example.org/a/b" }, { url: "http://example.org/a/b" }]);
  expect(errors).toEqual([{ line: 2, reason: "its content is not JSON" }]);
});

test("both samples are read whole", () => {
  expect(read("warc", SAMPLES.warc)).toEqual({
    records: [{ url: "http://example.org/é", status: 200 }],
    errors: [],
    failed: 0,
    lines: 1,
  });
  expect(read("wat", SAMPLES.wat).failed).toBe(0);
});
