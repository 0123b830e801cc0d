import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests that put something in the place of a module or a global. */
const REPLACING = [
  "test/api/options.test.ts",
  "test/engine/kernels.test.ts",
  "test/seen/journal-directory.test.ts",
  "test/seen/journal-power-loss.test.ts",
];

export default defineConfig({
  test: {
    // Tests of processes wait much of their time: one more than there are cores.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // The files of one worker share what they import, which saves a quarter of the time.
      {
        test: {
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: REPLACING,
          isolate: false,
          testTimeout: 60_000,
        },
      },
      { test: { name: "isolated", include: REPLACING, testTimeout: 60_000 } },
    ],
  },
});
