import type { Values, ValuesOf } from "../../runs/call/flags/flag.ts";
import { processMemory } from "../../threads/process-memory.ts";
import type { CDX_FLAGS } from "./commands.ts";

/** Holds the arguments of a part of `urlmill cdx`. */
export interface CdxArguments extends ValuesOf<typeof CDX_FLAGS> {
  readonly files: readonly string[];
  /** What the call gives for its flags, also for those of options. */
  readonly values: Values;
}

/** The most memory that lines take by default, and the least. */
const MOST = 2 ** 27;
const LEAST = 2 ** 20;
/** The most that WebAssembly of 32 bits can give to lines. */
const LIMIT = 2 ** 32 - 2 ** 26;

/** Returns the bytes that lines may take in memory. */
export function memoryOf({ memory }: Pick<CdxArguments, "memory">): number {
  if (memory !== undefined) return Math.min(LIMIT, memory);
  return Math.max(LEAST, Math.min(MOST, processMemory().free >>> 2));
}
