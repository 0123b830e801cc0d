import { join } from "node:path";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));

/** Returns the path of a built file. `URLMILL_DIST` names the folder of a package that is installed elsewhere. */
export function builtFile(name: string): string {
  return join(process.env["URLMILL_DIST"] ?? DIST, name);
}
