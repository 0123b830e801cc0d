import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { runCli, runCliIn, runProcess, runShell } from "../shared/cli.ts";
import { sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  writeFileSync(path("list"), "http://a/1\nhttp://a/2\n");
  writeFileSync(path("torn"), "http://a/0\nhttp://a/to");
  writeFileSync(path("whole"), "http://a/0\n");
});

/** What a file holds after a script. */
function after(script: string, name: string): string {
  expect(runShell(script, folder)).toEqual({ code: 0, stdout: "", stderr: "" });
  return readFileSync(path(name), "utf8");
}

const LINES = "http://a/1\nhttp://a/2\n";

describe.runIf(process.platform === "linux")("a file that is appended to", () => {
  test.each(
    sampleOf(
      [
        "urlmill dedupe --seen keys list >> torn",
        "urlmill normalize list >> torn",
        "urlmill dedupe --seen keys -o /dev/stdout list >> torn",
        "urlmill dedupe --seen keys -o /dev/fd/5 list 5>> torn",
        "urlmill normalize --errors /dev/stderr -o /dev/fd/1 list >> torn 2>> said",
        "urlmill normalize --emit normalized --threads 2 list >> torn",
      ],
      4,
    ),
  )("gets a line end where its last line has none: %s", (script) => {
    expect(after(script, "torn")).toBe(`http://a/0\nhttp://a/to\n${LINES}`);
  });

  test.each(
    sampleOf(
      [
        ["urlmill dedupe list >> whole", `http://a/0\n${LINES}`],
        ["urlmill dedupe -o /proc/self/fd/1 list >> whole", `http://a/0\n${LINES}`],
        ["(printf 'x\\n'; urlmill dedupe list) > whole", `x\n${LINES}`],
        ["urlmill dedupe list > whole", LINES],
        ["rm whole; urlmill dedupe list >> whole", LINES],
        ["urlmill dedupe -o whole list", LINES],
        // Written over from the beginning, where no line is before.
        ["printf http://a/torn > whole; urlmill dedupe list 1<> whole", LINES],
        ["urlmill dedupe /dev/null >> whole", "http://a/0\n"],
        ["urlmill dedupe /dev/null >> torn; cp torn whole", "http://a/0\nhttp://a/to"],
      ],
      5,
    ),
  )("gets no other byte than its lines else: %s", (script, expected) => {
    expect(after(script, "whole")).toBe(expected);
  });

  test("gets a line end where another command of the same redirection left a line torn", () => {
    expect(after("(printf http://a/to; urlmill dedupe list) > new", "new")).toBe(
      `http://a/to\n${LINES}`,
    );
  });

  test("is not emptied where it is standard output by its name", () => {
    expect(
      after("urlmill normalize --errors /dev/stderr list -o /dev/stdout >> whole", "whole"),
    ).toBe(`http://a/0\n${LINES}`);
  });

  test("keeps every line of runs with keys, one of which was torn", () => {
    const script = `urlmill dedupe --seen keys list >> whole
      printf http://a/to >> whole
      printf 'http://a/2\\nhttp://a/3\\n' | urlmill dedupe --seen keys >> whole`;
    expect(after(script, "whole")).toBe(`http://a/0\n${LINES}http://a/to\nhttp://a/3\n`);
  });

  test("gets a line end, and says so, where the system does not let its last line be read", () => {
    const patch = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
      for (const name of ["openSync", "readFileSync"]) {
        const original = fs[name];
        fs[name] = (path, ...rest) => {
          if (/^\\/(dev|proc)\\//.test(path)) throw new Error("no such thing here");
          return original(path, ...rest);
        };
      }
      syncBuiltinESMExports();`;
    const options = `--import data:text/javascript,${encodeURIComponent(patch).replaceAll("'", "%27")}`;
    const script = `export NODE_OPTIONS='${options}'; urlmill dedupe list >> whole`;
    const { code, stderr } = runShell(script, folder);
    expect(stderr).toMatch(
      /^urlmill: the file that is appended to cannot be read; a line end .*\n$/,
    );
    expect(code).toBe(0);
    expect(readFileSync(path("whole"), "utf8")).toBe(`http://a/0\n\n${LINES}`);
  });
});

describe("--append", () => {
  test.each([
    ["a whole last line", "whole", "http://a/0\n"],
    ["a torn last line", "torn", "http://a/0\nhttp://a/to\n"],
    ["no file", "new", ""],
  ])("writes after %s, in each mode", async (_, name, before) => {
    const bytes = existsSync(path(name)) ? readFileSync(path(name)) : null;
    const modes = ["", " --seen keys", " --map map", " --keep last", " --threads 2"];
    for (const flags of sampleOf(modes, name === "torn" ? 2 : 4)) {
      rmSync(path(name), { force: true });
      if (bytes !== null) writeFileSync(path(name), bytes);
      const result = await runCliIn(folder, `dedupe list --append ${name}${flags}`);
      expect(result).toEqual({ code: 0, stdout: "", stderr: "" });
      expect(readFileSync(path(name), "utf8")).toBe(`${before}${LINES}`);
    }
  });

  test("keeps each day's lines, and says nothing of empty ones", async () => {
    writeFileSync(path("day2"), "http://a/2\nhttp://a/3\n");
    for (const day of ["list", "day2"]) {
      await runCliIn(folder, `dedupe ${day} --seen keys --append all`);
    }
    expect(readFileSync(path("all"), "utf8")).toBe(`${LINES}http://a/3\n`);
    expect((await runCliIn(folder, "normalize --stats all")).stderr).not.toContain("EMPTY");
  });

  test.each(sampleOf(["", " --threads 2", " --keep last", " --flush", " --memory 32M"], 3))(
    "refuses records whose columns are not those of the file%s",
    async (flags) => {
      writeFileSync(path("day1.csv"), "url,b\nHTTP://a/,1\n");
      writeFileSync(path("day2.csv"), "b,url\n2,HTTP://b/\n");
      writeFileSync(path("day3.csv"), "url,b\nHTTP://c/,3\n");
      const add = (day: string, more = "") =>
        runCliIn(folder, `dedupe ${day}.csv --append all.csv${flags}${more}`);
      expect((await add("day1")).code).toBe(0);
      const { code, stderr } = await add("day2");
      expect(code).toBe(2);
      expect(stderr).toContain(
        'all.csv has the columns "url,b", and day2.csv would add "b,url": append to another file',
      );
      writeFileSync(path("other.csv"), "a,b\n1,2\n");
      const other = await runCliIn(folder, `dedupe day1.csv --append other.csv${flags}`);
      expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("other.csv: ")]);
      expect(readFileSync(path("other.csv"), "utf8")).toBe("a,b\n1,2\n");
      expect((await add("day3", " --emit both")).stderr).toContain('"url,b,normalized_url"');
      expect(readFileSync(path("all.csv"), "utf8")).toBe("url,b\nHTTP://a/,1\n");
      expect((await add("day3")).code).toBe(0);
      expect(readFileSync(path("all.csv"), "utf8")).toBe("url,b\nHTTP://a/,1\nHTTP://c/,3\n");
    },
  );

  test.each(sampleOf(["", " --threads 2", " --keep last", " --flush"], 4))(
    "takes sitemaps whose root elements are written otherwise, and refuses a feed%s",
    async (flags) => {
      const day1 = '<urlset xmlns="http://s/"><url><loc>http://a/1</loc></url></urlset>';
      const day2 =
        '<urlset\nxmlns:i="http://i/" xmlns="http://s/"><url><loc>http://a/2</loc></url></urlset>';
      writeFileSync(path("day1.xml"), day1);
      writeFileSync(path("day2.xml"), day2);
      writeFileSync(path("day3.xml"), "<rss><item><link>http://a/3</link></item></rss>");
      const add = (day: string) => runCliIn(folder, `dedupe ${day}.xml --append all.xml${flags}`);
      for (const day of ["day1", "day2"])
        expect(await add(day)).toMatchObject({ code: 0, stderr: "" });
      const { code, stderr } = await add("day3");
      expect(code).toBe(2);
      expect(stderr).toContain("all.xml has the root element");
      expect(stderr).toContain('and day3.xml would add "<rss>": append to another file');
      const all = readFileSync(path("all.xml"), "utf8");
      expect(all.replace("\n<", "<")).toBe(day1 + day2);
      expect((await runCliIn(folder, "dedupe all.xml")).stdout).toBe(all);
    },
  );

  test("needs no name of a descriptor, as on Windows", async () => {
    const patch = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
      for (const name of ["openSync", "readFileSync", "statSync"]) {
        const original = fs[name];
        fs[name] = (path, ...rest) => {
          if (/^\\/(dev|proc)\\//.test(path)) throw new Error("no such thing here");
          return original(path, ...rest);
        };
      }
      const { stat, open } = fs.promises;
      for (const [name, original] of Object.entries({ stat, open })) {
        fs.promises[name] = async (path, ...rest) => {
          if (/^\\/(dev|proc)\\//.test(path)) throw new Error("no such thing here");
          return original(path, ...rest);
        };
      }
      syncBuiltinESMExports();`;
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(patch)}`;
    for (const flags of sampleOf([["--seen", path("keys")], [], ["--threads", "2"]], 3)) {
      writeFileSync(path("torn"), "http://a/0\nhttp://a/to");
      const args = ["dedupe", path("list"), ...flags, "--append", path("torn")];
      expect(await runProcess(args, "", { NODE_OPTIONS })).toEqual({
        code: 0,
        stdout: "",
        stderr: "",
      });
      expect(readFileSync(path("torn"), "utf8")).toBe(`http://a/0\nhttp://a/to\n${LINES}`);
    }
  });

  test.each(
    sampleOf(
      [
        ["dedupe table.csv", "id,url\n"],
        ["dedupe table.csv --seen keys", "id,url\n"],
        ["dedupe table.csv --emit both", "id,url,normalized_url\n"],
        ["dedupe table.csv --keep last", "id,url\n"],
        ["dedupe table.csv --count", "id,url,count\n"],
        ["normalize table.csv --threads 2", "id,url\n"],
      ] as const,
      2,
    ),
  )("writes a header once: %s", async (call, header) => {
    for (const id of [1, 2]) {
      writeFileSync(path("table.csv"), `id,url\n${id},http://a/${id}\n`);
      const result = await runCliIn(folder, `${call} --append all.csv`);
      expect(result).toEqual({ code: 0, stdout: "", stderr: "" });
    }
    const text = readFileSync(path("all.csv"), "utf8");
    expect(text.startsWith(header)).toBe(true);
    const ids = text.split("\n").map((line) => line.split(",")[0]);
    expect(ids).toEqual(["id", "1", "2", ""]);
  });

  test("knows the header of a table that begins with a byte order mark", async () => {
    writeFileSync(path("excel.csv"), "\uFEFFid,url\r\n1,http://a/\r\n");
    writeFileSync(path("more.csv"), "\uFEFFid,url\r\n2,http://b/\r\n");
    const result = await runCliIn(folder, "dedupe more.csv --append excel.csv");
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const text = readFileSync(path("excel.csv"), "utf8");
    expect(text).toBe("\uFEFFid,url\r\n1,http://a/\r\n2,http://b/\r\n");
  });

  test.each([
    ["list --append list", /^urlmill: list cannot be read and written by the same run/],
    ["list --append x --errors x", /^urlmill: x cannot be written twice by the same run/],
    ["list --append x -o y", /^urlmill: --output and --append contradict each other/],
    ["list --append x.gz", /^urlmill: --append x\.gz writes lines after those of a file/],
    ["list --append -", /^urlmill: --append - writes lines after those of a file/],
    ["list --append .", /^urlmill: --append \. is not a file/],
    ["list --append x.parquet", /^urlmill: the name of x\.parquet tells parquet/],
    ["list --append nodir/x", /^urlmill: cannot write nodir\/x: there is no such folder/],
  ])("is refused where it cannot be, and makes no file: %s", async (call, message) => {
    const { code, stderr } = await runCliIn(folder, `dedupe ${call}`);
    expect(stderr).toMatch(message);
    expect([1, 2]).toContain(code);
    expect(readdirSync(folder).toSorted()).toEqual(["list", "torn", "whole"]);
  });

  test.runIf(process.platform === "linux")("names the file in errors", async () => {
    // A limit of the process takes the place of a full disk.
    const script = `ulimit -f 8; trap "" XFSZ; yes http://a/b | head -c 20000 | urlmill normalize --append big`;
    expect(runShell(script, folder).stderr).toMatch(/^urlmill: cannot write big: /);
  });

  test
    .runIf(process.platform === "linux")
    .each(
      sampleOf(
        [
          "urlmill dedupe --seen keys many --append full",
          "urlmill dedupe --seen keys many >> full",
          "cat many | urlmill dedupe --seen keys >> full",
          "urlmill normalize --threads 2 many >> full",
          "urlmill dedupe --threads 1 many > full",
        ],
        3,
      ),
    )("ends with a whole line after a disk was full: %s", (call) => {
    const lines = Array.from({ length: 90_000 }, (_, row) => `http://a.example/page-${row}\n`).join(
      "",
    );
    writeFileSync(path("many"), lines);
    // A limit of the process takes the place of a full disk.
    const { code, stderr } = runShell(`ulimit -f 2000; trap "" XFSZ; ${call}`, folder);
    expect([code, stderr]).toEqual([1, expect.stringContaining("cannot write")]);
    const full = readFileSync(path("full"), "latin1");
    expect(full !== "" && full.endsWith("\n") && lines.startsWith(full)).toBe(true);
    if (!call.includes("keys")) return;
    expect(runShell(call, folder)).toMatchObject({ code: 0 });
    expect(readFileSync(path("full"), "latin1") === lines).toBe(true);
  });

  test("writes records of -z after others, and ends one that is torn by NUL", async () => {
    writeFileSync(path("records"), "http://a/1\0http://a/2\0");
    for (const more of ["http://a/1\0http://a/2\0", "http://a/to"]) {
      expect((await runCliIn(folder, "dedupe -z records --append whole0")).code).toBe(0);
      writeFileSync(path("whole0"), more, { flag: "a" });
    }
    expect((await runCliIn(folder, "dedupe -z records --append whole0")).code).toBe(0);
    const pair = "http://a/1\0http://a/2\0";
    expect(readFileSync(path("whole0"), "utf8")).toBe(`${pair}${pair}${pair}http://a/to\0${pair}`);
  });

  test("leaves what was there after a run that fails", async () => {
    const { code } = await runCli(["dedupe", "--append", path("whole"), path("missing")]);
    expect(code).toBe(1);
    expect(readFileSync(path("whole"), "utf8")).toBe("http://a/0\n");
  });
});
