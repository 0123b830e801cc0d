import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { atLength, IS_LONG, shareOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { HEADER, sorted } from "./lines.ts";

let here = "";
beforeEach(() => {
  here = tempFolder();
});

function write(name: string, content: string): string {
  writeFileSync(join(here, name), content, "latin1");
  return join(here, name);
}

const REST = "text/html 200 ABC - - 12 34 a.warc.gz\n";

describe.each(ENGINES)("cdx rekey, --engine %s", (engine) => {
  const rekey = (args: readonly string[], input: string) =>
    runCli(["cdx", "rekey", "--engine", engine, ...args], input);

  const forms: [name: string, args: string[], key: string][] = [
    ["urlkey", [], "com,example)/a?x=1&y=2"],
    ["urlkey-www", ["--form", "urlkey-www"], "com,example,www)/a?x=1&y=2"],
    ["surt", ["--form", "surt"], "com,example,www)/A?y=2&x=1"],
    ["url", ["--form", "url"], "http://www.example.com/A?y=2&x=1"],
    ["options", ["--form", "surt", "--www", "remove"], "com,example)/A?y=2&x=1"],
  ];
  test.each(shareOf(forms, engine))("%s", async (_, args, key) => {
    const url = "HTTP://www.example.com:80/A?y=2&x=1";
    const cdx = await rekey(args, `${HEADER}old 2026 ${url} ${REST}`);
    expect(cdx.stdout).toBe(`${HEADER}${key} 2026 ${url} ${REST}`);
    expect(cdx.stderr).toBe("urlmill: 1 line keyed and sorted\n");
    const cdxj = await rekey(args, `old 2026 {"a": "}", "url": "${url}"}\r\n`);
    expect(cdxj.stdout).toBe(`${key} 2026 {"a": "}", "url": "${url}"}\r\n`);
  });

  test("lines of real URLs get the keys that urlkey gives, and are sorted", async () => {
    const urls = linesOf(readCorpus())
      .filter((url) => /^https?:\/\/\S+$/.test(url))
      .slice(0, atLength(500, 50_000));
    const normalizer = createNormalizer();
    const linesBy = (key: (url: string) => string, rest: (url: string) => string) =>
      urls.map((url) => Buffer.from(`${key(url)} 2026 ${rest(url)}`).toString("latin1")).join("");
    const json = (url: string): string => `${JSON.stringify({ mime: "x", url })}\n`;
    for (const rest of shareOf([json, (url: string) => `${url} ${REST}`], engine)) {
      const { stdout } = await rekey(
        ["-q"],
        linesBy(() => "old", rest),
      );
      const keyed = linesBy((url) => normalizer.urlkey(url), rest);
      expect(stdout === sorted(keyed)).toBe(true);
    }
  });

  // Which lines keep their keys does not depend on an engine.
  const testOfAny = test.runIf(IS_LONG || engine === "wasm");

  testOfAny("a line without an original URL is named and keeps its key", async () => {
    const lines = [
      `k1 2026 - ${REST}`,
      `k2 2026 http://b/ ${REST}`,
      "k3 cut\n",
      `k4 2026 http://a:b/ ${REST}`,
    ];
    const { stdout, stderr } = await rekey([], HEADER + lines.join(""));
    expect(stdout).toBe(
      HEADER + sorted([lines[0], lines[1]?.replace("k2", "b)/"), lines[2], lines[3]].join("")),
    );
    expect(stderr.match(/line \d: it keeps .*/g)).toEqual([
      "line 2: it keeps its key: it has no original URL",
      "line 4: it keeps its key: it is damaged",
      "line 5: it keeps its key: its original URL is not a URL (BAD_PORT)",
    ]);
    expect(stderr).toContain("4 lines keyed and sorted, 3 of them with the key as it was\n");
  });

  testOfAny("CDXJ without a URL, with a URL that is not text, with another object", async () => {
    const lines = ["a 1 {}\n", 'b 2 {"url":1}\n', 'c 3 {"url":"http://z/"}\n', "!meta\n"];
    const { stdout, stderr } = await rekey([], lines.join(""));
    expect(stdout).toBe(sorted(lines.join("").replace("c 3", "z)/ 3")));
    expect(stderr.match(/it keeps its key/g)).toHaveLength(2);
  });
});

test("a key in a later column, and a separator that is not a space", async () => {
  const { stdout } = await runCli(
    ["cdx", "rekey"],
    "\tCDX\tb\tN\ta\n2026\told\thttp://B/\n2025\told\thttp://A/\n",
  );
  expect(stdout).toBe("\tCDX\tb\tN\ta\n2025\ta)/\thttp://A/\n2026\tb)/\thttp://B/\n");
});

test.each([
  [
    "no key",
    " CDX a b\nhttp://a/ 1\n",
    "CDX lines have no column N, the key; the columns are a, b",
  ],
  ["no URL", " CDX N b\na 1\n", "CDX lines have no column a, the original URL"],
  ["another header", `k 1 http://a/ ${REST} CDX N b a\n`, "a CDX header after records names other"],
])("a file with other fields is refused: %s", async (_, text, said) => {
  const file = write("in.cdx", text);
  const { code, stdout, stderr } = await runCli(["cdx", "rekey", file]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(`urlmill: ${file}: ${said}`);
});

test("rules make keys, and an unknown option is refused", async () => {
  const rules = write("rules.tsv", "#urlmill-rules 1\nb\t*\tdrop y\n");
  const { stdout } = await runCli(["cdx", "rekey", "--rules", rules], `k 1 http://b/?y=1 ${REST}`);
  expect(stdout).toBe(`b)/ 1 http://b/?y=1 ${REST}`);
  const wrong = await runCli(["cdx", "rekey", "--form", "crawlee"], "");
  expect(wrong.code).toBe(2);
});
