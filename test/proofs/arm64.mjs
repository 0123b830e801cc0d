// Runs suites on Node for ARM64, in the emulator qemu-aarch64: `npm run proof arm64`. Arguments name other suites.
// It needs the packages qemu-user, libc6-arm64-cross and libstdc++6-arm64-cross of Debian, and the registry.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installNode } from "./install-node.mjs";
import { runSuites } from "./other-node.mjs";

/** What a processor could change, in short: the emulator takes thirty times as long. */
const SUITES = [
  "test/kernel",
  "test/engine/kernels.test.ts",
  "test/engine/other-platforms.test.ts",
  "test/api/batches.test.ts",
  "test/spec/digest.test.ts",
  "test/spec/wpt.test.ts",
  "test/seen",
];

/** The suites of stores that the emulator does not run, and why. */
const LEFT_OUT = {
  "test/seen/convert.test.ts":
    "a set on disk that is made takes 2 GB each time: 5.7 GB, and no end in 17 minutes",
  "test/seen/convert-power-loss.test.ts": "as convert.test.ts",
};

/**
 * The emulator keeps 24 bytes for each page of 4 KB that a process reserves. V8 reserves 8 GB for each memory of WebAssembly where it
 * finds accesses out of bounds by traps, which is 48 MB in the emulator, and else the most that the memory may have: 12 MB for 2 GB.
 */
const LITTLE_RESERVED = "--disable-wasm-trap-handler --wasm-max-mem-pages=32768";

const folder = mkdtempSync(join(tmpdir(), "urlmill-arm64-"));
try {
  const node = installNode("24", folder, "arm64");
  const command = `qemu-aarch64 -L /usr/aarch64-linux-gnu "${node}" ${LITTLE_RESERVED}`;
  const native = ["@rolldown/binding-linux-arm64-gnu", "@lmdb/lmdb-linux-arm64"];
  const given = process.argv.slice(2);
  const leftOut = Object.keys(LEFT_OUT).flatMap((file) => ["--exclude", file]);
  runSuites(command, native, folder, given.length > 0 ? given : [...SUITES, ...leftOut]);
} finally {
  rmSync(folder, { recursive: true });
}
