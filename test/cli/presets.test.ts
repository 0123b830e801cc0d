import { expect, test } from "vitest";
import { PRESETS } from "../../src/options/catalog.generated.ts";

import { runCli } from "../shared/cli.ts";

test.each([
  [["presets", "toString"], /^urlmill: there is no preset "toString": safe, crawl/],
  [["presets", "safe", "crawl"], /^urlmill: presets takes at most one name\n$/],
  [["schema", "x"], /^urlmill: schema takes no arguments\n$/],
])("%j is a wrong call", async (args, message) => {
  const refused = await runCli(args);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toMatch(message);
});

test("presets NAME prints that preset alone", async () => {
  expect(JSON.parse((await runCli(["presets", "crawl"])).stdout)).toEqual(PRESETS.crawl);
});
