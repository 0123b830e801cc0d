import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";

const URLS = [
  "http://a.example",
  "https://www.a.example/b/c.d/e.html",
  "http://a.example/b/c?d=e&f=g/h.i#j/k.l",
  "http://a.example/b?c=d",
  "http://a.example/b#c?d",
  "http://u:p@a.example:80/b/./c/../d?e",
  "HTTP://A.Example:8080/b%C3%A9c",
  "file:///b/c.d?e",
];

/** What ends normal form, or only looks like it. */
const PIECES = [
  ...["%7e", "%2e", "%2E/", "%2F", "%2f", "%", "%4", "%zz", ".", "..", "/../", "/./", "/.x/", "//"],
  ...["\\", "'", '"', "#", "?", ";", "(", "/(s(1))", "é", " ", "\t", ":", "@", "[", "|", "A", "1"],
  ...["&utm_source=x", "?b&a", "&", "=", "\u{1f600}", "\r"],
];

const OPTIONS = [{}, { preset: "crawl" }, { preset: "aggressive" }, { maxLength: 40 }] as const;

/** Each URL with each piece at each place. */
const inputs = URLS.flatMap((url) =>
  PIECES.flatMap((piece) =>
    Array.from({ length: url.length + 1 }, (_, at) => url.slice(0, at) + piece + url.slice(at)),
  ),
);

test.each(OPTIONS)("a URL that leaves normal form at any place is written alike: %j", (options) => {
  const [wasm, js] = (["wasm", "js"] as const).map((engine) => {
    const n = createNormalizer({ ...options, engine });
    const strings = n.normalizeBatch(inputs);
    const lines = n.normalizeLines(Buffer.from(inputs.join("\n")));
    return {
      strings,
      lines: Buffer.from(lines.bytes).toString().split("\n"),
      status: lines.status,
    };
  });
  if (wasm === undefined || js === undefined) throw new Error("two engines were made");
  const wrong = inputs.filter(
    (_, row) =>
      js.strings.urls[row] !== wasm.strings.urls[row] ||
      js.strings.status[row] !== wasm.strings.status[row] ||
      js.lines[row] !== wasm.lines[row] ||
      js.status[row] !== wasm.status[row],
  );
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(js.lines.length).toBe(wasm.lines.length);
});
