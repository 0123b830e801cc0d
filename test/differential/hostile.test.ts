import { expect, test } from "vitest";
import { findDisagreements, findStringDisagreements } from "../shared/agreement.ts";
import { HOSTILE_BASES, hostileUrls } from "../shared/hostile.ts";
import { atLength, sampleOf } from "../shared/length.ts";

const SEED = 20_261_121;

test("engines and model agree on hostile URLs", () => {
  expect(findDisagreements(hostileUrls(SEED, atLength(600, 20_000)), undefined)).toEqual([]);
});

test.each(HOSTILE_BASES)("engines and model agree on hostile references to %s", (base) => {
  expect(findDisagreements(hostileUrls(SEED + 1, atLength(75, 1_000)), base)).toEqual([]);
});

test.each(["file:///C:/a/b", "file:///a/b", "file://h/C:/x", "file:///C:"])(
  "engines and model agree on short references with drive letters to %s",
  (base) => {
    let texts = [""];
    const references = [""];
    for (let length = 1; length <= 4; length++) {
      texts = texts.flatMap((text) => [..."/\\C:|.?#"].map((char) => text + char));
      references.push(...texts);
    }
    const inputs = sampleOf([...references, ...references.map((text) => `file:${text}`)], 7);
    expect(findDisagreements(inputs, base)).toEqual([]);
  },
);

test("engines agree on strings, lone surrogates and error offsets", () => {
  const urls = hostileUrls(SEED + 2, atLength(400, 5_000)).map((url) =>
    Buffer.from(url, "latin1").toString("utf8"),
  );
  const surrogates = urls
    .slice(0, 500)
    .map((url) => url.replace("a", "\ud800").replace("b", "\udc00a"));
  expect(findStringDisagreements([...urls, ...surrogates])).toEqual([]);
});

test("engines agree on strings with a base", () => {
  const urls = hostileUrls(SEED + 3, atLength(300, 2_000)).map((url) =>
    Buffer.from(url, "latin1").toString("utf8"),
  );
  for (const base of HOSTILE_BASES.slice(0, 5))
    expect(findStringDisagreements(urls, base)).toEqual([]);
});

test.each([
  { defaultScheme: "https" },
  { defaultScheme: "ftp", maxLength: 40 },
  { maxLength: 30 },
] as const)("engines agree under %o", (options) => {
  const urls = hostileUrls(SEED + 4, atLength(400, 5_000)).map((url) =>
    Buffer.from(url, "latin1").toString("utf8"),
  );
  const schemeless = urls.map((url) => url.slice(url.indexOf(":") + 1));
  expect(findStringDisagreements([...urls, ...schemeless], undefined, options)).toEqual([]);
});
