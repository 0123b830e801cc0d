import { expect, test } from "vitest";
import { unescapeLogItem } from "../../../src/formats/logs/log-item.ts";
import { read, reasons } from "./read.ts";
import { OPTIONS, SAMPLES } from "./samples.ts";

test("crawl.log: digest without sha1:, dns: is not a record, what was not fetched has its URL alone", () => {
  expect(read("crawl-log", SAMPLES["crawl-log"]).records).toEqual([
    {
      url: "http://content-5.powells.com/robots.txt",
      status: 200,
      fp: "raw:YIUOKDGOLGI5JYHDTXRFFQ5FF4N2EJRV",
      size: 1299,
      ts: "2011-06-23T17:12:08.802Z",
    },
    { url: "http://www.identitytheory.com/gone", ts: "2011-06-23T17:12:09.591Z" },
  ]);
});

test("crawl.log: not modified has neither size nor digest", () => {
  const line =
    "2011-06-23T17:12:08.802Z 304 0 http://a/ L - text/html #1 20110623171208574+2 sha1:X - -";
  expect(read("crawl-log", line).records).toEqual([
    { url: "http://a/", status: 304, ts: "2011-06-23T17:12:08.802Z" },
  ]);
});

test("a malformed line of crawl.log says why", () => {
  const text = [
    "2011-06-23T17:12:08.802Z   200       1299 http://a/ LREP",
    "2011-06-23T17:12:08.802Z   2x0 1 http://a/ L - text/html #1 - sha1:X - -",
    "2011-06-23T17:12:08.802Z   200 1k http://a/ L - text/html #1 - sha1:X - -",
  ].join("\n");
  expect(reasons("crawl-log", text)).toEqual([
    "5 fields where crawl.log has 12",
    'status is "2x0", not an HTTP status',
    'size is "1k", not a whole number',
  ]);
});

/** The record of a request, or undefined. */
function request(text: string, rest = "200 5", options: { base?: string } = OPTIONS) {
  const line = `1.2.3.4 - - [17/May/2015:10:05:03 +0000] "${text}" ${rest}\n`;
  const { records, failed } = read("access-log", line, options);
  expect(failed).toBe(0);
  return records[0];
}

/** The URL of `GET /x` after some fields. */
function urlAfter(fields: string, options: { base?: string } = {}): string | undefined {
  const line = `${fields} [17/May/2015:10:05:03 +0000] "GET /x HTTP/1.1" 200 5\n`;
  return read("access-log", line, options).records[0]?.url;
}

test("combined and common log: GET as records, 304 without a size", () => {
  expect(read("access-log", SAMPLES["access-log"], OPTIONS).records).toEqual([
    {
      url: "http://semicomplete.com/presentations/kibana-search.png",
      status: 200,
      size: 203023,
      ts: "17/May/2015:10:05:03 +0000",
    },
    {
      url: "http://semicomplete.com/favicon.ico",
      status: 304,
      ts: "17/May/2015:10:05:43 +0000",
    },
  ]);
});

test("HEAD, a part and nothing sent give no size", () => {
  expect(request("HEAD /x HTTP/1.1")).not.toHaveProperty("size");
  expect(request("GET /x HTTP/1.1", "206 5")).not.toHaveProperty("size");
  expect(request("GET /x HTTP/1.1", "200 -")).not.toHaveProperty("size");
  expect(request("GET /x HTTP/1.1", "200 0")).toHaveProperty("size", 0);
});

test("requests that name no page are none", () => {
  for (const text of ["POST / HTTP/1.1", "-", "", "\\x16\\x03\\x01", "OPTIONS * HTTP/1.0"]) {
    expect(request(text)).toBeUndefined();
  }
});

test("nginx's status 000 is not an HTTP status", () => {
  expect(request("GET /x HTTP/1.1", "000 0")).not.toHaveProperty("status");
});

test("a target may hold spaces, escaped quotes and bytes, and have no version", () => {
  const url = (text: string) => request(text)?.url.slice(OPTIONS.base.length);
  expect(url("GET /a b HTTP/1.1")).toBe("/a b");
  expect(url("GET /x")).toBe("/x");
  expect(url('GET /?q=\\"a\\" HTTP/1.1')).toBe('/?q="a"');
  expect(url("GET /?q=\\x22caf\\xC3\\xa9\\x22 HTTP/1.1")).toBe('/?q="caf%C3%A9"');
  expect(url('GET /?q="a" HTTP/1.1')).toBe('/?q="a"');
  expect(url("GET //b/c HTTP/1.1")).toBe("//b/c");
});

test("escapes of a log are undone once", () => {
  expect(unescapeLogItem("a\\\\x41\\n\\x4\\q\\x41\\x20\\x7f\\")).toBe("a\\x41%0A\\x4\\qA%20%7F\\");
});

test("a target that is a URL needs no origin", () => {
  expect(request("GET http://other.org/y HTTP/1.1", "200 5", {})?.url).toBe("http://other.org/y");
});

test("a virtual host in front is the origin", () => {
  expect(urlAfter("example.org:80 1.2.3.4 - -")).toBe("http://example.org/x");
  expect(urlAfter("example.org:443 1.2.3.4 - -", OPTIONS)).toBe("https://example.org/x");
  expect(urlAfter("example.org:8080 ::1 - bob")).toBe("http://example.org:8080/x");
  expect(urlAfter("[2001:db8::1]:80 ::1 - -")).toBe("http://[2001:db8::1]/x");
  expect(urlAfter("example.org 1.2.3.4 - -")).toBe("http://example.org/x");
  expect(urlAfter("example.org 1.2.3.4 - -", { base: "https://a" })).toBe("https://example.org/x");
});

test("a client's address and a user with a space are not a virtual host", () => {
  expect(urlAfter("2001:db8::1 - -", OPTIONS)).toBe("http://semicomplete.com/x");
  expect(urlAfter("1.2.3.4 - john doe", OPTIONS)).toBe("http://semicomplete.com/x");
});

test("a log without hosts needs the option base", () => {
  expect(() => urlAfter("1.2.3.4 - -")).toThrow(expect.objectContaining({ code: "BAD_OPTION" }));
  expect(() => urlAfter("1.2.3.4 - -")).toThrow("the access log names no host; say base");
});

test("a base may end with a slash or have a path, and is an error where it is not of a site", () => {
  expect(urlAfter("1.2.3.4 - -", { base: "https://a.org:8443/" })).toBe("https://a.org:8443/x");
  expect(urlAfter("1.2.3.4 - -", { base: "https://a.org/b/?c" })).toBe("https://a.org/x");
  for (const base of ["example.org", "ftp://a", "http://u@a", ""]) {
    expect(() => urlAfter("1.2.3.4 - -", { base })).toThrow(`base is "${base}"`);
  }
});

test("a malformed line of an access log says why", () => {
  const front = "1.2.3.4 - - [17/May/2015:10:05:03 +0000]";
  const text = [
    "hello",
    `${front} GET / HTTP/1.1 200 5`,
    `${front} "GET / HTTP/1.1`,
    `${front} "GET / HTTP/1.1" - 5`,
    `${front} "GET / HTTP/1.1" 200 5k`,
    `${front} "GET x HTTP/1.1" 200 5`,
  ].join("\n");
  expect(reasons("access-log", text, OPTIONS)).toEqual([
    'no [time] and "request" in "hello"',
    'no [time] and "request" in "1.2.3.4 - - [17/May/2015:10:05:03 +0000]..."',
    "no status after the request",
    "no status after the request",
    'size is "5k", not a whole number',
    'the request\'s target is "x", not a path and not a URL',
  ]);
});
