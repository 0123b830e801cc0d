import { readdirSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Waits until a process has a file without a name open, as temporary files are. Only Linux lists them. */
export async function untilDeletedFileIsOpen(pid: number | undefined): Promise<void> {
  while (!linksOf(`/proc/${pid}/fd`).some((name) => name.endsWith(" (deleted)"))) await sleep(20);
}

function linksOf(folder: string): string[] {
  return readdirSync(folder).map((fd) => linkOf(`${folder}/${fd}`));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // it was closed meanwhile
  }
}
