import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // The model of power loss runs in the suite, too, with fewer states.
    include: ["test/proofs/*.proof.ts", "test/seen/journal-power-loss.test.ts"],
    env: { URLMILL_POWER_STATES: process.env["URLMILL_POWER_STATES"] ?? "10" },
    testTimeout: 3_600_000,
    root: ".",
  },
});
