import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";

test.each([
  [["HTTP://Example.com/a/../b"]],
  [["HTTP://a/", "HTTP://b/"]],
  [["http://a/?b&a", "--preset", "crawl", "--json"]],
  [["--preset", "crawl", "http://a/?b&a"]],
  [["mailto:A@b.c"]],
])("urlmill %j explains its URLs", async (args) => {
  const explained = await runCli(["explain", ...args]);
  expect(explained.code).toBe(0);
  expect(await runCli(args)).toEqual(explained);
});

test("a lone URL with an error ends with 1, as explain does", async () => {
  const { code, stdout } = await runCli(["http://a b/"]);
  expect(code).toBe(1);
  expect(stdout).toContain("BAD_HOST");
});

test("a command before a URL is never taken for one", async () => {
  const { code, stderr } = await runCli(["explian", "http://a/"]);
  expect(code).toBe(2);
  expect(stderr).toContain("did you mean explain?");
});
