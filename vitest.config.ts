import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const texts = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `test/${name.replaceAll("\\", "/")}`)
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));
const filesWith = (mark: RegExp): string[] =>
  texts.filter(({ text }) => mark.test(text)).map(({ file }) => file);

/**
 * Tests that put something in the place of a module, or load modules anew: they share nothing with others. A test that
 * replaces a global or a method puts it back, and needs no process of its own.
 */
const REPLACING = filesWith(/vi\.(?:mock|resetModules)\(/);

/**
 * Tests that take long, and say why in their first line. They run at full length (`npm run proof suite`), and where files or
 * folders are named.
 */
const LEFT_OUT =
  ["1", "2"].includes(process.env["URLMILL_LONG"] ?? "") ||
  process.argv.slice(2).some((argument) => /(?:^|[\\/])test[\\/]/.test(argument))
    ? []
    : filesWith(/^\/\/ At full length only: /);

const COMMON = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
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
          exclude: [...REPLACING, ...LEFT_OUT],
          isolate: false,
          ...COMMON,
        },
      },
      { test: { name: "isolated", include: REPLACING, exclude: LEFT_OUT, ...COMMON } },
    ],
  },
});
