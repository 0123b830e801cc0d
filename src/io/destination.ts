import { readFileSync } from "node:fs";
import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** Links that a name may lead through, as many as Linux follows. */
const MAX_LINKS = 40;

/** Returns the file that writing to a name would make: where links to it and to its directory lead. */
export async function destination(name: string): Promise<string> {
  let path = resolve(name);
  for (let links = 0; links < MAX_LINKS; links++) {
    const folder = await realpath(dirname(path)).catch(() => dirname(path));
    path = join(folder, basename(path));
    const found = await lstat(path).catch(() => null);
    if (found?.isSymbolicLink() !== true) break;
    path = resolve(folder, await readlink(path));
  }
  return path;
}

/**
 * Returns whether something is mounted on a file, as containers do it. Another file cannot take its place. Only Linux says it
 * (proc(5), mountinfo).
 */
export function isMountPoint(path: string): boolean {
  return mountPoints().includes(path);
}

function mountPoints(): string[] {
  try {
    const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
    return lines.map((line) => unescaped(line.split(" ")[4] ?? ""));
  } catch {
    return []; // another system, or a container without /proc
  }
}

/** Blanks and backslashes are written as octal numbers. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
