// Runs the test suite on Node 20, 22, 24 and 26, each installed from the registry into a temporary
// folder. Linux on x64 only.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installNode } from "./install-node.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "urlmill-nodes-"));
const versions = process.argv.length > 2 ? process.argv.slice(2) : ["20", "22", "24", "26"];
const run = (command, args, cwd) => spawnSync(command, args, { cwd, stdio: "inherit" }).status;

let failed = 0;
try {
  for (const version of versions) {
    const node = installNode(version, folder);
    console.log(`\nNode ${version}`);
    run(node, ["--version"], root);
    if (run(node, ["node_modules/vitest/vitest.mjs", "run", "--reporter=dot"], root) !== 0)
      failed++;
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = failed === 0 ? 0 : 1;
