import { readFileSync } from "node:fs";

/**
 * The address space that a thread takes: 10 GB for its kernel, and a heap of JavaScript. V8 ends the whole process if a
 * thread cannot reserve its heap, so there must be room for all of them.
 */
const THREAD_BYTES = 11 * 2 ** 30;

/**
 * Returns the number of threads to start: `wanted`, or 1 if a limit on the address space (`ulimit -v`) has no room for
 * them. Only Linux says what the limit is.
 */
export function threadsThatFit(wanted: number, read: (file: string) => string = readProc): number {
  const limit = /^Max address space\s+(\d+)\s/m.exec(read("limits"))?.[1];
  if (wanted === 1 || limit === undefined) return wanted;
  const used = 1024 * Number(/^VmSize:\s+(\d+) kB$/m.exec(read("status"))?.[1] ?? 0);
  return Number(limit) - used >= wanted * THREAD_BYTES ? wanted : 1;
}

function readProc(file: string): string {
  if (process.platform !== "linux") return "";
  try {
    return readFileSync(`/proc/self/${file}`, "latin1");
  } catch {
    return ""; // a container without /proc
  }
}
