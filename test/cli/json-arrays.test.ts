import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ArrayLines } from "../../src/io/sources/array-source.ts";
import { runCli } from "../shared/cli.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const ARRAY =
  '\n [\n  {"id": 1, "url": "HTTP://a/",\r\n    "t": "x, [y] {\\"z\\"} ,\\\\"},\n  {"url":"http://a","n":[1,{"b":2}]} ,{"url":"http://b"}\n]\n';
const LINES = [
  '{"id": 1, "url": "HTTP://a/",    "t": "x, [y] {\\"z\\"} ,\\\\"}\n',
  '{"url":"http://a","n":[1,{"b":2}]}\n',
  '{"url":"http://b"}\n',
] as const;
const NOTE = "is a JSON array; read as JSON lines\n";

test("a JSON array of objects is read as JSON lines, in all ways to run, which is said once", async () => {
  const list = join(folder, "list.json");
  writeFileSync(list, ARRAY);
  const [first, second, third] = LINES;
  const ways = [
    [[], first + third],
    [["--engine", "js"], first + third],
    [["--keep", "last"], second + third],
    [["--threads", "2"], first + third],
    [["--field", "url", "--seen", join(folder, "seen")], first + third],
  ] as const;
  for (const [flags, expected] of sampleOf(ways, 2)) {
    const run = await runCli(["dedupe", ...flags, list]);
    expect(run).toEqual({ code: 0, stdout: expected, stderr: `urlmill: ${list} ${NOTE}` });
  }
  const piped = await runCli(["dedupe", "--repeated"], ARRAY);
  expect(piped).toEqual({ code: 0, stdout: first, stderr: `urlmill: standard input ${NOTE}` });
  const counted = await runCli(["dedupe", "-q", "-c", "--emit", "normalized", list]);
  expect(counted.stderr).toBe("");
  expect(counted.stdout).toContain('"url": "http://a/"');
  const excluded = await runCli(["dedupe", "--exclude", list], "http://a\nhttp://c\n");
  expect(excluded.stdout).toBe("http://c\n");
  const added = await runCli(["dedupe", list, list, "--memory", "4M"]);
  expect(added.stdout).toBe(first + third);
});

test.each([
  ['[{"url":"http://a/"}', "its JSON array is not closed", ""],
  ['[{"url":"http://a/"}] x', "text follows its JSON array", '{"url":"http://a/"}\n'],
])("%j is read up to its fault", async (text, fault, before) => {
  const { code, stdout, stderr } = await runCli(["dedupe"], text);
  expect({ code, stdout: stdout.trim() }).toEqual({ code: 1, stdout: before.trim() });
  expect(stderr).toContain(`cannot read standard input: ${fault}\n`);
});

test("the elements of any array are its lines, cut at any byte", () => {
  const random = new Random(61);
  const value = (depth: number): unknown => {
    const kind = random.below(depth > 3 ? 3 : 5);
    if (kind === 0) return random.below(1000) / 8;
    if (kind === 1) return random.pick([true, null, "", 'a"\\', "[{,}]\n\t", "\u00fc\u{1f600}"]);
    if (kind === 2) return `"${"\\".repeat(random.below(4))}`;
    const items = Array.from({ length: random.below(4) }, () => value(depth + 1));
    return kind === 3 ? items : Object.fromEntries(items.map((item, at) => [`k"${at}`, item]));
  };
  for (let round = 0; round < atLength(300, 6_000, 20_000); round++) {
    const elements = Array.from({ length: 1 + random.below(6) }, () => ({ v: value(0) }));
    const text = JSON.stringify(elements, null, random.pick([0, 2, "\t"]));
    const written = linesOf(text, new ArrayLines(), random);
    expect(written.map((line) => JSON.parse(line))).toEqual(elements);
  }
});

/** Returns the lines of an array that comes in pieces. */
function linesOf(text: string, lines: ArrayLines, random: Random): string[] {
  const bytes = Buffer.from(text);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random.below(random.pick([2, bytes.length]));
    pieces.push(Buffer.from(lines.push(Buffer.from(bytes.subarray(at, end)))));
    at = end;
  }
  expect(lines.fault).toBe(null);
  const written = Buffer.concat(pieces).toString().split("\n");
  expect(written.pop()).toBe("");
  return written;
}

test("the texts of any array are its lines, cut at any byte", () => {
  const random = new Random(62);
  const escaped = (text: string): string =>
    text.replaceAll(/\\.|[^"]/gu, (character) => {
      if (character.startsWith("\\") || random.below(3) > 0) return character;
      return Array.from({ length: character.length }, (_, unit) => {
        const hex = character.charCodeAt(unit).toString(16).padStart(4, "0");
        return `\\u${random.pick([hex, hex.toUpperCase()])}`;
      }).join("");
    });
  for (let round = 0; round < atLength(300, 6_000, 20_000); round++) {
    const pieces = [
      "http://a/",
      '"',
      "\\",
      "\\u0041",
      "[,]{}",
      " ",
      "\t\b",
      "\u00fc",
      "\u20ac",
      "\u{1f600}",
    ];
    const texts = Array.from({ length: 1 + random.below(5) }, () =>
      Array.from({ length: random.below(6) }, () => random.pick(pieces)).join(""),
    );
    const elements = texts.map((text) => escaped(JSON.stringify(text)));
    const blank = random.pick(["", " ", "\r\n\t"]);
    const array = `${blank}[${blank}${elements.join(`${blank},${blank}`)}${blank}]${blank}`;
    expect(JSON.parse(array)).toEqual(texts);
    expect(linesOf(array, new ArrayLines(true), random)).toEqual(texts);
  }
});

test("a JSON array of texts is read as lines, in all ways to run, which is said once", async () => {
  const array = '\n["HTTP:\\/\\/a/",\r\n  "http://a" ,"http://b/\\u00fc\\ud83d\\ude00"\n]\n';
  const list = join(folder, "texts.json");
  writeFileSync(list, array);
  const last = "http://b/\xc3\xbc\xf0\x9f\x98\x80\n";
  const ways = [
    [[], "HTTP://a/\n"],
    [["--threads", "2"], "HTTP://a/\n"],
    [["--engine", "js"], "HTTP://a/\n"],
    [["--keep", "last"], "http://a\n"],
    [["--memory", "4M"], "HTTP://a/\n"],
    [["--seen", join(folder, "seen-texts")], "HTTP://a/\n"],
  ] as const;
  for (const [flags, first] of sampleOf(ways, 3)) {
    const { code, stdout, stderr } = await runCli(["dedupe", ...flags, list]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: first + last });
    expect(stderr).toContain(`urlmill: ${list} is a JSON array of texts; read as lines\n`);
  }
  expect(await runCli(["dedupe", "--flush"], array)).toEqual({
    code: 0,
    stdout: `HTTP://a/\n${last}`,
    stderr: "urlmill: standard input is a JSON array of texts; read as lines\n",
  });
  expect((await runCli(["normalize", list, "-q"])).stdout).toBe(
    "http://a/\nhttp://a/\nhttp://b/%C3%BC%F0%9F%98%80\n",
  );
  const excluded = await runCli(["dedupe", "--exclude", list], "http://a\nhttp://c\n");
  expect(excluded.stdout).toBe("http://c\n");
  const among = join(folder, "among.txt");
  writeFileSync(among, "http://c\n");
  expect((await runCli(["dedupe", list, among])).stdout).toBe(`HTTP://a/\n${last}http://c\n`);
});

test.each([
  ['["http://a/", 5, "http://b/"]', "element 2 of its JSON array is not a text"],
  ['["http://a/", {"url": 1}]', "element 2 of its JSON array is not a text"],
  ['["http://a/", ]', "element 2 of its JSON array is not a text"],
  ['["http://a/", "b" "c"]', "element 2 of its JSON array is followed by more than a comma"],
  ['["http://a/", "b\\nc"]', "element 2 of its JSON array has a line break, which a line"],
  ['["http://a/", "b\\u000dc"]', "element 2 of its JSON array has a line break, which a line"],
  ['["http://a/", "b\nc"]', "element 2 of its JSON array has a line break, which a line"],
  ['["http://a/", "\\q"]', "element 2 of its JSON array has an escape that means no character"],
  ['["http://a/", "\\udc00"]', "element 2 of its JSON array has an escape that means no character"],
  [
    '["http://a/", "\\ud83dx"]',
    "element 2 of its JSON array has an escape that means no character",
  ],
  ['["http://a/", "\\u00zz"]', "element 2 of its JSON array has an escape that means no character"],
  ['["http://a/", "http://b/"', "its JSON array is not closed"],
  ['["http://a/"] x', "text follows its JSON array"],
])("%j is read up to its fault", async (text, fault) => {
  const { code, stdout, stderr } = await runCli(["dedupe"], text);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "http://a/\n" });
  expect(stderr).toContain(`cannot read standard input: ${fault}`);
});
