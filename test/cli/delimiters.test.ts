import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { atLength, shareOf } from "../shared/length.ts";
import { readAs } from "../shared/read-as.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const file = (name: string, data: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, data);
  return path;
};

describe("--delimiter", () => {
  const semicolons = 'id;link;note\n1;HTTP://a/;"x;y"\n2;http://a;"a ""b"""\n3;"http://b/;c";\n';

  test.each(["wasm", "js"])(
    "is between the fields of csv, read and written (%s)",
    async (engine) => {
      const args = ["--delimiter", ";", "--engine", engine];
      expect(await readAs(args, semicolons)).toMatchObject({ format: "csv", field: "link" });
      const both = await runCli(["normalize", "--emit", "both", ...args], semicolons);
      expect(both.stdout).toBe(
        'id;link;note;normalized_url\n1;HTTP://a/;"x;y";http://a/\n2;http://a;"a ""b""";http://a/\n3;"http://b/;c";;"http://b/;c"\n',
      );
      const commas = await runCli(["normalize", ...args], "a;http://b/,c\n");
      expect(commas.stdout).toBe("a;http://b/,c\n");
    },
  );

  test("may be a tab, and makes any file csv", async () => {
    const list = file("tabs.txt", 'id\turl\n1\t"HTTP://a\tb"\n');
    const { stdout } = await runCli(["normalize", "--delimiter", "tab", list]);
    expect(stdout).toBe("id\turl\n1\thttp://ab/\n");
  });

  test.each([
    ['"', [], "one ASCII character"],
    [";;", [], "one ASCII character"],
    ["é", [], "one ASCII character"],
    [";", ["--format", "tsv"], "--delimiter is for csv"],
  ])("is not %j %j", async (delimiter, flags, reason) => {
    const { code, stderr } = await runCli(
      ["normalize", "--delimiter", delimiter, ...flags],
      "a;b\n",
    );
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
  });
});

describe.each(["wasm", "js"] as const)("--escape (%s)", (engine) => {
  const rows = [
    "id,text,url\n",
    '1,"say \\"hi\\", you",HTTP://a/%7ex\n',
    '2,"a\\\\",http://b/\n',
    "3,plain,HTTP://A/~x\n",
    '4,"two\\\n\\"lines",http://d/\n',
    '5,x,"HTTP://e/\\"y,z"\n',
  ];
  const text = rows.join("");
  const run = (command: string, ...flags: string[]) =>
    runCli([command, "--engine", engine, "--escape", "\\", ...flags], text);
  const without = (...left: number[]): string =>
    rows.filter((_, at) => !left.includes(at)).join("");

  test("reads quotes after a backslash, in all ways to run", async () => {
    const expected = { code: 0, stderr: "", stdout: without(3) };
    expect(await run("dedupe")).toEqual(expected);
    const ways = [
      ["--threads", "2"],
      ["--seen", join(folder, `escaped-${engine}`)],
    ];
    for (const way of shareOf(ways, engine)) expect(await run("dedupe", ...way)).toEqual(expected);
    expect(await run("dedupe", "--keep", "last")).toEqual({ ...expected, stdout: without(1) });
    const list = file(`escaped-${engine}.csv`, text);
    const counted = await runCli(["dedupe", "-c", "--escape", "\\", "--engine", engine, list]);
    expect(counted.stdout).toContain('1,"say \\"hi\\", you",HTTP://a/%7ex,2\n');
    const direct = await runCli(["dedupe", "--escape", "\\", "--engine", engine, list]);
    expect(direct).toEqual(expected);
  });

  test("writes a URL that must be quoted alike", async () => {
    const { stdout } = await run("normalize", "--no-header", "--field", "3", "--emit", "both");
    expect(stdout.split("\n").at(-2)).toBe('5,x,"HTTP://e/\\"y,z","http://e/%22y,z"');
    const normalized = await run("normalize");
    expect(normalized.stdout.split("\n").at(-2)).toBe('5,x,"http://e/%22y,z"');
  });
});

test("quotes after a backslash are named where rows cannot be read", async () => {
  const hint = "urlmill: rows have \\\" in quotes: add --escape '\\'\n";
  const shown = await runCli(["dedupe"], 'text,url\n"say \\"hi\\"",http://a/\n');
  expect(shown.stderr).toContain(hint);
  for (const [text, ...flags] of [
    ['text,url\n"a""b",x\n'],
    ['text,url\n"say \\"hi\\"",http://a/\n', "--quiet"],
    ['text,url\n"say" so,http://a/\n'],
    ['text,url\n"a\\",http://a/\n'],
  ] as const) {
    expect((await runCli(["dedupe", ...flags], text)).stderr).not.toContain("--escape");
  }
});

test.each([
  [["--escape", '"'], "--escape is a backslash"],
  [["--escape", ""], "--escape is a backslash"],
  [["--escape", "\\", "--format", "tsv"], "--escape is for csv"],
  [["--escape", "\\", "--delimiter", "\\"], "--delimiter and --escape are one character"],
  [["--escape", "\\", "-z"], "-z is for lines"],
])("%j is refused", async (flags, reason) => {
  const { code, stderr } = await runCli(["normalize", ...flags], "a,b\n");
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
});

describe.each(["wasm", "js"])("-z (%s)", (engine) => {
  const list = "HTTP://a\0http://a/\0http://b/c\nd\0http://b/cd\0x\0x\0http://last";
  const run = (command: string, ...flags: string[]) =>
    runCli([command, "-z", "--engine", engine, ...flags], list);

  test("ends lines at NUL, and a line end inside is part of the URL", async () => {
    expect((await run("dedupe")).stdout).toBe("HTTP://a\0http://b/c\nd\0x\0http://last\0");
    expect((await run("normalize")).stdout).toBe(
      "http://a/\0http://a/\0http://b/cd\0http://b/cd\0x\0x\0http://last/\0",
    );
    const both = await run("dedupe", "--emit", "both", "--on-error", "empty");
    expect(both.stdout).toBe(
      "http://a/\tHTTP://a\0http://b/cd\thttp://b/c\nd\0http://last/\thttp://last\0",
    );
    expect((await run("dedupe", "-c", "-d")).stdout).toBe(
      "      2 HTTP://a\0      2 http://b/c\nd\0      2 x\0",
    );
  });

  test("is listed by --map and --errors without the NUL", async () => {
    const [map, errors] = [join(folder, "z.map"), join(folder, "z.errors")];
    await run("dedupe", "--map", map, "--errors", errors);
    expect(readFileSync(map, "utf8")).toBe(
      "http://a/\thttp://a/\nhttp://b/cd\thttp://b/cd\nx\tx\n",
    );
    expect(readFileSync(errors, "utf8")).toBe("5\tNO_SCHEME\tx\n6\tNO_SCHEME\tx\n");
  });

  test("gives what sort -z and lines without line ends inside give, over many chunks", async () => {
    const lines = Array.from(
      { length: atLength(8_000, 40_000) },
      (_, row) => `HTTP://A/${row % atLength(5_000, 9_000)}/${"x".repeat(20)}`,
    );
    for (const command of ["normalize", "dedupe"]) {
      // Chunks of one thread are small.
      const threads = atLength("1", "2");
      const args = [command, "--engine", engine, "--threads"];
      const byNul = await runCli([...args, threads, "-z"], `${lines.join("\0")}\0`);
      const byLf = await runCli([...args, "1", "--format", "lines"], `${lines.join("\n")}\n`);
      expect(byNul.stdout === byLf.stdout.replaceAll("\n", "\0")).toBe(true);
    }
  });
});

test("-z is for lines alone", async () => {
  for (const flags of [
    ["--format", "csv"],
    ["--delimiter", ";"],
    ["--field", "1"],
  ]) {
    expect((await runCli(["normalize", "-z", ...flags], "http://a/\0")).code).toBe(2);
  }
});
