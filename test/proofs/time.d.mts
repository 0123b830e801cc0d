import type { SpawnOptions } from "node:child_process";

/** What a command took: seconds, those of the processor, its peak memory in MB, and what it said on standard error. */
export interface Took {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peak: number;
  readonly complaint: string;
}

/** Runs a command. */
export function time(
  command: string,
  args: readonly string[],
  options?: SpawnOptions,
): Promise<Took>;
