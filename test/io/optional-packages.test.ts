import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageDecoder } from "../../src/io/compression/zstd.ts";
import { installCommand } from "../../src/io/install-command.ts";
import { PACKAGES } from "../../src/parquet/peers.ts";
import { tempFolder } from "../shared/temp-folder.ts";

test("where a package for zstd is missing, the error says what to install", async () => {
  const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  await expect(packageDecoder(() => Promise.reject(missing))).rejects.toThrow(
    "reading .zst takes Node 22.15 or newer, or two packages: npm i fzstd xxhash-wasm",
  );
});

test("an error inside a package for zstd is not taken for a missing package", async () => {
  const broken = new SyntaxError("it is damaged");
  await expect(packageDecoder(() => Promise.reject(broken))).rejects.toBe(broken);
});

const made = tempFolder();

test.each([
  ["with npx", "cache/_npx/0a1b/node_modules/urlmill", null, "npx -p urlmill -p a@1 -p b urlmill"],
  ["with npm i -g", "lib/node_modules/urlmill", null, "npm i -g a@1 b"],
  ["in a project", "p/node_modules/urlmill", "p/package.json", `npm i --prefix ${made}/p a@1 b`],
  [
    "in a folder",
    "q/node_modules/urlmill",
    "q/node_modules/.package-lock.json",
    `npm i --prefix ${made}/q a@1 b`,
  ],
  [
    "in a project with a space",
    "p q/node_modules/urlmill",
    "p q/package.json",
    `npm i --prefix "${made}/p q" a@1 b`,
  ],
  ["from its sources", "urlmill", "urlmill/package.json", `npm i --prefix ${made}/urlmill a@1 b`],
])("packages are installed where urlmill finds them: %s", (_, home, owner, command) => {
  mkdirSync(join(made, home), { recursive: true });
  if (owner !== null) writeFileSync(join(made, owner), "{}");
  expect(installCommand(["a@1", "b"], join(made, home))).toBe(command);
});

test("in its own project the command names no folder", () => {
  expect(installCommand(["a@1"])).toBe("npm i a@1");
});

test("the packages for Parquet are those that package.json names", () => {
  const { peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const wanted of PACKAGES) {
    const [name = "", version = ""] = wanted.split("@");
    expect(peerDependencies[name]).toMatch(new RegExp(`^[~^]${version.replace(".", "\\.")}\\.`));
  }
});
