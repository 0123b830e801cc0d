import { BLOCK, DiskKernel } from "../../src/seen/disk/kernel/disk-kernel.ts";

/** Room of each region. */
export const REGION = 1 << 23;
/** The partition of all keys. */
export const PARTITION = 7;

/** A kernel of sets on disk, its calls, and regions of its memory, each as the call that takes it names it. */
export const kernel = new DiskKernel();
export const { calls } = kernel;
const start = Math.ceil(calls.memoryStart() / 16) * 16;
export const [rowsAt, indexAt, filterAt, freshAt, input, output] = Array.from(
  { length: 6 },
  (_, region) => start + region * REGION,
) as [number, number, number, number, number, number];
kernel.reserve(output + REGION + BLOCK);
