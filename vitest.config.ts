import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/**
 * Tests that put something in the place of a module, or load modules anew: they share nothing with others. A test that
 * replaces a global or a method puts it back, and needs no process of its own.
 */
const REPLACING = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `test/${name.replaceAll("\\", "/")}`)
  .filter((file) => /vi\.(?:mock|resetModules)\(/.test(readFileSync(file, "utf8")));

const COMMON = {
  testTimeout: 60_000,
  // A test that expects nothing would pass whatever happens.
  expect: { requireAssertions: true },
  // Each kernel of a test is memory that V8 counts, so it collects often. Its threads for that cost more than they save here.
  // A pool that somebody names may be one of threads, which take no flags of V8.
  execArgv: process.argv.includes("--pool") ? [] : ["--single-threaded-gc"],
  // The command line that was built runs as it is.
  server: { deps: { external: [/\/dist\/.*\.js$/] } },
};

export default defineConfig({
  test: {
    // Tests of processes wait much of their time: one more than there are cores.
    maxWorkers: availableParallelism() + 1,
    // What TypeScript becomes is kept in node_modules for the next run.
    experimental: { fsModuleCache: true },
    projects: [
      // The files of one worker share what they import, which saves a quarter of the time.
      {
        test: {
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: REPLACING,
          isolate: false,
          ...COMMON,
        },
      },
      { test: { name: "isolated", include: REPLACING, ...COMMON } },
    ],
  },
});
