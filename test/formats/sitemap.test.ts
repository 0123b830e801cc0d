import { expect, test } from "vitest";
import { readChunks } from "../../src/io/chunk-reader.ts";
import { Slots } from "../../src/threads/slots.ts";
import { runCli } from "../shared/cli.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { sourceOf } from "../shared/random-source.ts";
import { keyed, sitemap, urlsOf } from "./documents.ts";
import { START } from "./whole.ts";

// What is quadratic takes minutes, so it ends at the time limit of a test.

const LIVE = "<url><loc>http://a/live</loc></url>";
const OLD = "<url><loc>http://a/old</loc></url>";

test.each([
  ["a comment", `<!-- ${OLD} -->`],
  ["a comment with dashes and tags", `<!-- <!-- -> ${OLD} --->`],
  ["a CDATA section", `<note><![CDATA[${OLD}]]></note>`],
  ["a processing instruction", `<?old ${OLD.replaceAll("?", "")} ?>`],
  ["a DOCTYPE", `<!DOCTYPE urlset [ <!ENTITY old "${OLD}"> <!-- ]> ${OLD} --> ]>`],
  ["an attribute", `<note old="&lt;url>" other='</url>'/>`],
])("a record in %s is not a record", (_, hidden) => {
  expect(urlsOf(`<urlset>${hidden}${LIVE}</urlset>`)).toEqual(["http://a/live"]);
  expect(urlsOf(`<urlset>${LIVE}${hidden}</urlset>`)).toEqual(["http://a/live"]);
});

test("dedupe keeps a live record after one in a comment", async () => {
  const text = `<urlset><!-- ${LIVE} -->\n${LIVE}\n<!-- ${LIVE} -->\n${LIVE}</urlset>`;
  const { stdout } = await runCli(["dedupe", "--format", "sitemap"], text);
  expect(stdout).toBe(`<urlset><!-- ${LIVE} -->\n${LIVE}\n<!-- ${LIVE} -->\n</urlset>`);
});

test.each([
  ["a comment", "<url><!-- <loc>http://a/no</loc> --><loc>http://a/</loc></url>"],
  ["another element", "<url><x><loc>http://a/no</loc></x><loc>http://a/</loc></url>"],
  ["an attribute", "<url><x y='loc>http://a/no'/><loc>http://a/</loc></url>"],
])("a loc in %s of a record is not its loc", (_, text) => {
  expect(urlsOf(text)).toEqual(["http://a/"]);
  expect(keyed(text)).toBe(text.replace("http://a/<", "K<"));
});

test.each([
  ["http://a/<!-- no -->b", "http://a/b", "K"],
  ["http://a/<![CDATA[?b&]]>c&amp;d", "http://a/?b&c&d", "K"],
  [" <![CDATA[ http://a/ ]]> ", "http://a/", " K "],
  ["\n\thttp://a/ \n", "http://a/", "\n\tK \n"],
  ["", "", "K"],
  ["  ", "", "K  "],
])("the URL is all the text of its loc: %s", (content, url, replaced) => {
  const text = `<url><loc a="b>">${content}</loc ></url>`;
  expect(urlsOf(text)).toEqual([url]);
  expect(keyed(text)).toBe(`<url><loc a="b>">${replaced}</loc ></url>`);
});

test("a URL that ends with a letter whose last byte is a space elsewhere stays whole", () => {
  expect(urlsOf("<url><loc>http://a/\u00e0</loc></url>")).toEqual(["http://a/\u00e0"]);
  expect(urlsOf("<url><loc> <![CDATA[http://a/\u00e0]]></loc></url>")).toEqual(["http://a/\u00e0"]);
});

test.each([
  ["<url/>", [null]],
  ["<url /><url><loc>http://a/</loc></url>", [null, "http://a/"]],
  ["<url><loc/></url>", [null]],
  ["<url><loc>http://a/", [null]],
  ["<url><loc>a<b/>c</loc></url>", [null]],
  ["<url><loc>a</loc><url><loc>b</loc></url>", ["a", "b"]],
  ["<url><x:loc>a</x:loc></url><y:url><loc>a</loc></y:url>", [null, null]],
  ["<urlset><urls><loc>a</loc></urls><URL><loc>a</loc></URL>", []],
  ["<urlset>a < b <url><loc>a</loc></url> <", ["a"]],
  ["<url><loc>a</loc><x:y></url><url><loc>b</loc></x:y></url>", ["a", "b"]],
  ["<x y='<url><loc>a</loc></url>", ["a"]],
])("what is not closed or empty takes no other record along: %s", (text, urls) => {
  expect(urlsOf(text)).toEqual(urls);
});

test("records are the same however the bytes come", async () => {
  const random = new Random(41);
  const parts = [
    LIVE,
    OLD,
    `<!-- ${OLD} -->`,
    "<!--",
    "-->",
    `<![CDATA[${OLD}]]>`,
    "]]>",
    "<!DOCTYPE x [ <!ENTITY a '<url>'> <!-- ' --> <?x ' ?> ]>",
    "<?xml version='1.0'?>",
    "<y:url a='>'><y:loc>b</y:loc></y:url>",
    "<url>",
    "</url>",
    "<url/>",
    "<",
    "</",
    "<!",
    "'",
    '"',
    ">",
    " text ",
    "<sitemap b='",
  ];
  let records = 0;
  for (let round = 0; round < atLength(200, 1_500); round++) {
    const some = Array.from({ length: random.below(12) }, () => random.pick(parts));
    const text = `<urlset>${some.join("")}`;
    const found: (string | null)[] = [];
    const slots: Slots<ArrayBufferLike> = Slots.unshared(2, 64);
    const reading = {
      boundary: sitemap.boundary(),
      lastByte: null,
      maxLine: null,
      size: 1 + random.below(60),
    };
    for await (const chunk of readChunks(
      sourceOf(Buffer.from(text), random),
      "x",
      slots,
      reading,
    )) {
      if (chunk.kind === "long") throw new Error("a sitemap has no long lines");
      found.push(...urlsOf(Buffer.from(chunk.slot.input, 0, chunk.length).toString(), "<urlset>"));
      slots.release(chunk.slot);
    }
    expect(found).toEqual(urlsOf(text));
    records += found.length;
  }
  expect(records).toBeGreaterThan(atLength(100, 1_000));
});

test.each(
  sampleOf(
    [
      "<url><loc><![CDATA[",
      "<url><loc><![CDATA[x]]></loc>",
      "<url>",
      "<url><loc>",
      "<url><loc></loc",
      "<!--",
      "<!DOCTYPE x [",
      "<a b='",
      "</url",
      "<",
    ],
    3,
  ),
)("many %s that are not closed are read once", (part) => {
  const text = `<urlset>${part.repeat(atLength(60_000, 200_000))}`;
  const bytes = Buffer.from(text);
  const boundary = sitemap.boundary();
  for (let end = 0; end < bytes.length; end += 1 << 18) {
    // A record that ends is cut off, which moves what is after it.
    if (boundary(bytes.subarray(0, end), 0) > 0) break;
  }
  const records = sitemap.read(text, START);
  expect(records.at(-1)?.end).toBe(text.length);
});
