import { expect, test } from "vitest";
import { Random } from "../shared/random.ts";
import { sitemap } from "./documents.ts";
import { cutAtRandom, START } from "./whole.ts";

const declared = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?>`;
const rss = (link: string): string =>
  `<rss><channel><item><title>\xff</title><link>${link}</link></item></channel></rss>`;

/** The URLs of a text of bytes, with null for a record that is not read. */
function urlsOf(text: string, header: string | null = null): (string | null)[] {
  const records = sitemap.read(text, { header, isStart: header === null });
  expect(records.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
  return records
    .filter(({ kind }) => kind !== "header")
    .map(({ kind, url }) => (kind === "url" ? Buffer.from(url, "latin1").toString() : null));
}

test.each([
  ["ISO-8859-1", "http://a/\xe9", "http://a/é"],
  ["latin1", "<![CDATA[http://a/\xe9]]>", "http://a/é"],
  ["ISO-8859-1", "http://a/&#xe9;\xe9", "http://a/éé"],
  ["ISO-8859-1", "http://a/\x80", "http://a/€"],
  ["windows-1251", "http://a/\xe9", "http://a/й"],
  ["Shift_JIS", "http://a/\x83\x5c", "http://a/ソ"],
  ["Shift_JIS", "http://a/\x83", null],
  ["UTF-8", "http://a/\xc3\xa9", "http://a/é"],
  ["us-ascii", "http://a/\xc3\xa9", "http://a/é"],
  ["UTF-16", "http://a/\xc3\xa9", "http://a/é"],
])("in %s, %j is read as %s", (encoding, link, url) => {
  expect(urlsOf(declared(encoding) + rss(link))).toEqual([url]);
});

test("an attribute is decoded, and an encoding elsewhere than in the declaration says nothing", () => {
  const feed = (head: string) =>
    `${head}<feed><entry><link href="http://a/\xc3\xa9"/></entry></feed>`;
  expect(urlsOf(feed(declared("ISO-8859-1")))).toEqual(["http://a/Ã©"]);
  expect(urlsOf(feed('<?xml-stylesheet encoding="ISO-8859-1"?>'))).toEqual(["http://a/é"]);
  expect(urlsOf(feed(`<!--${declared("ISO-8859-1")}-->`))).toEqual(["http://a/é"]);
});

test("parts of a document are read in its encoding, wherever it is cut", () => {
  const text = (declared("ISO-8859-1") + rss("http://a/\xe9")).repeat(4);
  const header = sitemap.headerOf(Buffer.from(text, "latin1")) as string;
  const random = new Random(5);
  for (let round = 0; round < 50; round++) {
    const [first = "", ...others] = cutAtRandom(sitemap, text, random);
    const urls = [...urlsOf(first), ...others.flatMap((part) => urlsOf(part, header))];
    expect(urls).toEqual(Array(4).fill("http://a/é"));
  }
});

test("an encoding that is not read is refused, and so is a document in another one after the first", () => {
  for (const encoding of ["iso-2022-jp", "x-none", ""]) {
    expect(() => sitemap.read(declared(encoding) + rss("http://a/"), START)).toThrow(
      expect.objectContaining({
        code: "BAD_OPTION",
        message: expect.stringContaining(`its encoding "${encoding}" is not read`),
      }),
    );
  }
  const two = declared("utf-8") + rss("http://a/") + declared("koi8-r") + rss("http://a/");
  expect(() => sitemap.read(two, START)).toThrow(
    "a document in koi8-r follows the document in UTF-8: give each in a file of its own",
  );
});

test("documents in other encodings cannot be added to an output", () => {
  const [one, other, another] = ["ISO-8859-1", "windows-1252", "UTF-8"].map(
    (encoding) => `${declared(encoding)}<rss>`,
  ) as [string, string, string];
  expect(sitemap.agree?.(one, other)).toBe(true);
  expect(sitemap.agree?.(one, another)).toBe(false);
});
