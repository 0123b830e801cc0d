// Memory: reads the plan region.
import { readPlan } from "./plan";
import { prepareScan } from "./scan/scan";
import { prepareBlocks } from "./site-rules/block";
import { prepareSites } from "./site-rules/sites";

/** Reads the plan that the host has written to the plan region. Returns 0 if it is of another version. */
export function loadPlan(): i32 {
  if (!readPlan()) return 0;
  prepareScan();
  prepareBlocks();
  prepareSites();
  return 1;
}
