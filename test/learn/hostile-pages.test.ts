import { expect, test } from "vitest";
import { pageRecords } from "../../src/cli/learn/page-records.ts";
import { ArchiveReadings } from "../../src/learn/records/archive-records.ts";
import { declarations, pageFingerprints } from "../../src/learn/text/index.ts";
import { readArchive } from "../formats/archive.ts";
import { expectLinear, SHAPES, type Shape } from "../shared/hostile-pages.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { warcResponse, watJson } from "../shared/warc.ts";

const URL = "http://a.org/x";
const LENGTH = atLength(1 << 18, 1 << 20);
/** Heads of responses are read up to 64 KiB. */
const HEAD_LENGTH = 1 << 16;

const HEADS: readonly Shape[] = [
  ["Location:", " ", "x"],
  ["Location: x", " ", "y"],
  ["Location:", " x"],
  ["Location:", "\t\r", "x"],
  ["Content-Type: text/html; charset", " ", "x"],
  ["Transfer-Encoding:", " chunke"],
  ["", ": \r\n"],
  ["", "a{i}:\r\n"],
  ["", "\r"],
  ["Link: ", '<a>;"'],
];

const WARC_HEADERS: readonly Shape[] = [
  ["A: b\r\n", " x\r\n"],
  ["A: b\r\n", " \r\n"],
  ["A:", " ", "x\r\n"],
  ["", "a{i}: b\r\n"],
  ["", "A: b\r\n"],
  ["WARC-Target-URI: <", "<>", "\r\n"],
  ["Content-Type: application/", "http ", "\r\n"],
];

test.each(sampleOf(SHAPES.pages, 15))(
  "fingerprints are linear in a page: %j %j %s",
  async (...shape) => {
    await expectLinear(shape, LENGTH, pageFingerprints);
  },
);

test.each(sampleOf(SHAPES.pages, 15))(
  "statements are linear in a page: %j %j %s",
  async (...shape) => {
    await expectLinear(shape, LENGTH, (html) => declarations(html, URL));
  },
);

test.each(sampleOf(SHAPES.links, 8))(
  "statements are linear in the header Link: %j %j",
  async (...shape) => {
    await expectLinear(shape, LENGTH, (link) => declarations("", URL, { link }));
  },
);

test.each(sampleOf(HEADS, 4))("responses are linear in their head: %j %j %s", async (...shape) => {
  await expectLinear(shape, HEAD_LENGTH, async (head) => {
    const response = warcResponse(URL, `HTTP/1.1 200 OK\r\n${head}\r\n\r\n<p>`).repeat(4);
    const bytes = Buffer.from(response, "latin1");
    new ArchiveReadings("warc", () => {}).push(bytes, true);
    for await (const { record } of pageRecords("x", one(bytes))) expect(record.url).toBe(URL);
  });
});

test.each(sampleOf(WARC_HEADERS, 4))(
  "records are linear in their header: %j %j %s",
  async (...shape) => {
    await expectLinear(shape, LENGTH, (header) =>
      readArchive("warc", [`WARC/1.0\r\n${header}Content-Length: 0\r\n\r\n\r\n\r\n`]),
    );
  },
);

const WAT_LINKS: readonly Shape[] = [
  ['"Base":"http://a.org/', "b", '/"},"Links":[{"url":"x"}', ',{"url":"?{i}"}'],
  ['"Base":"x/"},"Links":[1', ',{"url":"{i}"}'],
  ['"Base":"x/"},"Links":[1', ",{}"],
  ['"Base":"x/"},"Links":[{"url":"', "../", '"}'],
  ['"Base":"x/"},"Links":[1', ",[", ""],
];

test.each(sampleOf(WAT_LINKS, 4))(
  "links are linear in a record of WAT: %j %j %s",
  async (...shape) => {
    await expectLinear(shape, LENGTH, (links) => {
      const json = `{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"HTML-Metadata":{"Head":{${links}]}}}}}`;
      readArchive("wat", [watJson(URL, json)]);
    });
  },
);

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
