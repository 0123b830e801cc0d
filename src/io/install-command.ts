import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package: its files are two folders below. */
const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Returns the command that puts packages where this one finds them, which depends on how it was installed. No
 * package is loaded from the working folder: whoever made its files would run code.
 */
export function installCommand(packages: readonly string[], home = PACKAGE): string {
  const modules = dirname(join(home, "."));
  const names = packages.join(" ");
  if (/[\\/]_npx[\\/]/.test(modules)) {
    return `npx -p urlmill ${packages.map((name) => `-p ${name} `).join("")}urlmill`;
  }
  if (/[\\/]node_modules$/.test(modules)) {
    return isGlobal(modules) ? `npm i -g ${names}` : `npm i${prefixOf(dirname(modules))} ${names}`;
  }
  return `npm i${prefixOf(home)} ${names}`;
}

/** Returns whether no project owns a folder `node_modules`. npm keeps a list of its packages in those of projects. */
function isGlobal(modules: string): boolean {
  const owned = [join(modules, ".package-lock.json"), join(modules, "../package.json")];
  return !owned.some((file) => existsSync(file));
}

/** Names the folder of a project to npm, where that is not the working folder or above it. */
function prefixOf(project: string): string {
  const isOutside = relative(project, process.cwd()).startsWith("..");
  return isOutside ? ` --prefix ${/\s/.test(project) ? JSON.stringify(project) : project}` : "";
}
