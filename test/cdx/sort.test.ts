import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { atLength } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { capture, captures, HEADER, hostileLines, sorted } from "./lines.ts";

let here = "";
beforeEach(() => {
  here = tempFolder();
});

function write(name: string, content: string | Uint8Array): string {
  const file = join(here, name);
  writeFileSync(file, typeof content === "string" ? Buffer.from(content, "latin1") : content);
  return file;
}

/** A line that is long, between two that are not. */
const LONG =
  capture("b", 1) + capture(`c${"x".repeat(atLength(1_100_000, 3_000_000))}`) + capture("a", 1);

const NUMBERED = Array.from({ length: atLength(10_000, 500_000) }, (_, at) =>
  capture(`${String(at).padStart(7, "0")})/`),
);

describe("cdx sort writes what LC_ALL=C sort does", () => {
  test.each([
    ["captures", captures(3000)],
    ["lines of any bytes", hostileLines(atLength(5_000, 300_000))],
    ["equal lines", capture("a").repeat(5000)],
    ["lines in order", sorted(captures(3000))],
    [
      "lines in the other order",
      sorted(captures(3000)).split("\n").toReversed().join("\n").slice(1),
    ],
    // A pivot that is not drawn by chance takes minutes.
    ["many lines in order, no two of which begin alike", NUMBERED.join("")],
    ["such lines in the other order", NUMBERED.toReversed().join("")],
    ["no line", ""],
    ["one line without its end", "a"],
    ["empty lines", "\n\n"],
    ["CDXJ", 'b)/ 2 {"url":"http://b/"}\na)/ 1 {"url":"http://a/"}\n!OpenWayback-CDXJ 1.0\n'],
    ["CR LF", "b 2\r\na 1\r\n\r\n"],
    ["a line longer than the memory", LONG],
  ])("%s", async (_, text) => {
    const plain = await runCli(["cdx", "sort"], text);
    expect(plain.code).toBe(0);
    expect(plain.stdout === sorted(text)).toBe(true);
    const small = await runCli(["cdx", "sort", "--memory", "1M"], text);
    expect(small.stdout === plain.stdout).toBe(true);
  });

  test("runs that are more than memory merges at once", async () => {
    const text = captures(atLength(5_000, 600_000)).repeat(atLength(20, 1)) + hostileLines(1000);
    const { stdout } = await runCli(["cdx", "sort", "-q", "--memory", "1M"], text);
    expect(stdout === sorted(text)).toBe(true);
  });

  test("several files, compressed or not, as one", async () => {
    const [one, two] = [captures(500, 1), captures(500, 2)];
    const files = [write("one.cdx", one.slice(0, -1)), write("two.cdx.gz", gzipSync(two))];
    const out = join(here, "out.cdx.gz");
    const { code, stderr } = await runCli(["cdx", "sort", ...files, "-o", out]);
    expect([code, stderr]).toEqual([0, "urlmill: 1000 lines sorted\n"]);
    expect(gunzipSync(readFileSync(out)).toString("latin1")).toBe(sorted(one + two));
  });
});

test("the header is written once, before all lines", async () => {
  const files = ["b", "a"].map((key) => write(`${key}.cdx`, HEADER + capture(key)));
  const { stdout } = await runCli(["cdx", "sort", ...files]);
  expect(stdout).toBe(HEADER + capture("a") + capture("b"));
  const later = await runCli(["cdx", "sort"], `\n${capture("b")}${HEADER}${capture("a")}`);
  expect(later.stdout).toBe(`${HEADER}\n${capture("a")}${capture("b")}`);
});

test.each([
  ["another header", " CDX N b a\na 2 b\n", 1, "CDX of N b a"],
  ["fewer fields", `\n${capture("a").replace(" 12 34", " 34")}`, 2, "CDX of N b a m s k r M V g"],
  ["CDXJ", 'a)/ 2 {"url":"http://a/"}\n', 1, "CDXJ"],
])("a file with other fields is refused: %s", async (_, text, line, said) => {
  const files = [write("first.cdx", HEADER + capture("b")), write("other.cdx", text)];
  const { code, stdout, stderr } = await runCli(["cdx", "sort", ...files]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toBe(
    `urlmill: ${files[1]}, line ${line}: ${said}, where the lines before are CDX of N b a m s k r M S V g; give files of the same fields\n`,
  );
});

test("damaged lines are named and kept", async () => {
  const text = `${HEADER}${capture("b")}cut 2026 http://cut/ text\n${capture("a")} starts with 11 spaces - - - - - - -\n`;
  const { code, stdout, stderr } = await runCli(["cdx", "sort"], text);
  expect(code).toBe(0);
  expect(stdout).toBe(HEADER + sorted(text.slice(HEADER.length)));
  expect(stderr.split("\n")).toEqual([
    'urlmill: standard input, line 3: damaged, and kept: the lines have 11 fields: "cut 2026 http://cut/ text"',
    expect.stringContaining("standard input, line 5: damaged"),
    "urlmill: 4 lines sorted, 2 of them damaged",
    "",
  ]);
});

test("of many damaged lines ten are named, and all are counted and kept", async () => {
  const text = captures(1000) + "x\n".repeat(500);
  const { stdout, stderr } = await runCli(["cdx", "sort", "-q"], text);
  expect(stdout).toBe(sorted(text));
  expect(stderr.split("\n")).toHaveLength(12);
  expect(stderr).toContain("490 more lines are damaged, and kept");
});

test("damaged CDXJ is named: no object, no end, no timestamp, no JSON", async () => {
  const good = 'a)/ 2026 {"url":"http://a/"}\n';
  const bad = [
    'b)/ 2026 {"url":"http://b/"',
    "c)/ 2026",
    'd)/ {"url":1}',
    "e)/ x {oops}",
    'f)/1 {"a":1}',
    "g)/ 2026 x{}",
    "h)/ 2026x{}",
    "i)/ 2026{}",
    'j)/ 2026 {"a":1}x',
    'k)/ 2026 {"a":1\r',
  ];
  const text = good + bad.map((line) => `${line}\n`).join("");
  const { stdout, stderr } = await runCli(["cdx", "sort"], text);
  expect(stdout).toBe(sorted(text));
  expect(stderr.match(/line \d+: damaged/g)).toEqual(
    bad.map((_, row) => `line ${row + 2}: damaged`),
  );
});

test("CDXJ of OpenWayback has a fourth field and is not damaged", async () => {
  const text = '!OpenWayback-CDXJ 1.0\n(org,a,)/ 2026 response {"uri":"http://a/"}\n';
  const { stderr } = await runCli(["cdx", "sort"], `${text}a)/ 2026 {"url":"http://a/"}\n`);
  expect(stderr).toBe("urlmill: 3 lines sorted\n");
});
