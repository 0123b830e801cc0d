import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { atLength, sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = tempFolder();

const hasGit =
  existsSync(join(root, ".git")) && spawnSync("git", ["--version"]).error === undefined;

/** Runs Git in a folder. Returns the lines that it writes. */
function git(cwd: string, args: readonly string[], input = ""): string[] {
  return execFileSync("git", args, { cwd, input, encoding: "utf8" }).trimEnd().split("\n");
}

test.runIf(hasGit)("a checkout that would have CR LF has the bytes that were committed", () => {
  const wish = ["-c", "core.autocrlf=true", "-c", "core.eol=crlf"];
  const files = sampleOf(git(root, ["ls-files", "--stage"]), 8).map((line) => {
    const [entry = "", name = ""] = line.split("\t");
    return { name, committed: entry.split(" ")[1] };
  });
  const names = files.map(({ name }) => `${name}\n`).join("");
  git(root, [...wish, "checkout-index", "--stdin", `--prefix=${folder}/`], names);
  const found = git(folder, ["hash-object", "--no-filters", "--stdin-paths"], names);
  const differing = files.filter(({ committed }, at) => found[at] !== committed);
  expect(found.length).toBeGreaterThan(atLength(125, 1000));
  expect(differing.slice(0, 10)).toEqual([]);
  const endings = git(root, ["ls-files", "--eol"]);
  expect(endings.filter((line) => /^i\/crlf/.test(line))).toEqual([]);
});
