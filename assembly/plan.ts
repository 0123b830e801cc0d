/*
 * Memory: the plan region, little-endian 32-bit words. src/plan.ts writes the same layout.
 *
 *   0  version of this layout
 *   4  maxLength: the longest URL in bytes, in and out
 *   8  defaultScheme: a number of scheme.ts, 0 for none
 */
import { planStart } from "./memory";

const PLAN_VERSION: u32 = 1;

export let maxLength: usize = 0;
export let defaultScheme: i32 = 0;

/** Reads the plan the host has written to the plan region. Returns 0 when its version is another. */
export function loadPlan(): i32 {
  if (load<u32>(planStart) !== PLAN_VERSION) return 0;
  maxLength = <usize>load<u32>(planStart, 4);
  defaultScheme = load<i32>(planStart, 8);
  return 1;
}
