import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Runs a full garbage collection, after which a WeakRef to what nothing holds is empty. */
export async function collectGarbage(): Promise<void> {
  // A WeakRef keeps its target until the turn it was read in ends.
  await new Promise(setImmediate);
  collect();
  await new Promise(setImmediate);
}
