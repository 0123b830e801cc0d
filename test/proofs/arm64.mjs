// Runs suites on Node for ARM64, in the emulator qemu-aarch64: `npm run proof arm64`. Arguments name other suites.
// It needs the packages qemu-user, libc6-arm64-cross and libstdc++6-arm64-cross of Debian, and the registry.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installNode } from "./install-node.mjs";
import { runSuites } from "./other-node.mjs";

/**
 * What a processor could change, in short: the emulator takes thirty times as long. The suites of all stores and of LMDB take more
 * than 17 GB in it.
 */
const SUITES = [
  "test/kernel",
  "test/engine/kernels.test.ts",
  "test/engine/other-platforms.test.ts",
  "test/api/batches.test.ts",
  "test/spec/digest.test.ts",
  "test/spec/wpt.test.ts",
  "test/seen/journal.test.ts",
  "test/seen/journal-lock.test.ts",
];

const folder = mkdtempSync(join(tmpdir(), "urlmill-arm64-"));
try {
  const command = `qemu-aarch64 -L /usr/aarch64-linux-gnu "${installNode("24", folder, "arm64")}"`;
  const native = ["@rolldown/binding-linux-arm64-gnu", "@lmdb/lmdb-linux-arm64"];
  const given = process.argv.slice(2);
  runSuites(command, native, folder, given.length > 0 ? given : SUITES);
} finally {
  rmSync(folder, { recursive: true });
}
