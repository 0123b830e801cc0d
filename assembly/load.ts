// Memory: reads the plan region.
import { readPlan } from "./plan";
import { prepareScan } from "./scan/scan";
import { prepareBlocks } from "./site-rules/block";
import { prepareSites } from "./site-rules/sites";

/** Takes the plan the host has written to the plan region. Returns 0 when its version is another. */
export function loadPlan(): i32 {
  if (!readPlan()) return 0;
  prepareScan();
  prepareBlocks();
  prepareSites();
  return 1;
}
