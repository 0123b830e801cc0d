import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempFolder } from "../shared/temp-folder.ts";

const build = fileURLToPath(new URL("../../playground/build.mjs", import.meta.url));
const hashOf = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

test("the playground is one file that its policy lets load nothing", () => {
  const folder = tempFolder();
  execFileSync(process.execPath, [build, folder]);
  expect(readdirSync(folder)).toEqual(["index.html"]);
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
  const [, script = ""] = /<script>(.*?)<\/script>/s.exec(page) ?? [];
  expect(style.length).toBeGreaterThan(1000);
  expect(script.length).toBeGreaterThan(100_000);
  expect(page).toContain(
    `content="default-src 'none'; script-src ${hashOf(script)} 'wasm-unsafe-eval'; style-src ${hashOf(style)}; worker-src blob:; img-src data:; base-uri 'none'; form-action 'none'"`,
  );
  const rest = page.replace(style, "").replace(script, "");
  expect(rest).not.toMatch(/ src=|@import|url\(|\{\{|undefined|unbuilt/);
});
