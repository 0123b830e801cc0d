// Memory: reads the plan region.
import { isSound } from "./check-plan";
import { comeToRest } from "./options/rest";
import { readPlan } from "./plan";
import { prepareScan } from "./scan/scan";
import { prepareBlocks } from "./site-rules/block";
import { prepareSites } from "./site-rules/sites";

/**
 * Reads the plan that the host has written to the plan region. Returns 0 if it is of another version or damaged, or
 * if a host would move forever; then nothing may be normalized.
 */
export function loadPlan(): i32 {
  if (!isSound()) return 0;
  readPlan();
  if (!comeToRest()) return 0;
  prepareScan();
  prepareBlocks();
  prepareSites();
  return 1;
}
