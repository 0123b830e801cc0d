import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "urlmill-checkout-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasGit =
  existsSync(join(root, ".git")) && spawnSync("git", ["--version"]).error === undefined;

test.runIf(hasGit)("a checkout that would have CR LF has the bytes that were committed", () => {
  const git = (...args: string[]): string => execFileSync("git", args, { encoding: "utf8" });
  const clone = join(folder, "clone");
  const wish = ["-c", "core.autocrlf=true", "-c", "core.eol=crlf"];
  git("clone", "--quiet", "--depth", "1", ...wish, `file://${root}`, clone);
  const files = git("-C", clone, "ls-files", "--eol").trimEnd().split("\n");
  const differing = files.filter((line) => {
    const [index, worktree] = line.split(/\s+/);
    return index?.slice(2) !== worktree?.slice(2);
  });
  expect(files.length).toBeGreaterThan(1000);
  expect(differing.slice(0, 10)).toEqual([]);
  expect(files.filter((line) => /^i\/crlf/.test(line))).toEqual([]);
});
