import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The program that bundlers bundle. */
export const PROGRAM = join(root, "test/shared/bundled-program.mjs");
/**
 * Lists the packages that a bundle of a pool or a journal leaves out, because they load files of
 * their own.
 */
export const EXTERNAL = ["piscina"];
/** What the program prints without a bundler. */
export const EXPECTED = run(PROGRAM);

/** An empty folder for a bundle, in the project, so that a bundle finds what it leaves out. */
export function bundleFolder(name: string): string {
  const folder = join(root, "build/bundles", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Puts the worker of a pool beside a bundle, which webpack does by itself. */
export function copyWorker(folder: string): void {
  copyFileSync(join(root, "dist/pool/thread.cjs"), join(folder, "thread.cjs"));
}

/** Runs a program and returns what it prints. */
export function run(file: string): string {
  return execFileSync(process.execPath, [file], { encoding: "utf8" });
}
