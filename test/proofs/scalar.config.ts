import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Runs the suites that go through the kernel at full length, on the kernel without SIMD. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^.*\/kernel-brotli\.generated\.ts$/, replacement: beside("scalar-brotli.ts") },
    ],
  },
  test: {
    include: [
      "test/{aliases,api,differential,engine,kernel,rules,spec}/*.test.ts",
      "test/proofs/without-simd.proof.ts",
    ],
    // It compares the two kernels.
    exclude: ["test/kernel/scalar.test.ts"],
    env: { URLMILL_LONG: process.env["URLMILL_LONG"] ?? "1" },
    testTimeout: 240_000,
    expect: { requireAssertions: true },
    root: ".",
  },
});
