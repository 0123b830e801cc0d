import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { counted } from "../../src/base/counted.ts";
import { runCli } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";

test("counted takes the form of the number", () => {
  expect([0, 1, 2].map((count) => counted(count, "URL"))).toEqual(["0 URLs", "1 URL", "2 URLs"]);
  expect(counted(2, "address", "addresses")).toBe("2 addresses");
});

test("learn says 1 URL, and 2 URLs", async () => {
  const one = await runCli(["learn"], "http://a/\n");
  expect(one.stderr).toMatch(/^urlmill: 1 URL of 1 site, 0 rules/);
  const two = await runCli(["learn"], "http://a/\nhttp://a/b\nmailto:x@y.z\n");
  expect(two.stderr).toMatch(
    /^urlmill: 2 URLs of 1 site, 0 rules, no fingerprints, 1 record skipped/,
  );
});

test("dedupe --shadow says 1 line", async () => {
  const folder = tempFolder();
  const rules = join(folder, "rules.tsv");
  writeFileSync(rules, "#urlmill-rules 1\n*\t*\tdrop ref\n");
  const args = ["dedupe", "--rules", rules, "--shadow", join(folder, "shadow.tsv")];
  const { stderr } = await runCli(args, "http://a/\n");
  expect(stderr).toBe("urlmill: the rules would have merged 0 of 1 line, and were not applied\n");
});
