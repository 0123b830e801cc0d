import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Installs packages from the registry into a folder, also those for another processor. */
export function installPackages(packages, folder) {
  const install = ["install", "--silent", "--no-save", "--force", "--ignore-scripts"];
  const { status } = spawnSync("npm", [...install, "--prefix", folder, ...packages], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`npm cannot install ${packages.join(" ")}`);
}

/** Installs a major version of Node from the registry into a folder; returns its program. Linux only. */
export function installNode(version, folder, processor = "x64") {
  const target = join(folder, version);
  installPackages([`node-linux-${processor}@${version}`], target);
  return join(target, "node_modules", `node-linux-${processor}`, "bin", "node");
}
