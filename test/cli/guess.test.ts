import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { CLI_PATH, runCli } from "../shared/cli.ts";
import { atLength, oneOf, sampleOf, testAtLength } from "../shared/length.ts";
import { readAs } from "../shared/read-as.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { warcResponse } from "../shared/warc.ts";

const folder = tempFolder();
const file = (name: string, data: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, data);
  return path;
};

const CSV = "id,link\n1,HTTP://a\n2,http://a/\n";

describe("the format of a file is that of its name", () => {
  test.each([
    ["a.csv", CSV, "csv", "link", "id,link\n1,HTTP://a\n"],
    ["a.tsv", "HTTP://a\t1\nhttp://a/\t2\n", "tsv", "1", "HTTP://a\t1\n"],
    [
      "a.jsonl",
      '{"url":"HTTP://a"}\n{"url":"http://a/"}\n',
      "jsonl",
      "url",
      '{"url":"HTTP://a"}\n',
    ],
    ["a.ndjson", '{"u":"HTTP://a"}\n{"u":"http://a/"}\n', "jsonl", "u", '{"u":"HTTP://a"}\n'],
    [
      "a.cdx",
      " CDX N b a\na)/ 1 HTTP://a\na)/ 2 http://a/\n",
      "cdx",
      "url",
      " CDX N b a\na)/ 1 HTTP://a\n",
    ],
    ["a.warc", warcResponse("HTTP://a"), "warc", null, "HTTP://a\n"],
  ])("%s", async (name, data, format, field, stdout) => {
    expect(await readAs([file(name, data)])).toEqual({ format, field, stdout });
    const packed = file(`${name}.gz`, gzipSync(Buffer.from(data, "latin1")));
    expect(await readAs([packed])).toEqual({ format, field, stdout });
  });

  test("and --format has priority", async () => {
    const args = ["--format", "lines", file("b.csv", CSV)];
    expect(await readAs(args)).toEqual({ format: "lines", field: null, stdout: CSV });
  });

  test.each([
    ["c.csv", CSV, "c.jsonl", '{"url":"http://a/"}\n'],
    ["c.txt", "http://a/\n", "c2.csv", CSV],
  ])("which must be the same for all: %s, %s", async (name, data, other, otherData) => {
    const { code, stdout, stderr } = await runCli([
      "dedupe",
      file(name, data),
      file(other, otherData),
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("give --format");
  });
});

describe("the first line shows the format of other input", () => {
  const firstLines: readonly [string, string, string, string | null][] = [
    ["a URL", "http://a/\n1,http://b\n", "lines", null],
    ["a URL with commas", "http://a/,b,http://c\nid,url\n", "lines", null],
    ["a blank line", "\nid,url\n", "lines", null],
    ["other text", "one, two\nthree\n", "lines", null],
    ["nothing", "", "lines", null],
    ["a header with url", "id,url\n", "csv", "url"],
    ["a header before a URL", CSV, "csv", "link"],
    ["a URL in the second column", "1,http://a\n", "csv", "2"],
    ["commas, with semicolons inside", "id,note;x,url2\n1,a;http://b,http://c\n", "csv", "url2"],
    ["a header with tabs", "id\turl\n1\thttp://a\n", "tsv", "url"],
    ["JSON", '{"id":1,"page":{"url":"http://a/"}}\n', "jsonl", "page.url"],
    ["CDXJ", 'a)/ 2020 {"url":"http://a/"}\n', "cdxj", "url"],
    [
      "XML",
      "<?xml version='1.0'?>\n<urlset><url><loc>http://a/</loc></url></urlset>\n",
      "sitemap",
      null,
    ],
  ];
  test.each(firstLines)("%s", async (name, input, format, field) => {
    const calls = [[], [file("list", input)], [file("list.gz", gzipSync(input))]];
    // In short runs, each first line comes in one way.
    const turn = firstLines.findIndex(([other]) => other === name);
    for (const call of oneOf(calls, turn))
      expect(await readAs(call, input)).toMatchObject({ format, field });
  });

  test("the first input that is not empty decides", async () => {
    const args = [file("empty", ""), file("table", CSV)];
    expect(await readAs(args)).toMatchObject({ format: "csv", field: "link" });
  });
});

describe("what is not a list", () => {
  const NO_LISTS = [
    [
      '[["urlkey","original"],\n',
      "is a JSON array of arrays, not a list; run: jq -r '.[] | @csv' F|",
    ],
    [
      '{\n  "url": "http://a/"\n}\n',
      "is JSON over several lines, not a list; run: jq -c . F| urlmill",
    ],
    ["<!DOCTYPE html>\n<title>x</title>\n", "is an HTML page, not a list; take"],
    ["\n<html\nlang='en'>\n", "is an HTML page, not a list; take"],
    ["%PDF-1.7\n%\xe2\xe3\n", "is a PDF file, not a list; take"],
    ["\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is a PNG image, not a list; take"],
    ["ORC\n\x06\x12\x04\x08\x01P\0\n7\n\x03\0\0", "is an ORC file, not a list; take"],
    ["ORC\x1c\0\0\xe3b\x17b\xe5\x98", "is an ORC file, not a list; take"],
    ["\x7fELF\x02\x01\x01\0", "is a program (ELF), not a list; take"],
    [
      "http://a/\0http://b/\0",
      "is a binary file (its first line has a NUL byte), not a list; -z reads",
    ],
  ] as const;

  test.each(NO_LISTS)("is refused: %j", async (text, said) => {
    const data = Buffer.from(text, "latin1");
    const list = file("page.txt", data);
    for (const [input, name] of [
      [list, list],
      ["-", "standard input"],
    ] as const) {
      const { code, stdout, stderr } = await runCli(["dedupe", input], data);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      const named = said.replace("F|", input === "-" ? "|" : `${list} |`);
      expect(stderr).toContain(`urlmill: ${name} ${named}`);
      expect(stderr).toMatch(/, or give --format lines to read it as lines\n$/);
    }
    const packed = file("page.gz", gzipSync(data));
    expect((await runCli(["normalize", packed])).stderr).toContain(said.replace("F|", "|"));
  });

  test.each(sampleOf(NO_LISTS, 4))("is read as lines with --format lines: %j", async (text) => {
    const data = Buffer.from(text, "latin1");
    const { code, stdout } = await runCli(["normalize", "--format", "lines"], data);
    expect({ code, lines: stdout.split("\n").length > 0 }).toEqual({ code: 0, lines: true });
  });

  test.each([
    "[link](http://a/)\n",
    "[::1]\n",
    "[\nx\n",
    "[\n",
    "[[wiki]]\n",
    "<http://a/>\n",
    '<a href="http://a/">a</a>\n',
    "<htmlx>\n",
    "<!doctype>\n",
    "%PDF\n",
    "ORC\nhttp://a/\n",
    'x ["a"]\n',
    "a\nb\0\n",
  ])("is not what only begins alike: %j", async (text) => {
    expect(await readAs([], text)).toMatchObject({ format: "lines", stdout: text });
    expect(await readAs([file("alike.txt", text)])).toMatchObject({
      format: "lines",
      stdout: text,
    });
  });

  // In short runs, only the second row of a table comes late.
  testAtLength("is told by bytes that come late", async () => {
    const child = spawn(process.execPath, [CLI_PATH, "dedupe"], { stdio: "pipe" });
    child.stdin.write("[\n");
    setTimeout(() => child.stdin.end('["http://a/"]]'), 300);
    const [code] = await once(child, "exit");
    expect(code).toBe(2);
  });
});

describe("a tab in a list of lines", () => {
  test.each(["http://a/\t200\nhttp://b/\n", " HTTP://a \t x\n", "http://a/\tb"])(
    "after the first URL ends the run: %j",
    async (text) => {
      for (const command of ["normalize", "dedupe"]) {
        const { code, stdout, stderr } = await runCli([command], text);
        expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
        expect(stderr).toContain("give --format tsv --no-header for a table, or --format lines");
      }
    },
  );

  test("may be read as either", async () => {
    const text = "http://a/\t200\nHTTP://b\t404\n";
    const table = await runCli(["normalize", "--format", "tsv", "--no-header"], text);
    expect(table).toMatchObject({ code: 0, stdout: "http://a/\t200\nhttp://b/\t404\n" });
    const lines = await runCli(["normalize", "--format", "lines"], text);
    expect(lines).toMatchObject({ code: 0, stdout: "http://a/200\nhttp://b404/\n" });
    expect(lines.stderr).toContain("2 of 2 lines have a tab inside");
  });

  test("later is counted, and does not end the run", async () => {
    const text = `http://a/\t\n${"http://c/\n".repeat(3)}http://a/\tx\n`;
    const run = await runCli(["dedupe"], text);
    expect(run).toMatchObject({ code: 0, stdout: "http://a/\t\nhttp://c/\nhttp://a/\tx\n" });
    expect(run.stderr).toContain(
      "1 of 5 lines have a tab inside, which is removed from URLs; a table is read with --format tsv --no-header",
    );
    expect((await runCli(["dedupe", "-q"], text)).stderr).toBe("");
    expect((await runCli(["dedupe", "--flush"], "http://a/\tx\n")).code).toBe(0);
  });

  test.each(
    sampleOf(
      [
        "normalize",
        "dedupe",
        "dedupe --keep last",
        "dedupe -c",
        "dedupe -j 2",
        "dedupe --memory 1M",
        "dedupe --on-error fail",
        "normalize --emit both --engine js",
      ],
      5,
    ),
  )("is counted to the end of the list: %s", async (call) => {
    const tabs = atLength(40, 60);
    // More than one chunk; white space at the ends of a line is not a tab inside.
    const lines = Array.from({ length: 1000 * tabs }, (_, at) => {
      const end = at % 1000 === 999 ? "\t1\t2" : at % 7 === 3 ? " \t" : "";
      return `${at % 11 === 5 ? "\t" : ""}http://a.example/page/${at}${end}\n`;
    });
    const list = join(folder, "tabs");
    const said = `urlmill: ${tabs} of ${tabs}000 lines have a tab inside`;
    writeFileSync(list, lines.join(""));
    expect((await runCli([...call.split(" "), list])).stderr).toContain(said);
    expect((await runCli(call.split(" "), lines.join(""))).stderr).toContain(said);
  });

  test("commas change nothing", async () => {
    const text = "http://a/0,1518,druck-1,00.html\nhttp://a/0,1518,druck-1,00.html\n";
    expect(await runCli(["dedupe"], text)).toEqual({
      code: 0,
      stdout: "http://a/0,1518,druck-1,00.html\n",
      stderr: "",
    });
  });
});

describe("the column of the URL", () => {
  test.each([
    ["a,url\nhttp://a,x\n", [], "url"],
    ["a,b\nx,http://a\ny,not\n", [], "b"],
    ["a,a\nx,http://a\n", [], "2"],
    ["1,b\nhttp://a,x\n", [], "1"],
    ["only\nx\n", [], "only"],
    ["a,b\n", [], "a"],
    ["a,b\nx,http://a\n", ["--field", "1"], "1"],
  ])("of %j %j is %s", async (text, flags, field) => {
    expect(await readAs(["--format", "csv", ...flags], text)).toMatchObject({ field });
  });

  test.each([
    ["id|link\n1|http://a\n", [], "the columns are id|link; give --delimiter '|', or --field"],
    ["a,b\nhttp://a,http://b\n", ["--header"], "URLs are in a, b"],
    ["a,b\nx,y\n", [], "no column has URLs"],
    ["a,b\nx,http://a\n", ["--flush"], "with --flush only one named url is taken unasked"],
    ["a,b\nx,http://a\n", ["--base", "http://a/"], "with --base only one named url"],
    ["a,b\nx,http://a\n", ["--seen", join(folder, "seen")], "with --seen only one named url"],
  ])("of %j %j is not clear", async (text, flags, reason) => {
    const { code, stdout, stderr } = await runCli(
      [
        "normalize",
        "--format",
        "csv",
        ...flags.filter((flag) => flag !== "--seen" && !flag.includes("seen")),
      ],
      text,
    );
    if (!flags.includes("--seen")) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(reason);
      expect(stderr).toContain("--field");
      return;
    }
    const kept = await runCli(["dedupe", "--format", "csv", ...flags], text);
    expect(kept).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
  });

  test("of JSON is the only member with URLs", async () => {
    const two = '{"a":"http://a","b":["http://x"]}\n{"a":"http://a/","c":"http://c"}\n';
    const { code, stderr } = await runCli(["dedupe"], two);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: "urlmill: URLs are in a, c: give --field\n",
    });
  });
});

test.each(sampleOf(["a, b\n", "a;b\n", "a|b\n", "x\n"], 4))(
  "--flush answers %j before a second line comes",
  async (line) => {
    const child = spawn(process.execPath, [CLI_PATH, "normalize", "--flush"], { stdio: "pipe" });
    child.stdin.write(line);
    const [first] = (await child.stdout.take(1).toArray()) as Buffer[];
    expect(String(first)).toBe(line);
    child.stdin.end();
  },
);

test("a table is told by its second row, however late that comes", async () => {
  const child = spawn(process.execPath, [CLI_PATH, "dedupe"], { stdio: "pipe" });
  child.stdin.write("id;link\n");
  setTimeout(() => child.stdin.end("1;http://a\n1;http://a/\n"), 500);
  const output = await child.stdout.toArray();
  expect(output.join("")).toBe("id;link\n1;http://a\n");
});

test("a lone column needs no name with --flush, and its first row is no header", async () => {
  const args = ["normalize", "--format", "TabSeparated", "--flush", "--default-scheme", "http"];
  expect((await runCli(args, "A.com\nB.com\n")).stdout).toBe("http://a.com/\nhttp://b.com/\n");
});

test("a header is assumed only where the first row has no URL", async () => {
  const args = ["normalize", "--format", "csv"];
  expect((await runCli(args, "HTTP://b,HTTP\nHTTP://a,x\n")).stdout).toBe(
    "http://b/,HTTP\nhttp://a/,x\n",
  );
  expect((await runCli([...args, "--no-header"], "a,b\nx,HTTP://b\n")).stdout).toBe(
    "a,b\nx,http://b/\n",
  );
});

test("a pipe is answered as soon as its first line shows the format", async () => {
  const child = spawn(process.execPath, [CLI_PATH, "normalize"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.write("HTTP://a\n");
  const [first] = (await child.stdout.take(1).toArray()) as Buffer[];
  expect(String(first)).toBe("http://a/\n");
  child.stdin.end();
});

test("a command that cannot tell the field does not wait for the end of its input", async () => {
  const child = spawn(process.execPath, [CLI_PATH, "normalize", "--flush"], { stdio: "pipe" });
  child.stdin.write("a,b\nx,http://a\n");
  const [code] = await once(child, "exit");
  expect(code).toBe(2);
});

test.runIf(process.platform !== "win32")("what was read of a named pipe is not lost", () => {
  const script = `node "${CLI_PATH}" dedupe <(printf 'HTTP://a\\nhttp://a/\\n') <(printf 'http://b\\n')`;
  expect(execFileSync("bash", ["-c", script], { encoding: "utf8" })).toBe("HTTP://a\nhttp://b\n");
});

test.runIf(process.platform !== "win32")(
  "standard input from a file is read from where it stands",
  () => {
    for (const name of sampleOf(["standing.csv", "standing.csv.gz"], 2)) {
      const list = file(name, name.endsWith(".gz") ? gzipSync(CSV) : CSV);
      const script = `node "${CLI_PATH}" dedupe < "${list}"`;
      expect(execFileSync("bash", ["-c", script], { encoding: "utf8" })).toBe(
        "id,link\n1,HTTP://a\n",
      );
    }
  },
);

test("-r reads the files below a folder in the order of their names", async () => {
  mkdirSync(join(folder, "tree", "b"), { recursive: true });
  for (const [name, text] of [
    ["c.txt", "http://c/\n"],
    ["b/2.txt", "http://b/2\n"],
    ["b/1.txt.gz", "http://b/1\n"],
    [".hidden", "http://hidden/\n"],
    ["a.txt", "http://a/\n"],
  ] as const) {
    writeFileSync(join(folder, "tree", name), name.endsWith(".gz") ? gzipSync(text) : text);
  }
  const { stdout } = await runCli(["dedupe", "-r", join(folder, "tree")]);
  expect(stdout).toBe("http://a/\nhttp://b/1\nhttp://b/2\nhttp://c/\n");
  expect(await runCli(["dedupe", join(folder, "tree")])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("it is a folder; -r reads the files in it"),
  });
  mkdirSync(join(folder, "bare"));
  expect((await runCli(["dedupe", "-r", join(folder, "bare")])).code).toBe(2);
});

test.each([
  ["id;link\n1;HTTP://a\n2;http://a/\n", "id;link\n1;HTTP://a\n", "link"],
  [
    '"Address";"Status"\r\n"http://a";"200"\r\n"http://a/";"x;y"\r\n',
    '"Address";"Status"\r\n"http://a";"200"\r\n',
    "Address",
  ],
  ["1;http://a\n2;http://a/\n", "1;http://a\n", "2"],
  ["url;n\nHTTP://a/;1\nhttp://a;2\n", "url;n\nHTTP://a/;1\n", "url"],
  ["id;link\n1;HTTP://a/x,y\n2;http://a/x,y\n", "id;link\n1;HTTP://a/x,y\n", "link"],
  ['id;link\n"1,2";HTTP://a/x\n2;http://a/x\n', 'id;link\n"1,2";HTTP://a/x\n', "link"],
])("a table of Excel with semicolons is read: %j", async (text, written, field) => {
  const list = file("semicolons.csv", text);
  for (const run of [await runCli(["dedupe", list]), await runCli(["dedupe"], text)]) {
    expect(run).toEqual({ code: 0, stderr: "", stdout: written });
  }
  expect(await readAs([], text)).toMatchObject({ format: "csv", field });
});

test("a column that is named is found in a table with semicolons", async () => {
  const text = "id;link;url\n1;HTTP://a/x,y;http://c\n2;http://a/x,y;http://d\n";
  const expected = { code: 0, stderr: "", stdout: "id;link;url\n1;HTTP://a/x,y;http://c\n" };
  expect(await runCli(["dedupe", "--field", "link", file("named.csv", text)])).toEqual(expected);
  expect(await runCli(["dedupe", "--format", "csv", "--field", "link"], text)).toEqual(expected);
  const other = await runCli(["dedupe", "--format", "csv", "--field", "lnk"], text);
  expect(other).toMatchObject({ code: 2, stdout: "" });
});

test.each([[], ["--no-header"], ["--field", "2"]])(
  "a line for Excel before rows without a header is refused, with what to do: %j",
  async (...flags) => {
    const { code, stderr } = await runCli(["dedupe", ...flags], "sep=;\r\n1;http://a/\r\n");
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "give --header if one does; or leave the line out: tail -n +2 FILE | urlmill … --delimiter ';'".replace(
          "…",
          "\xe2\x80\xa6",
        ),
      ),
    });
  },
);

test.each([
  ["a,b;url\n1;http://a/\n", ";"],
  ["1|http://a\n2|http://b\n", "|"],
])(
  "a pipe of fields with another character between is not read as lines: %j",
  async (text, delimiter) => {
    const { code, stdout, stderr } = await runCli(["dedupe"], text);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`give --delimiter '${delimiter}', or --format lines`);
    expect((await runCli(["dedupe", "--format", "lines"], text)).stdout).toBe(text);
  },
);

test.each([
  ['"id","link"\n"1","http://a/"\n', [], "give --format csv, or --field"],
  ["id,url\n1,http://a/\n", [], "give --format csv, or --field"],
  ['"id","url"\n', ["--seen", join(folder, "seen-tsv")], "give --field"],
  ['"id","url"\n', ["--field", "url"], "for commas give --format csv"],
])("a .tsv by commas gets its hint: %j %j", async (text, flags, hint) => {
  const file = join(folder, "commas.tsv");
  writeFileSync(file, text);
  const { code, stdout, stderr } = await runCli(["dedupe", ...flags, file]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(hint);
});

test("a .tsv of one column of URLs may have commas in them", async () => {
  const file = join(folder, "one.tsv");
  for (const text of ["links, all\nhttp://a/x,y\n", "http://a/x,http://b/\n"]) {
    writeFileSync(file, text);
    expect((await runCli(["dedupe", file])).stdout).toBe(text);
  }
});

test.each([
  ["x.jsonl", ["--format", "csv"], 2],
  ["x.parquet", ["--format", "csv"], 2],
  ["x.parquet", [], 2],
  ["x.tsv", ["--format", "csv"], 0],
  ["x.tsv", ["--format", "lines", "--emit", "both"], 0],
  ["x.csv.gz", ["--format", "csv"], 0],
])("an output named %s with %j ends with %i", async (name, flags, expected) => {
  const { code, stderr } = await runCli(
    ["dedupe", ...flags, "-o", join(folder, name)],
    "http://a/\n",
  );
  expect({ code, stderr }).toMatchObject({ code: expected });
  if (expected !== 0) expect(stderr).toContain("give it another name");
});
