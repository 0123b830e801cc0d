// Memory: reads the plan region.
import { readPlan } from "./plan";
import { prepareBlocks } from "./rule-block";
import { prepareSites } from "./rule-sites";
import { prepareScan } from "./scan";

/** Takes the plan the host has written to the plan region. Returns 0 when its version is another. */
export function loadPlan(): i32 {
  if (!readPlan()) return 0;
  prepareScan();
  prepareBlocks();
  prepareSites();
  return 1;
}
