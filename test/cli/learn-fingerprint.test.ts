import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as zlib from "node:zlib";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { pageFingerprints } from "../../src/learn/text/index.ts";
import { runCli } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { warcResponse, watJson } from "../shared/warc.ts";

const folder = tempFolder();
const file = (name: string) => join(folder, name);

const HTML = "Content-Type: text/html; charset=utf-8";

/** A response as a record of WARC. */
function response(
  url: string,
  body: string | Buffer,
  headers: string[] = [HTML],
  status = "200 OK",
): string {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  const head = [`HTTP/1.1 ${status}`, ...headers].join("\r\n");
  return warcResponse(url, `${head}\r\n\r\n${bytes.toString("latin1")}`);
}

/** Runs the command on a file of these records. */
async function fingerprint(...records: string[]) {
  writeFileSync(file("in.warc"), Buffer.from(records.join(""), "latin1"));
  const { code, stdout, stderr } = await runCli(["learn", "fingerprint", file("in.warc")]);
  const lines = Buffer.from(stdout, "latin1")
    .toString()
    .split("\n")
    .filter((line) => line !== "");
  return { code, stderr, records: lines.map((line) => JSON.parse(line)) };
}

/** The two fingerprints of a page, as members of a record. */
async function printsOf(html: string) {
  const { sim, text } = await pageFingerprints(html);
  return { sim: sim.slice(4), text: text.slice(5) };
}

test("a page has its fingerprints and what it says of its URLs, other responses what a capture has", async () => {
  const page =
    '<meta name=robots content=nofollow><link rel=canonical href="/1"><p id=a>Été</p><a href="/2#a">x</a>';
  const { code, stderr, records } = await fingerprint(
    response("http://a.org/", page, [
      HTML,
      "Link: </s>; rel=shortlink",
      "Content-Location: c",
      "no-vary-search: key-order",
      "X-ROBOTS-TAG: noindex",
    ]),
    response("http://a.org/old", "moved", [HTML, "Location: /1"], "301 Moved"),
    response("http://a.org/gone", page, [HTML], "404 Not Found"),
    response("http://a.org/i.png", "x", ["Content-Type: image/png"]),
    response("http://a.org/j.png", "x", ["Content-Type: image/png", "X-Robots-Tag: none"]),
    response("http://a.org/part", page, [HTML], "206 Partial Content"),
    response("http://a.org/cut", page).replace("WARC-Type", "WARC-Truncated: length\r\nWARC-Type"),
    response("dns:a.org", "x"),
  );
  expect(code).toBe(0);
  expect(records).toEqual([
    {
      url: "http://a.org/",
      status: 200,
      size: Buffer.from(page).length,
      ...(await printsOf(page)),
      canonical: "http://a.org/1",
      shortlink: "http://a.org/s",
      contentLocation: "http://a.org/c",
      noVarySearch: "key-order",
      robots: "nofollow, noindex",
      self: ["http://a.org/2#a"],
    },
    { url: "http://a.org/old", status: 301, redirect: "/1" },
    { url: "http://a.org/gone", status: 404 },
    { url: "http://a.org/i.png", status: 200 },
    { url: "http://a.org/j.png", status: 200, robots: "none" },
    { url: "http://a.org/part", status: 206 },
    { url: "http://a.org/cut", status: 200 },
  ]);
  expect(stderr).toContain("1 page with fingerprints, 6 other responses");
});

describe("the text of a page is read", () => {
  const page = `<p>${"Été à la plage ".repeat(20)}`;
  const chunked = (bytes: Buffer) =>
    Buffer.concat([
      Buffer.from("5;x=1\r\n"),
      bytes.subarray(0, 5),
      Buffer.from(`\r\n${(bytes.length - 5).toString(16)}\r\n`),
      bytes.subarray(5),
      Buffer.from("\r\n0\r\n\r\n"),
    ]);
  const utf8 = Buffer.from(page);
  const latin1 = Buffer.from(page, "latin1");

  test.each([
    ["in chunks", chunked(utf8), [HTML, "Transfer-Encoding: chunked"]],
    ["where the crawler joined the chunks", utf8, [HTML, "Transfer-Encoding: chunked"]],
    ["in gzip", gzipSync(utf8), [HTML, "Content-Encoding: gzip"]],
    [
      "in chunks of gzip",
      chunked(gzipSync(utf8)),
      [HTML, "transfer-encoding: Chunked", "content-encoding: gzip"],
    ],
    ["in Brotli", brotliCompressSync(utf8), [HTML, "Content-Encoding: br"]],
    ["in deflate", deflateSync(utf8), [HTML, "Content-Encoding: deflate"]],
    ["in deflate without a header", deflateRawSync(utf8), [HTML, "Content-Encoding: deflate"]],
    ["where the crawler undid gzip", utf8, [HTML, "Content-Encoding: gzip"]],
    ["where the crawler undid Brotli", utf8, [HTML, "Content-Encoding: br"]],
    ["where the crawler undid deflate", utf8, [HTML, "Content-Encoding: deflate"]],
    ["where the crawler undid zstd", utf8, [HTML, "Content-Encoding: zstd"]],
    ["by the charset of its header", latin1, ["Content-Type: text/html; charset=ISO-8859-1"]],
    [
      "by the charset of its meta",
      Buffer.concat([Buffer.from("<meta charset='latin1'>"), latin1]),
      ["Content-Type: text/html"],
    ],
    ["as UTF-8, if it is that", utf8, ["Content-Type: text/html; charset=nonsense"]],
    ["as windows-1252, if it is not UTF-8", latin1, ["Content-Type: text/html"]],
  ])("%s", async (_, body, headers) => {
    const { records } = await fingerprint(response("http://a.org/", body, headers));
    expect(records[0]).toMatchObject(await printsOf(page));
  });

  test.each(["", "; charset=ISO-8859-1"])("with the quotes of windows-1252%s", async (label) => {
    const body = Buffer.from(`${page}<p>\x93price\x94 5 \x80`, "latin1");
    const { records } = await fingerprint(
      response("http://a.org/", body, [`Content-Type: text/html${label}`]),
    );
    expect(records[0]).toMatchObject(await printsOf(`${page}<p>\u201cprice\u201d 5 \u20ac`));
  });

  test("in zstd, if Node can, or else this is said", async () => {
    const { length } = utf8;
    // A frame with its length, and one block that is not compressed.
    const head = [0x28, 0xb5, 0x2f, 0xfd, 0x60, length & 0xff, (length - 256) >> 8];
    const size = (length << 3) | 1;
    const frame = Buffer.concat([
      Buffer.from([...head, size & 0xff, (size >> 8) & 0xff, size >> 16]),
      utf8,
    ]);
    const { stderr, records } = await fingerprint(
      response("http://a.org/", frame, [HTML, "Content-Encoding: zstd"]),
    );
    const can = "zstdDecompressSync" in zlib;
    expect(stderr.includes("could not be decoded: zstd takes Node 22.15 or newer")).toBe(!can);
    expect(records[0]?.["text"]).toBe(can ? (await printsOf(page)).text : undefined);
  });

  test("but not from a body that is damaged: this is said, and the others are read", async () => {
    const { code, stderr, records } = await fingerprint(
      response("http://a.org/bad", gzipSync(utf8).subarray(0, 30), [
        HTML,
        "Content-Encoding: gzip",
      ]),
      response("http://a.org/", utf8),
    );
    expect(code).toBe(0);
    expect(stderr).toContain("http://a.org/bad: its body could not be decoded: ");
    expect(records.map((record) => "text" in record)).toEqual([false, true]);
  });
});

test("what is written teaches rules and aliases", async () => {
  const topics = Array.from({ length: 12 }, (_, t) => {
    const posts = [0, 1, 2].map((n) => `<a href="/t?p=${t * 97 + n * n}#p"></a>`).join("");
    const page = `<p id=p>${`topic ${t} of many `.repeat(9)}${"abcdefghijklm".slice(t)}</p>${posts}`;
    return [`/v?t=${t}`, `/t?p=${t * 97}`, `/t?p=${t * 97 + 1}`].map((target) =>
      response(`http://a.org${target}`, page),
    );
  });
  const warc = Buffer.from(topics.flat().join(""), "latin1");
  writeFileSync(file("crawl.warc.gz"), gzipSync(warc));
  const [jsonl, aliases] = [file("crawl.jsonl.gz"), file("aliases.tsv")];
  const made = await runCli(["learn", "fingerprint", file("crawl.warc.gz"), "-o", jsonl]);
  expect(made).toMatchObject({ code: 0, stdout: "" });
  const learned = await runCli(["learn", jsonl, "--fp", "text:text", "--page-aliases", aliases]);
  expect(learned.code).toBe(0);
  const text = readFileSync(aliases, "utf8");
  expect(text).toContain(`\t/t?p=<${7 * 97}..${7 * 97 + 4}>\t/v?t=7\t`);

  // learn itself reads the archive in the same way, also from standard input.
  const direct = file("direct.tsv");
  for (const args of [[file("crawl.warc.gz")], ["-", "--format", "warc"]]) {
    const flags = ["learn", ...args, "--page-aliases", direct];
    const straight = await runCli(flags, args[0] === "-" ? warc : undefined);
    expect(straight.code).toBe(0);
    const fromLines = await runCli(["learn", jsonl, "--page-aliases", aliases]);
    expect(straight.stdout).toBe(fromLines.stdout);
    expect(readFileSync(direct, "utf8")).toBe(readFileSync(aliases, "utf8"));
  }
});

test("learn takes the digests of an archive where --fp says so, as of an index", async () => {
  const page = (n: number) => `<p>${"page ".repeat(50)}${n}`;
  const records = [1, 2].map((n) =>
    response(`http://a.org/${n}`, page(n)).replace(
      "WARC-Type",
      `WARC-Payload-Digest: sha1:${n}\r\nWARC-Type`,
    ),
  );
  writeFileSync(file("in.warc"), Buffer.from(records.join(""), "latin1"));
  const { code, stderr } = await runCli(["learn", file("in.warc"), "--fp", "raw:digest"]);
  expect(code).toBe(0);
  expect(stderr).not.toContain("sim");
});

test("a record of WAT has its digest and what the head of its page says", async () => {
  const warc = {
    "WARC-Type": "response",
    "WARC-Target-URI": "http://a.org/?é",
    "WARC-Date": "2026-11-25T00:00:00Z",
    "WARC-Payload-Digest": "sha1:ABC",
  };
  const wat = (url: string, status: string, head: object, headers: object = {}, more = {}) =>
    watJson(
      url,
      JSON.stringify({
        Envelope: {
          "WARC-Header-Metadata": { ...warc, "WARC-Target-URI": url, ...more },
          "Payload-Metadata": {
            "HTTP-Response-Metadata": {
              Headers: headers,
              "Response-Message": { Status: status },
              "HTML-Metadata": { Head: head },
            },
          },
        },
      }),
    );
  const head = {
    Base: "/base/",
    Link: [
      null,
      { rel: "icon", url: "i" },
      { rel: "x Canonical", url: "1" },
      { rel: "canonical", url: "2" },
    ],
    Metas: [
      { property: "og:url", content: "http://a.org/og?a&amp;b=1" },
      { name: "og:url", content: "no" },
      { name: "ROBOTS", content: "noarchive" },
      { name: "robots" },
      { name: "robots", content: "noindex" },
      { name: { toString: 1 }, content: "x" },
    ],
  };
  const { code, stderr, records } = await fingerprint(
    wat("http://a.org/?é", "200", head, {
      LINK: "</s>; rel=shortlink",
      "Content-Location": "/c",
      "No-Vary-Search": 'params=("x")',
      "X-Robots-Tag": "all, somebot: noindex",
      location: { toString: 1, valueOf: 1 },
    }),
    wat("http://a.org/old", "301", head, { location: "/1" }),
    wat("http://a.org/cut", "200", {}, {}, { "WARC-Truncated": "length" }),
    wat("http://a.org/ask", "200", head, {}, { "WARC-Type": "request" }),
    watJson("http://a.org/bad", "{"),
  );
  expect(code).toBe(0);
  const ts = "2026-11-25T00:00:00Z";
  expect(records).toEqual([
    {
      url: "http://a.org/?é",
      status: 200,
      ts,
      canonical: "http://a.org/base/1",
      shortlink: "http://a.org/s",
      og: "http://a.org/og?a&b=1",
      contentLocation: "http://a.org/c",
      noVarySearch: 'params=("x")',
      robots: "noarchive, noindex, all",
      raw: "ABC",
    },
    { url: "http://a.org/old", status: 301, redirect: "/1", ts, raw: "ABC" },
    { url: "http://a.org/cut", status: 200, ts },
  ]);
  expect(stderr).toContain("http://a.org/bad: its content is not JSON");
  expect(stderr).toContain("0 pages with fingerprints, 3 other responses");
});

test("a file that is not WARC, or is empty, is refused", async () => {
  for (const [text, reason] of [
    ["url\nhttp://a.org/\n", "it is not a WARC file"],
    ["", "has no record of WARC"],
  ] as const) {
    writeFileSync(file("list"), text);
    const { code, stdout, stderr } = await runCli(["learn", "fingerprint", file("list")]);
    expect([code === 0, stdout]).toEqual([false, ""]);
    expect(stderr).toContain(reason);
  }
});
