import { addressSpace } from "./process-memory.ts";

/** The address space of a heap of JavaScript. V8 reserves 0.6 GB of it for the first thread, on Node 20. */
export const HEAP_SPACE = 2 ** 30;
/** The address space of a thread that has a kernel besides its heap: 10 GB more. */
export const KERNEL_SPACE = 11 * 2 ** 30;

/**
 * Returns the number of threads that a limit on the address space (`ulimit -v`) has room for, at most `wanted`. V8 ends
 * the whole process if a thread cannot reserve its heap, so there must be room for all of them: `each` bytes for each,
 * and a heap for what the calling thread will still take. Returns 0 if that thread must do all the work.
 */
export function threadsThatFit(wanted: number, each: number, root?: string): number {
  const { free } = addressSpace(root);
  return Math.max(0, Math.min(wanted, Math.floor((free - HEAP_SPACE) / each)));
}
