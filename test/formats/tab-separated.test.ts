import { describe, expect, test } from "vitest";
import { formatOf, urlField } from "../../src/formats/index.ts";
import { RecordReader } from "../../src/learn/records/read-records.ts";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { cutAtRandom, START } from "./whole.ts";

const byColumn = (field: string, header = false) =>
  formatOf("TabSeparated", urlField("TabSeparated", { field, header }));

/** The URL of each record, or what it is instead; the records' text must be the whole. */
function read(text: string, field = "1", header = false) {
  const records = byColumn(field, header).read(text, START);
  expect(records.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
  return records.map(({ kind, url }) => (kind === "url" ? url : `<${kind}>`));
}

test.each<[string, string, string[]]>([
  ["rows without escapes", "a\tb\nc\td\r\n", ["a", "c"]],
  ["a URL with backslashes", "http:\\\\\\\\a\\\\b\t1\n", ["http:\\\\a\\b"]],
  ["the letters", "\\0\\a\\b\\e\\f\\n\\r\\t\\v\n", ["\0\x07\b\x1b\f\n\r\t\v"]],
  ["bytes in hex", "\\x61\\xC3\\xa9\n", ["aÃ©"]],
  ["other characters after a backslash", "it\\'s\\/\\=\\`\\\"\\q\\é\\\\\n", ["it's/=`\"\\q\\é\\"]],
  ["a tab and a line end after a backslash", "a\\\tb\\\nc\td\ne\tf\n", ["a\tb\nc", "e"]],
  ["a tab and a line end after two backslashes", "a\\\\\tb\nc\\\\\nd\n", ["a\\", "c\\", "d"]],
  ["no value", "\\N\tx\n\\\\N\tx\na\\Nb\n", ["<missing>", "\\N", "ab"]],
  ["a backslash with nothing after it", "a\\\r\nb\n", ["<malformed>", "b"]],
  ["empty rows", "a\n\n\r\nb\n", ["a", "<header>", "<header>", "b"]],
])("TabSeparated reads %s", (_, text, urls) => expect(read(text)).toEqual(urls));

test("a header names its columns, with escapes", () => {
  expect(read("id\tpage\\turl\n1\ta\n", "page\turl", true)).toEqual(["<header>", "a"]);
  expect(() => read("id\turi\n", "url", true)).toThrow(
    'no column "url" in the TabSeparated header; the columns are id, uri',
  );
});

test("a key is written with the escapes that ClickHouse writes, and is read back", () => {
  const format = byColumn("1");
  expect(format.quote("http://a/it's\\\t")).toBe("http://a/it\\'s\\\\\\t");
  expect(format.append("a\tb\r\n", "x'")).toBe("a\tb\tx\\'\r\n");
  const every = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join("");
  expect(read(`${format.quote(every)}\t1\n`)).toEqual([every]);
  expect(format.quote("\\N")).toBe("\\\\N");
});

test("the formats of ClickHouse differ in what a backslash is, and TSVRaw is tsv", async () => {
  const cli = async (format: string, input: string, ...args: string[]) =>
    (await runCli(["normalize", "--format", format, ...args], input)).stdout;
  const escaped = "x\\ty\thttp:\\\\\\\\a\\\\b\t\\N\n";
  expect(await cli("TabSeparated", escaped, "--field", "2")).toBe("x\\ty\thttp://a/b\t\\N\n");
  const raw = "x\\ty\thttp:\\\\a\\b\t\\N\n";
  for (const format of ["TSVRaw", "tsv"]) {
    expect(await cli(format, raw, "--field", "2")).toBe("x\\ty\thttp://a/b\t\\N\n");
  }
  const named = "id\turl\n1\tHTTP://A.com/it\\'s\n\\N\t\\N\n";
  expect(await cli("TabSeparated", named, "--header")).toBe(
    "id\turl\n1\thttp://a.com/it\\'s\n\\N\t\\N\n",
  );
});

test.each(ENGINES)("a row that begins with CDX is a header of CDX alone (%s)", async (engine) => {
  const rows = [" CDX", "CDX", "CDX N", ",CDX"].map((first) => [first, "HTTP://A.com"]);
  for (const [format, between] of [
    ["tsv", "\t"],
    ["TabSeparated", "\t"],
    ["TSVRaw", "\t"],
    ["csv", "|"],
  ] as const) {
    const text = rows.map((row) => `${row.join(between)}\n`).join("");
    const flags = ["--format", format, "--field", "2", "--engine", engine];
    if (format === "csv") flags.push("--delimiter", between);
    const { stdout } = await runCli(["normalize", ...flags], text);
    expect(stdout).toBe(text.replaceAll("HTTP://A.com", "http://a.com/"));
  }
});

/** Rows read character by character, as ClickHouse's documentation says. */
function model(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (character === "\\") {
      const next = text[++at] as string;
      const hex = text.slice(at + 1, at + 3);
      if (next === "x" && /^[\da-f]{2}$/i.test(hex)) {
        field += Buffer.from(hex, "hex").toString("latin1");
        at += 2;
      } else if ("0abefnrtv".includes(next)) {
        field += "\0\x07\b\x1b\f\n\r\t\v"["0abefnrtv".indexOf(next)];
      } else if (next !== "N") {
        field += next < " " || "\\`\"'/=".includes(next) ? next : `\\${next}`;
      }
    } else if (character === "\t" || character === "\n") {
      row.push(field);
      field = "";
      if (character === "\n") rows.push(row);
      if (character === "\n") row = [];
    } else field += character;
  }
  return rows;
}

describe("hostile rows of TabSeparated", () => {
  const random = new Random(8123);
  const parts = [
    "\\\\",
    "\\\n",
    "\\\t",
    "\\n",
    "\\x41",
    "\\x4",
    "\\'",
    "\\é",
    "\\",
    "N",
    "\\N",
    "a",
    "http://a/",
    "é",
    "",
    "\\0",
  ];
  const hostileField = () => {
    const text = Array.from({ length: 1 + random.below(4) }, () => random.pick(parts)).join("");
    // A lone backslash would take what parts the fields.
    return /(?<!\\)(?:\\\\)*\\$/.test(text) ? `${text}\\` : text;
  };
  const table = (rows: number, columns: number) => {
    const lines = Array.from({ length: rows }, () =>
      ["f", ...Array.from({ length: columns - 1 }, hostileField)].join("\t"),
    );
    return Buffer.from(`${lines.join("\n")}\n`).toString("latin1");
  };

  test("are read as a plain model reads them, cut at any byte", () => {
    for (let round = 0; round < atLength(150, 6_000, 20_000); round++) {
      const columns = 2 + random.below(3);
      const text = table(1 + random.below(6), columns);
      const column = 1 + random.below(columns - 1);
      const written = new RegExp(
        `^(?:(?:\\\\[^]|[^\\\\\\t\\n])*\\t){${column}}\\\\N(?:[\\t\\n]|$)`,
      );
      const rows = byColumn("1").read(text, START);
      const expected = model(text).map((row, at) => {
        const { start, end } = rows[at] as { start: number; end: number };
        if (end === start + 1) return "<header>"; // an empty row
        return written.test(text.slice(start, end)) ? "<missing>" : (row[column] ?? "<malformed>");
      });
      expect(read(text, String(column + 1))).toEqual(expected);

      const pieces = cutAtRandom(byColumn("1"), text, random);
      expect(pieces.join("")).toBe(text);
      expect(pieces.flatMap((piece) => read(piece, String(column + 1)))).toEqual(expected);
    }
  });

  test("are written again with no other byte changed", () => {
    let written = 0;
    for (let round = 0; round < atLength(150, 5_000); round++) {
      const text = table(1, 4);
      const format = byColumn("3");
      const [record] = format.read(text, START);
      if (record?.kind !== "url") continue;
      written++;
      const key = Array.from({ length: 5 }, () =>
        random.pick(["'", "\\", "\t", "a", "\n", "Ã"]),
      ).join("");
      const again = text.slice(0, record.from) + format.quote(key) + text.slice(record.to);
      const [first = [], ...others] = model(text);
      expect(model(again)).toEqual([first.with(2, key), ...others]);
    }
    expect(written).toBeGreaterThan(atLength(50, 100));
  });

  test("are learned from as they are deduped", () => {
    for (let round = 0; round < atLength(50, 2_000); round++) {
      const text = `a\turl\tb\n${table(1 + random.below(6), 3)}`;
      const reader = new RecordReader("TabSeparated");
      const bytes = Buffer.from(text, "latin1");
      const cut = random.below(bytes.length);
      const records = [
        ...reader.push(Uint8Array.from(bytes.subarray(0, cut)), false),
        ...reader.push(bytes.subarray(cut), true),
      ];
      const urls = read(text, "url", true).filter((url) => !/^(<.*>)?$/.test(url));
      // A URL that is not UTF-8 is malformed in learning.
      const texts = urls.filter((url) => !Buffer.from(url, "latin1").toString().includes("\ufffd"));
      expect(records.map(({ url }) => Buffer.from(url).toString("latin1"))).toEqual(texts);
    }
  });

  test("take time by their length, whatever is in them", () => {
    for (const part of ["\\", "\\\\", "\\\n", "\\\t", "\t\\\\", "\n", "\t", "\\\n\\\t", "a\\"]) {
      const text = `${part.repeat(atLength(30_000, 100_000))}\\\\\n`;
      const records = byColumn("1").read(text, START);
      const end = byColumn("1").boundary()(Buffer.from(text), 0);
      expect(records.at(-1)?.end).toBe(text.length);
      expect([records.at(-1)?.start, records.at(-1)?.end]).toContain(end);
    }
  });
});
