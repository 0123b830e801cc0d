import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { Parser } from "htmlparser2";
import { describe, expect, test } from "vitest";
import { unescapeAttribute } from "../../src/formats/xml/xml-text.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { warcResponse, watJson, watRecord } from "../shared/warc.ts";
import { readArchive } from "./archive.ts";

const PAGE = "http://a.com/b/c?d";
const links = (urls: readonly string[], base?: string, page = PAGE) =>
  readArchive("wat", [watRecord(page, urls, base)]).urls;

test("links are resolved against the URL of their page", () => {
  expect(links(["x", "/x", "//b.com", "?y", "#z", "", "HTTPS://c.com:443"])).toEqual([
    "http://a.com/b/x",
    "http://a.com/x",
    "http://b.com/",
    "http://a.com/b/c?y",
    "http://a.com/b/c?d#z",
    "http://a.com/b/c?d",
    "https://c.com/",
  ]);
});

test("a record whose base no server would take is damaged", () => {
  const { urls, damage } = readArchive("wat", [watRecord(PAGE, ["x"], `/${"b".repeat(9000)}/`)]);
  expect(urls).toEqual([]);
  expect(damage).toEqual(["1: a base of more than 8 KiB"]);
});

test("the base of a page is resolved against the page, and links against that", () => {
  expect(links(["x"], "http://b.com/y/")).toEqual(["http://b.com/y/x"]);
  expect(links(["x"], "/y/")).toEqual(["http://a.com/y/x"]);
  expect(links(["x"], "http://[")).toEqual(["http://a.com/b/x"]);
});

test("links and the base of a page are decoded as attributes of HTML are", () => {
  expect(links(["?a=1&amp;copy=2&copy=3&amp", "?&ampx&amp=1&#38;&#X26", "&quot;"])).toEqual([
    "http://a.com/b/c?a=1&copy=2&copy=3&",
    "http://a.com/b/c?&ampx&amp=1&&",
    "http://a.com/b/%22",
  ]);
  expect(links(["x"], "/y&amp;z/")).toEqual(["http://a.com/y&z/x"]);
  expect(links(["java&#115;cript:void(0)", "http&#x3A;//[&#10;"])).toEqual(["http://["]);
});

test("references in attributes are decoded as htmlparser2 decodes them", () => {
  const random = new Random(60);
  const parts =
    "& &amp &AMP; &Amp; &lt &gt; &quot &apos; &apos &#x &#X41 &#65; &#0; &#128 &#x9f; &#xd800; &#x110000; &# = ; a 1 x # / \n é".split(
      " ",
    );
  for (let round = 0; round < atLength(2000, 20_000, 50_000); round++) {
    const text = Array.from({ length: random.below(6) }, () => random.pick(parts)).join("");
    let expected = "";
    const parser = new Parser({
      onopentag: (_, { href = "" }) => {
        expected = href;
      },
    });
    parser.end(`<a href="${text}">`);
    expect(unescapeAttribute(text), text).toBe(expected);
  }
});

test("links that are not http or https are left out", () => {
  const others = ["javascript:void(0)", "mailto:a@b", "tel:1", "data:,x", "ftp://a/"];
  expect(links([...others, "x"])).toEqual(["http://a.com/b/x"]);
});

test("what is not a URL stays as it is written, on one line", () => {
  expect(links(["http://[\n/\t\rx"])).toEqual(["http://[/x"]);
  expect(links(["x", "é"], undefined, "dns-of-a")).toEqual(["x", "Ã©"]);
});

test("a link may have line ends and bytes beyond ASCII, and so may a page", () => {
  expect(links(["x\n/é"], undefined, Buffer.from("http://a/ü/").toString("latin1"))).toEqual([
    "http://a/%C3%BC/x/%C3%A9",
  ]);
});

test.each([
  [
    "a response that is not HTML",
    '{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{}}}}',
  ],
  ["links that are not a list", watJsonOf('"Links":{}')],
  ["links without a URL", watJsonOf('"Links":[{},null,1,{"url":null},{"url":1}]')],
  ["an empty object", "{}"],
])("%s has no links, and no damage", (_, json) => {
  expect(readArchive("wat", [watJson(PAGE, json)])).toEqual({ urls: [], damage: [], records: 1 });
});

function watJsonOf(html: string): string {
  return `{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"HTML-Metadata":{${html}}}}}}`;
}

test.each([
  ["JSON that is cut off", watJson(PAGE, '{"Envelope":'), "2: its content is not JSON"],
  ["JSON that is not an object", watJson(PAGE, "[]"), "2: its content is not an object"],
  [
    "bytes that are not UTF-8",
    watJson(PAGE, '{"a":"bc"}').replace("bc", "\xe9\xe9"),
    "2: its JSON is not UTF-8",
  ],
  [
    "a length that is too short",
    watRecord(PAGE, ["x"]).replace(/Length: \d+/, "Length: 30"),
    "2: its content is not JSON",
  ],
])("reading goes on after %s", (_, damaged, reason) => {
  const { urls, damage } = readArchive("wat", [
    watRecord(PAGE, ["1"]) + damaged + watRecord(PAGE, ["3"]),
  ]);
  expect(urls).toEqual(["http://a.com/b/1", "http://a.com/b/3"]);
  expect(damage).toEqual([reason]);
});

test("a record of more than 64 MiB is passed over and named", () => {
  const text = watJson(PAGE, "{}")
    .replace("Length: 2", `Length: ${(1 << 26) + 1}`)
    .slice(0, -6);
  const megabyte = Buffer.alloc(1 << 20, " ");
  const content = Array.from({ length: 64 }, () => megabyte);
  const { urls, damage } = readArchive("wat", [
    text,
    ...content,
    " \r\n\r\n",
    watRecord(PAGE, ["x"]),
  ]);
  expect(damage).toEqual(["1: JSON of more than 64 MiB"]);
  expect(urls).toEqual(["http://a.com/b/x"]);
});

test("records that are not metadata in JSON are passed over", () => {
  expect(readArchive("wat", [warcResponse(PAGE, "{"), watRecord(PAGE, ["x"])]).urls).toHaveLength(
    1,
  );
});

/** The links of a file as a reader of the whole file finds them, with the platform's URL. */
function model(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    if (!line.startsWith('{"Container"')) return [];
    const envelope = JSON.parse(line).Envelope;
    const html = envelope["Payload-Metadata"]["HTTP-Response-Metadata"]?.["HTML-Metadata"];
    const page = envelope["WARC-Header-Metadata"]["WARC-Target-URI"];
    return (html?.Links ?? [])
      .map(
        ({ url }: { url: string }) =>
          new URL(url.replaceAll("&amp;", "&"), html.Head?.Base ?? page),
      )
      .filter(({ protocol }: URL) => /^https?:$/.test(protocol))
      .map(({ href }: URL) => href);
  });
}

test("the links of a wget crawl are those that a plain reader finds, and the platform's URL resolves", () => {
  const file = new URL("../fixtures/archives/iipc-IAH-urls-wget.warc.wat.gz", import.meta.url);
  const bytes = gunzipSync(readFileSync(file));
  const expected = model(bytes.toString());
  expect(expected.length).toBeGreaterThan(200);
  const whole = readArchive("wat", [bytes]);
  expect(whole.urls).toEqual(expected);
  expect(whole.damage).toEqual([]);
});

describe("hostile pages", () => {
  const random = new Random(20);
  const parts = [
    "a",
    "/",
    "..",
    "?",
    "#",
    "http://b/",
    "é",
    "\\",
    '"',
    "WARC/1.0",
    "\n",
    "{",
    " ",
    ":",
  ];

  test("are read as the platform's URL resolves their links, in pieces that are cut at any byte", () => {
    let compared = 0;
    for (let round = 0; round < atLength(100, 4_000, 10_000); round++) {
      const urls = Array.from({ length: random.below(5) }, () =>
        Array.from({ length: random.below(5) }, () => random.pick(parts)).join(""),
      );
      const text = watRecord(PAGE, urls) + watRecord(PAGE, ["end"]);
      const whole = readArchive("wat", [text]);
      expect(whole.urls.at(-1)).toBe("http://a.com/b/end");
      if (urls.every((url) => URL.canParse(url, PAGE) && new URL(url, PAGE).protocol === "http:")) {
        // Both agree on what is resolved; the normal form of a path is docs/spec.md's.
        const resolved = whole.urls.slice(0, -1).map((url) => new URL(url).host);
        expect(resolved).toEqual(urls.map((url) => new URL(url, PAGE).host));
        compared += urls.length;
      }
      const cut = random.below(text.length);
      const pieces = [text.slice(0, cut), ...(text.slice(cut).match(/[\s\S]{1,7}/g) as string[])];
      expect(readArchive("wat", pieces)).toEqual(whole);
    }
    expect(compared).toBeGreaterThan(atLength(30, 100));
  });
});
