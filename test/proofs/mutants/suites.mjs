// Runs test files of the project in this process, one module of assembly/ after the other in the place of the one that
// is built.
import { readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { constants, Script } from "node:vm";
import { brotliCompressSync, constants as zlib } from "node:zlib";
import { build } from "esbuild";
import * as vitest from "vitest";
import { startTests } from "vitest/internal/browser";
import { ROOT } from "../copy-tree.mjs";
import { MODULES, testsTogetherOf } from "./modules.mjs";

/** The name under which the bundle finds the module that runs. */
const GLOBAL = "moduleThatRuns";
const require = createRequire(import.meta.url);

/** Holds the test files of a module as one script. Each run evaluates it anew, so that nothing of another run stays. */
export class Suites {
  #script;
  #externals;

  static async of(name) {
    const suites = new Suites();
    const { outputFiles, metafile } = await bundle(name);
    suites.#script = new Script(`(exports, require) => {${outputFiles[0].text}\n}`, {
      filename: `${name}.tests.cjs`,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    const names = Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external).map(({ path }) => path),
    );
    suites.#externals = new Map([["vitest", vitest]]);
    for (const each of new Set(names)) {
      if (!isBuiltin(each) && each !== "vitest") {
        suites.#externals.set(each, await import(each).catch(() => undefined));
      }
    }
    return suites;
  }

  /** Evaluates the script. Returns what runs test files with these bytes as the module. */
  load(bytes) {
    const params = { [zlib.BROTLI_PARAM_QUALITY]: 1 };
    globalThis[GLOBAL] = brotliCompressSync(bytes, { params }).toString("base64");
    const exports = {};
    this.#script.runInThisContext()(exports, (name) => this.#externals.get(name) ?? require(name));
    return new Loaded(exports.files);
  }
}

class Loaded {
  #files;

  constructor(files) {
    this.#files = files;
  }

  /**
   * Runs a test file, without the tests whose names are in `skipped`. Returns the names of the tests that failed, no more
   * than one if `bail` is true. A file that cannot be loaded fails under its own name.
   */
  async run(file, skipped, bail) {
    const runner = new Runner(this.#files, skipped, bail);
    const [task] = await startTests([file], runner);
    if (runner.failed.length === 0 && task.result?.state === "fail" && !skipped.includes(file)) {
      runner.failed.push(file);
    }
    return runner.failed;
  }
}

/** Runs tests as Vitest does, in this process. */
class Runner {
  failed = [];
  config = {
    root: ROOT,
    setupFiles: [],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxConcurrency: 1,
    sequence: { hooks: "stack", shuffle: false, concurrent: false, seed: 1 },
    passWithNoTests: true,
    allowOnly: false,
    tags: [],
  };
  #files;
  #skipped;
  #bail;

  constructor(files, skipped, bail) {
    this.#files = files;
    this.#skipped = skipped;
    this.#bail = bail;
  }

  importFile(path) {
    return this.#files[path]();
  }

  onBeforeRunTask(test) {
    const ends = this.#bail && this.failed.length > 0;
    if (ends || this.#skipped.includes(nameOf(test))) test.mode = "skip";
  }

  /** Throws a short error: that of a large list would take seconds to print. */
  async runTask(test) {
    try {
      await vitest.TestRunner.getTestFn(test)();
    } catch (error) {
      throw new Error(`${error?.message}`.slice(0, 200));
    }
  }

  onAfterRunTask(test) {
    if (test.result?.state === "fail") this.failed.push(nameOf(test));
  }
}

function nameOf(test) {
  const names = [];
  for (let task = test; task !== undefined; task = task.suite) names.unshift(task.name);
  return names.join(" > ");
}

function bundle(name) {
  const entries = testsTogetherOf(name).map((file) => `"${file}": () => require("./${file}")`);
  return build({
    stdin: { contents: `exports.files = {${entries.join(",\n")}};`, resolveDir: ROOT },
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    packages: "external",
    logLevel: "error",
    plugins: [{ name: "module", setup: ({ onLoad }) => onLoad({ filter: /\.ts$/ }, onFile(name)) }],
  });
}

function onFile(name) {
  return ({ path }) => {
    const text = readFileSync(path, "utf8");
    const url = JSON.stringify(pathToFileURL(path).href);
    if (text.includes(`export const ${MODULES[name].held}:`)) {
      return { contents: `export const ${MODULES[name].held} = ${GLOBAL};`, loader: "ts" };
    }
    // The command line of the sources, which have the module, not that of the build.
    const isCli = relative(ROOT, path) === join("test", "shared", "cli.ts");
    const own = isCli ? text.replace("(COMMAND_LINE)", '("../../src/cli/command-line.ts")') : text;
    return { contents: own.replaceAll("import.meta.url", url), loader: "ts" };
  };
}
