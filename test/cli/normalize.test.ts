import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli, runProcess } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const file = (name: string): string => join(folder, name);

describe.each(sampleOf(ENGINES, 2))("urlmill normalize --engine %s", (engine) => {
  const normalize = (args: string[], input: string | Uint8Array = "") =>
    runCli(["normalize", "--engine", engine, ...args], input);

  test("writes one line per line in, in order", async () => {
    const result = await normalize([], "HTTP://A.com\nhttp://b.com/\nhttp://c.com/%7e\n");
    expect(result).toEqual({
      code: 0,
      stdout: "http://a.com/\nhttp://b.com/\nhttp://c.com/~\n",
      stderr: "",
    });
  });

  test("takes LF and CR LF, and a last line without an end", async () => {
    const result = await normalize([], "http://a.com\r\nhttp://b.com/\r\nhttp://c.com");
    expect(result.stdout).toBe("http://a.com/\nhttp://b.com/\nhttp://c.com/\n");
  });

  test("writes nothing for an empty file", async () => {
    expect(await normalize([])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("counts empty lines, NUL bytes and broken UTF-8, each by its line number", async () => {
    const errors = file(`${engine}.tsv`);
    const input = "\nhttp://a\0b/\nhttp://a/\0x\nhttp://a/\xff\nhttp://\xff/\n  \nhttp://a/\n";
    const result = await normalize(["--errors", errors, "--stats"], input);
    expect(result.stdout).toBe(
      "\nhttp://a\0b/\nhttp://a/%00x\nhttp://a/%FF\nhttp://\xff/\n  \nhttp://a/\n",
    );
    expect(readFileSync(errors, "latin1")).toBe(
      "1\tEMPTY\t\n2\tBAD_HOST\thttp://a\\x00b/\n5\tBAD_HOST\thttp://\\xff/\n6\tEMPTY\t  \n",
    );
    expect(JSON.parse(result.stderr)).toMatchObject({
      lines: 7,
      unchanged: 1,
      changed: 2,
      errors: 4,
      errorsByCode: { EMPTY: 2, BAD_HOST: 2 },
      engine,
    });
  });

  test("says on standard error that lines were no URLs", async () => {
    const result = await normalize([], "nothing\n");
    expect(result.stdout).toBe("nothing\n");
    expect(result.stderr).toMatch(/^urlmill: 1 line is not a URL, kept as it was; --errors FILE/);
  });

  test("leaves failed lines empty, or stops at the first, when asked to", async () => {
    const input = "HTTP://a/\n/x\nhttp://b/\n";
    expect((await normalize(["--on-error", "empty"], input)).stdout).toBe(
      "http://a/\n\nhttp://b/\n",
    );
    expect(await normalize(["--on-error", "fail"], input)).toEqual({
      code: 1,
      stdout: "http://a/\n",
      stderr: "urlmill: line 2 is not a URL (NO_SCHEME); stopped (--on-error fail)\n",
    });
  });

  test("passes a line of many megabytes on as it is, and counts it", async () => {
    const long = Buffer.alloc(atLength(4_000_000, 50_000_000), "a");
    const input = Buffer.concat([Buffer.from("HTTP://a/\n"), long, Buffer.from("\nhttp://b\n")]);
    const errors = file(`${engine}-long.tsv`);
    const result = await normalize(["--errors", errors], input);
    expect(result.code).toBe(0);
    expect(result.stdout.length).toBe("http://a/\n".length + long.length + "\nhttp://b/\n".length);
    expect(result.stdout.startsWith("http://a/\naaa")).toBe(true);
    expect(result.stdout.endsWith("aaa\nhttp://b/\n")).toBe(true);
    const listed = readFileSync(errors, "latin1");
    expect(listed.startsWith("2\tTOO_LONG\taaa")).toBe(true);
    expect(listed.length).toBe("2\tTOO_LONG\t\n".length + long.length);
    expect((await normalize(["--on-error", "empty"], input)).stdout).toBe(
      "http://a/\n\nhttp://b/\n",
    );
    expect((await normalize(["--on-error", "fail"], input)).code).toBe(1);
  });

  test("holds the limit exactly, with LF and CR LF", async () => {
    const fits = `http://a/${"x".repeat(11)}`;
    const input = `${fits}\r\n${fits}y\r\n${fits}\n${fits}y\n${fits}`;
    const result = await normalize(["--max-length", "20", "--on-error", "empty"], input);
    expect(result.stdout).toBe(`${fits}\n\n${fits}\n\n${fits}\n`);
  });

  test("resolves against --base and completes with --default-scheme", async () => {
    const based = await normalize(["--base", "http://h/a/b"], "../c\n?q\n//x\nhttps://y\n");
    expect(based.stdout).toBe("http://h/c\nhttp://h/a/b?q\nhttp://x/\nhttps://y/\n");
    const completed = await normalize(["--default-scheme", "https"], "a.com/x\n//b\nc.com:8080\n");
    expect(completed.stdout).toBe("https://a.com/x\nhttps://b/\nhttps://c.com:8080/\n");
  });

  test("reads several files, each as lines of its own", async () => {
    writeFileSync(file("one.txt"), "http://a");
    writeFileSync(file("two.txt"), "http://b\n");
    const result = await normalize([file("one.txt"), "-", file("two.txt")], "http://c\n");
    expect(result.stdout).toBe("http://a/\nhttp://c/\nhttp://b/\n");
  });
});

describe("urlmill", () => {
  test("explains a wrong call in one line and exits with 2", async () => {
    const wrong: [string[], RegExp][] = [
      [
        ["normalize", "--frob"],
        /^urlmill: Unknown option '--frob'; see urlmill normalize --help\n$/,
      ],
      [["normalize", "--map", "x"], /^urlmill: Unknown option '--map'/],
      [
        ["normalize", "--on-error", "skip"],
        /^urlmill: --on-error is one of keep, empty, fail, not "skip"\n$/,
      ],
      [
        ["normalize", "--preset", "wild"],
        /^urlmill: option preset cannot be "wild": expected safe, crawl/,
      ],
      [
        ["normalize", "--max-length", "x"],
        /^urlmill: option maxLength cannot be "x": expected a whole number from 1 to 67108864\n$/,
      ],
      [
        ["normalize", "--base", "nowhere"],
        /^urlmill: the base is not an absolute URL \(NO_SCHEME\): nowhere\n$/,
      ],
      [
        ["normalise"],
        /^urlmill: there is no command "normalise"; did you mean normalize\? See urlmill --help\n$/,
      ],
      [[], /^urlmill: which command\?/],
    ];
    for (const [args, message] of wrong) {
      const result = await runCli(args, "http://a\n");
      expect(result.stderr).toMatch(message);
      expect(result).toMatchObject({ code: 2, stdout: "" });
    }
  });

  test("names a file it cannot read or write and exits with 1", async () => {
    const read = await runCli(["normalize", file("missing")]);
    expect(read).toMatchObject({ code: 1, stdout: "" });
    expect(read.stderr).toBe(`urlmill: cannot read ${file("missing")}: there is no such file\n`);
    const write = await runCli(["normalize", "--errors", folder], "nothing\n");
    expect(write).toMatchObject({ code: 1 });
    expect(write.stderr).toBe(`urlmill: cannot write ${folder}: it is a folder\n`);
  });

  test("prints help and version on standard output", async () => {
    expect((await runCli(["--help"])).stdout).toMatch(/urlmill normalize/);
    expect((await runCli(["dedupe", "--help"])).stdout).toMatch(
      /--emit +original, normalized, both/,
    );
    const manifest = JSON.parse(
      readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
    );
    expect((await runCli(["--version"])).stdout).toBe(`${manifest.version} (Unicode 18.0.0)\n`);
  });

  test("takes the engine from the environment", async () => {
    const result = await runProcess(["normalize", "--stats"], "http://a/\n", {
      URLMILL_ENGINE: "js",
    });
    expect(JSON.parse(result.stderr)).toMatchObject({ engine: "js" });
    expect(await runProcess(["normalize"], "", { URLMILL_ENGINE: "java" })).toMatchObject({
      code: 2,
    });
  });
});
