import type { RequestTransform } from "@crawlee/cheerio";
import { expect, test } from "vitest";
import { startRequest, transformRequest } from "../../src/crawlee/index.ts";

test("a request gets its key and keeps its URL and all else", () => {
  const transform: RequestTransform = transformRequest({ preset: "crawl" });
  const url = "HTTP://A.org/b?d&c&utm_source=e#f";
  const request = { url, userData: { label: "list" }, headers: { accept: "text/html" } };
  expect(transform(request)).toEqual({ ...request, uniqueKey: "http://a.org/b?c&d" });
  expect(request.url).toBe(url);
});

test("a key that was there is replaced", () => {
  const transform = transformRequest();
  expect(transform({ url: "http://a.org/#b", uniqueKey: "http://a.org" })).toEqual({
    url: "http://a.org/#b",
    uniqueKey: "http://a.org/",
  });
});

test("method, payload and a kept fragment of a request are in the key", () => {
  const transform = transformRequest({ preset: "crawlee" });
  expect(transform({ url: "http://a.org/", method: "POST", payload: "b" })).toMatchObject({
    uniqueKey: expect.stringMatching(/^POST\(.{8}\):http:\/\/a\.org$/),
  });
  expect(transform({ url: "http://a.org/#b", keepUrlFragment: true })).toMatchObject({
    uniqueKey: "http://a.org#b",
  });
});

test.each(["mailto:a@b.org", "javascript:void(0)", "http://1.2.3.256/", "", "b/c"])(
  "%j is left out",
  (url) => {
    expect(transformRequest()({ url })).toBe(false);
  },
);

test("options that are wrong are an error at once", () => {
  expect(() => transformRequest({ preset: "none" as "crawl" })).toThrow(
    expect.objectContaining({ code: "BAD_OPTION" }),
  );
});

test("the first request of a crawl has the key that a link to it gets", () => {
  const options = { preset: "crawl", directoryIndex: true } as const;
  const first = startRequest(options)({
    url: "HTTP://a.org/index.html#top",
    userData: { depth: 0 },
  });
  const link = { url: "http://a.org/" };
  expect(first).toMatchObject({ url: "HTTP://a.org/index.html#top", userData: { depth: 0 } });
  expect(transformRequest(options)(link)).toMatchObject({ uniqueKey: first.uniqueKey });
});

test.each([
  ["example.org", "NO_SCHEME"],
  ["mailto:a@b.org", "SCHEME_NOT_ALLOWED"],
  ["", "EMPTY"],
])("a crawl that would start with %j gets %s", (url, code) => {
  expect(() => startRequest()({ url })).toThrow(expect.objectContaining({ code }));
});
