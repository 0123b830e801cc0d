import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

test.each([
  [["HTTP://Example.com/a/../b"], "http://example.com/b\n"],
  [["normalize", "HTTP://a/", "HTTP://b/"], "http://a/\nhttp://b/\n"],
  [["http://a/?b&utm_source=x", "--preset", "crawl"], "http://a/?b\n"],
  [["--preset", "crawl", "http://a/?b&utm_source=x"], "http://a/?b\n"],
  [["--allowed-schemes", "ftp", "ftp:A.c/"], "ftp://a.c/\n"],
  [["normalize", "--form", "surt", "http://a.b/c"], "b,a)/c\n"],
  [["dedupe", "HTTP://a/", "http://a", "http://b/"], "HTTP://a/\nhttp://b/\n"],
])("urlmill %j prints normalized URLs", async (args, stdout) => {
  expect(await runCli(args)).toEqual({ code: 0, stdout, stderr: "" });
});

test("a URL that cannot be normalized ends the command with 1, and prints nothing", async () => {
  const { code, stdout, stderr } = await runCli(["http://a b/"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^urlmill: http:\/\/a b\/ is not a URL: the host .* \(BAD_HOST\)\n$/);
  const asked = await runCli(["normalize", "--on-error", "fail", "http://a b/"]);
  expect(asked.stderr).toContain("line 1 is not a URL (BAD_HOST); stopped (--on-error fail)");
  const kept = await runCli(["normalize", "--on-error", "keep", "http://a b/"]);
  expect(kept).toMatchObject({ code: 0, stdout: "http://a b/\n" });
});

describe("operands are URLs or files", () => {
  const file = join(folder, "list");
  writeFileSync(file, "HTTP://C\n");

  test("not both", async () => {
    expect(await runCli(["normalize", "http://a/", file])).toMatchObject({
      code: 2,
      stderr: `urlmill: http://a/ is a URL, and ${file} is a file: give one kind at a time\n`,
    });
  });

  test("and a URL has no line end", async () => {
    expect((await runCli(["http://a/\nb"])).code).toBe(2);
  });
});

test("a command before a URL is never taken for one", async () => {
  const { code, stderr } = await runCli(["explian", "http://a/"]);
  expect(code).toBe(2);
  expect(stderr).toContain("did you mean explain?");
});

test("explain has colors where --color says so", async () => {
  const explain = async (...flags: string[]) =>
    (await runCli(["explain", ...flags, "HTTP://a"])).stdout;
  expect(await explain("--color", "always")).toContain("\x1b[32mhttp://a/\x1b[39m");
  expect(await explain("--color", "never")).not.toContain("\x1b");
  expect(await explain()).toBe(await explain("--color", "never"));
});
