import { cpSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Copies the sources of the project, without what is built, to a new temporary folder. Returns the folder. */
export function copyTree(name) {
  const tree = mkdtempSync(join(tmpdir(), `urlmill-${name}-`));
  cpSync(ROOT, tree, {
    recursive: true,
    filter: (path) =>
      !/^(?:node_modules|\.git|dist|build|(?:java|rust)[/\\]target)(?:[/\\]|$)/.test(
        relative(ROOT, path),
      ),
  });
  symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"), "junction");
  return tree;
}
