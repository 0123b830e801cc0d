import { describe, expect, test } from "vitest";
import type { FormatName } from "../../src/formats/index.ts";
import { formatNamed, START } from "./whole.ts";

/** Each record of a text with its URL, and with the key `K<>&"` in its place. */
function read(name: FormatName, text: string, field?: string) {
  const format = formatNamed(name, field);
  const records = format.read(text, START);
  expect(records.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
  return records.map(({ kind, url, start, end, from, to }) => {
    if (kind !== "url") return kind;
    const key = 'K"&';
    return [url, text.slice(start, from) + format.quote(key) + text.slice(to, end)];
  });
}

const append = (name: FormatName, record: string) => formatNamed(name).append(record, "K");
const bytes = (text: string) => Buffer.from(text, "latin1");

test("lines are their own URLs", () => {
  expect(read("lines", "a\nb\r\n\n")).toEqual([
    ["a", 'K"&\n'],
    ["b", 'K"&\r\n'],
    ["", 'K"&\n'],
  ]);
  expect(append("lines", "a\n")).toBe("K\ta\n");
  expect(formatNamed("lines").boundary()(bytes("a\nbc\nd"), 0)).toBe(5);
  expect(formatNamed("lines").boundary()(bytes("abc"), 0)).toBe(0);
});

test("tsv has the field by its number, and leaves the others as they were", () => {
  expect(read("tsv", "a\tb\tc\r\n\tx\n\n")).toEqual([
    ["a", 'K"&\tb\tc\r\n'],
    ["", 'K"&\tx\n'],
    "header",
  ]);
  expect(read("tsv", "a\tb\tc\na\tb\n", "3")).toEqual([["c", 'a\tb\tK"&\n'], "malformed"]);
  expect(append("tsv", "a\tb\r\n")).toBe("a\tb\tK\r\n");
});

describe("jsonl", () => {
  test.each([
    ['{"url":"a"}', "a", '{"url":"K\\"&"}'],
    [
      '{ "n" : 1e400 , "url" : "a" , "m":12345678901234567890}',
      "a",
      '{ "n" : 1e400 , "url" : "K\\"&" , "m":12345678901234567890}',
    ],
    [
      '{"x":{"url":"no"},"y":["url",{"url":"no, \\"no\\""}],"url":"a"}',
      "a",
      '{"x":{"url":"no"},"y":["url",{"url":"no, \\"no\\""}],"url":"K\\"&"}',
    ],
    ['{"url":"first","url":"last"}', "last", '{"url":"first","url":"K\\"&"}'],
    ['{"\\u0075rl":"a\\u0062\\/c\\\\"}', "ab/c\\", '{"\\u0075rl":"K\\"&"}'],
    [
      '{"a":"}","b":"{","c":null,"url":"x","d":true}',
      "x",
      '{"a":"}","b":"{","c":null,"url":"K\\"&","d":true}',
    ],
    ['{"url":"\\u00e9"}', "\u00c3\u00a9", '{"url":"K\\"&"}'],
  ])("has the URL of %s, and only that is replaced", (line, url, replaced) => {
    expect(read("jsonl", `${line}\n`)).toEqual([[url, `${replaced}\n`]]);
  });

  test.each(["{}", '{"url":1}', '{"url":null}', '{"toString":1}'])("has no URL in %s", (line) =>
    expect(read("jsonl", `${line}\n`)).toEqual(["missing"]),
  );

  test.each(["[]", '"url"', "null", "{", "x", "\u00ff"])("has no object in %s", (line) =>
    expect(read("jsonl", `${line}\n`)).toEqual(["malformed"]),
  );

  test("an empty line passes, another field is found by its name", () => {
    expect(read("jsonl", '\n{"a.b":"x"}\r\n', "a.b")).toEqual([
      "header",
      ["x", '{"a.b":"K\\"&"}\r\n'],
    ]);
  });

  test("a key goes after the last member", () => {
    expect(append("jsonl", '{"url":"a"}\n')).toBe('{"url":"a","normalized_url":"K"}\n');
    expect(append("jsonl", "{ }\n")).toBe('{ "normalized_url":"K"}\n');
    expect(append("jsonl", '{"a":{}}\r\n')).toBe('{"a":{},"normalized_url":"K"}\r\n');
  });
});

test("cdx has the column of the original URL, or another, and headers pass", () => {
  const text = " CDX N b a m\ncom,a)/ 2020 http://a/ text/html\nx y\n";
  expect(read("cdx", text)).toEqual([
    "header",
    ["http://a/", 'com,a)/ 2020 K"& text/html\n'],
    "malformed",
  ]);
  expect(read("cdx", text, "N")[1]).toEqual(["com,a)/", 'K"& 2020 http://a/ text/html\n']);
  expect(read("cdx", text, "mime")[1]).toEqual(["text/html", 'com,a)/ 2020 http://a/ K"&\n']);
  expect(read("cdx", "a b\n", "1")).toEqual([["a", 'K"& b\n']]);
  expect(append("cdx", "a b c\n")).toBe("a b c K\n");
});

test("cdxj has the url of the JSON part, and headers pass", () => {
  const text = '!OpenWayback-CDXJ 1.0\ncom,a)/ 2020 {"url": "http://a/", "x": "{"}\nno json\n';
  expect(read("cdxj", text)).toEqual([
    "header",
    ["http://a/", 'com,a)/ 2020 {"url": "K\\"&", "x": "{"}\n'],
    "malformed",
  ]);
  expect(append("cdxj", 'c 1 {"url":"a"}\n')).toBe('c 1 {"url":"a","normalized_url":"K"}\n');
});

describe("sitemap", () => {
  const head = '<?xml version="1.0"?>\n<urlset xmlns="x">\n';

  test("a record is an element, its URL unescaped, and written escaped", () => {
    const text = `${head}<url>\n <loc> http://a/?b&amp;c&#61;&#x64; </loc><lastmod>1</lastmod></url>\n<url></url><s:url a="b"><s:loc><![CDATA[ http://a/?b&c ]]></s:loc></s:url>\n</urlset>\n`;
    expect(read("sitemap", text)).toEqual([
      "header",
      ["http://a/?b&c=d", "<url>\n <loc> K&quot;&amp; </loc><lastmod>1</lastmod></url>"],
      "header",
      "missing",
      ["http://a/?b&c", '<s:url a="b"><s:loc>K&quot;&amp;</s:loc></s:url>'],
      "header",
    ]);
  });

  test("the loc of an image in the entry is another", () => {
    const entry =
      "<url><image:image><image:loc>http://img/</image:loc></image:image><loc>http://a/</loc></url>";
    expect(read("sitemap", entry)).toEqual([
      ["http://a/", entry.replace("http://a/", "K&quot;&amp;")],
    ]);
    expect(read("sitemap", "<url><image:loc>http://img/</image:loc></url>")).toEqual(["missing"]);
  });

  test("an index of sitemaps has records too", () => {
    const text = "<sitemapindex><sitemap><loc>http://a/</loc></sitemap></sitemapindex>";
    expect(read("sitemap", text)).toEqual([
      "header",
      ["http://a/", "<sitemap><loc>K&quot;&amp;</loc></sitemap>"],
      "header",
    ]);
    expect(formatNamed("sitemap").boundary()(bytes(text), 0)).toBe(text.indexOf("</sitemapindex>"));
  });

  test("bytes of UTF-8 stay, unknown entities too", () => {
    const [record] = read(
      "sitemap",
      "<url><loc>http://a/\u00c3\u00a9&nbsp;&#xD800;&lt;</loc></url>",
    );
    expect(record?.[0]).toBe("http://a/\u00c3\u00a9&nbsp;&#xD800;<");
  });
});
