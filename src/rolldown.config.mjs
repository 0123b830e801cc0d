// Builds one file for each entry point and one for the code they share: each of the fifty modules would
// otherwise cost a file.
import { transform } from "esbuild";
import { defineConfig } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { endsWithPath } from "../tools/ends-with-path.mjs";
import { ENTRY_POINTS, LOADED_PACKAGES } from "../tools/entry-points.mjs";

const INDEX = "src/index.ts";
const JAVASCRIPT = "src/platform/javascript.ts";
const POOL = "src/pool/index.ts";
const SEEN = "src/seen/index.ts";
const WORKER = "src/runs/worker.ts";

/** Puts what package.json resolves to the platform's file in the place of src/platform/current.ts. */
const platform = {
  name: "platform",
  resolveId(id) {
    return endsWithPath(id, "/platform/current.ts") ? { id: "#platform", external: true } : null;
  },
};

/** Leaves the command line a file of its own beside the one that starts it, so that a program can run it in its own process. */
const commandLine = {
  name: "command line",
  resolveId(id, importer) {
    return id === "./command-line.ts" && endsWithPath(importer ?? "", "/src/cli/main.ts")
      ? { id: "./command-line.js", external: true }
      : null;
  },
};

/** Puts the platform of a worker that is one file in its place. */
const platformOfWorker = {
  name: "platform of worker",
  resolveId(id, importer) {
    return endsWithPath(id, "/platform/current.ts")
      ? this.resolve(id.replace("current.ts", "worker.ts"), importer)
      : null;
  },
};

/**
 * Returns the file that piscina loads on a thread of the command line or of `learn`. piscina would `require` an ES module, and Node
 * 20 ends the whole process if a thread is stopped in the middle of that. Stopping an import does no harm.
 * For the same reason the JavaScript engine is loaded before any code can `require` it.
 */
const threadOf = (worker) => `"use strict";
const loaded = Promise.all([import("../${worker}.js"), import("../javascript.js")]);
module.exports = async (task) => (await loaded)[0].default(task);
`;

/** The type that bundlers for workers at the edge give to an imported kernel. */
const KERNEL_TYPES = `declare const kernel: WebAssembly.Module;
export default kernel;
`;

/** The worker of a pool is a file to copy, not a function to call. */
const THREAD_TYPES = `declare const run: (task: unknown) => unknown;
export = run;
`;

const assets = {
  name: "assets",
  generateBundle() {
    // Each stands beside the file that names it.
    const threads = {
      "shared/thread.cjs": "cli/worker",
      "shared/learn-thread.cjs": "learn/worker",
    };
    for (const [fileName, worker] of Object.entries(threads)) {
      this.emitFile({ type: "asset", fileName, source: threadOf(worker) });
    }
    this.emitFile({ type: "asset", fileName: "kernel.wasm.d.ts", source: KERNEL_TYPES });
    this.emitFile({ type: "asset", fileName: "pool/thread.d.cts", source: THREAD_TYPES });
  },
};

/** Returns all modules that a module reaches by imports. */
function reach(context, name) {
  const reached = new Set();
  const visit = (id) => {
    if (reached.has(id)) return;
    reached.add(id);
    for (const next of context.getModuleInfo(id)?.importedIds ?? []) visit(next);
  };
  visit(idOf(context, name));
  return reached;
}

const idOf = (context, name) =>
  [...context.getModuleIds()].find((id) => endsWithPath(id, `/${name}`));

const both = (one, other) => new Set([...one].filter((id) => other.has(id)));

/**
 * Divides the code into files by what needs it, so that a program loads few files, and no file for a function that it
 * does not call. The first of these that a module belongs to is its file:
 *
 * - base: what both the core and the JavaScript engine need. The platform's file imports the second, and the first
 *   imports that file.
 * - core: what a normalizer needs at once.
 * - reading: the JavaScript engine, and what few options need.
 * - threads, seen, keys: what the command line shares with pools, sets and Crawlee.
 * - texts: what its shortest answers share with journals and the learner.
 * - journal, formats: what its other answers share with these two.
 * - start, print, help: what the command line needs for its shortest answers, to write them, and to read flags.
 * - worker: what a thread of the command line needs.
 * - command: what else `normalize` and `dedupe` need.
 */
const reached = {};
const reaching = {
  name: "reaching",
  buildEnd() {
    const from = (...names) => new Set(names.flatMap((name) => [...reach(this, name)]));
    const pool = from(POOL);
    const seen = from(SEEN);
    const start = from("src/cli/command-line.ts");
    const print = from("src/io/files/write-text.ts");
    const worker = from(WORKER);
    // It runs when it is loaded.
    worker.delete(idOf(this, WORKER));
    const help = from("src/cli/run-command.ts");
    const command = from("src/cli/handlers.ts");
    const commandLine = new Set([...start, ...print, ...help, ...worker, ...command]);
    const core = from(INDEX);
    const learn = from("src/learn/index.ts");
    const journal = from("src/seen/journal/open-journal.ts");
    const javascript = from(JAVASCRIPT);
    const early = [...core, ...pool, ...seen];
    const isBase = (id) => javascript.has(id) || endsWithPath(id, "/src/base/peer.ts");
    Object.assign(reached, {
      base: new Set([...early.filter(isBase), ...[...javascript, ...early].filter(isSmall)]),
      core,
      reading: javascript,
      threads: both(pool, commandLine),
      seen: both(seen, commandLine),
      keys: both(from("src/crawlee/index.ts"), commandLine),
      texts: both(new Set([...learn, ...journal]), start),
      journal,
      formats: both(learn, commandLine),
      start,
      print,
      help,
      worker,
      command,
    });
  },
};
/** Small files that the command line needs for its shortest answers. */
const SMALL = ["/url/scheme.ts", "/idna/unicode-version.ts"];
const isSmall = (id) => SMALL.some((name) => endsWithPath(id, name));
const GROUPS =
  "base core reading threads seen keys texts journal formats start print help worker command".split(
    " ",
  );
const groups = GROUPS.map((name, at) => ({
  name,
  test: (id) => reached[name].has(id),
  priority: GROUPS.length - at,
}));

const external = [/^node:/, ...LOADED_PACKAGES.map((name) => new RegExp(`^${name}(?:/|$)`))];

/** Refuses code of other packages: NOTICE would have to name it. */
const ownCode = {
  name: "own code",
  buildEnd() {
    const foreign = [...this.getModuleIds()].find(
      (id) => id.includes("node_modules") && !this.getModuleInfo(id)?.isExternal,
    );
    if (foreign !== undefined) this.error(`${foreign} would be bundled: name it in "external"`);
  },
};

/** Matches the definition of a private method, and captures its name. */
const PRIVATE_METHOD = /^\s+(?:static |async |get |set )*\*?#(\w+)\(/gm;
/** Stands for the `#` of a private method during minifying. */
const PRIVATE = "_private_";

/** Keeps the names of private methods for stack traces, because the minifier would shorten all private names. */
const privateMethods = {
  name: "private methods",
  renderChunk(code) {
    if (code.includes(PRIVATE)) throw new Error(`a name with ${PRIVATE} would become private`);
    const names = new Set([...code.matchAll(PRIVATE_METHOD)].map(([, name]) => name));
    if (names.size === 0) return null;
    const uses = new RegExp(`#(${[...names].join("|")})\\b`, "g");
    return { code: code.replaceAll(uses, `${PRIVATE}$1`), map: null };
  },
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === "chunk") chunk.code = chunk.code.replaceAll(PRIVATE, "#");
    }
  },
};

/** Tells webpack and vite that the name of a package is known only when the code runs. */
const LEAVE_ALONE = "/*webpackIgnore: true*//*@vite-ignore*/";

/** Puts line ends back, so that stack traces are readable. */
const compact = {
  name: "compact",
  async generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue;
      // Bundlers look for files that are named by a string literal.
      const named = chunk.code.replaceAll(/new URL\(`([^`$\\]+)`/g, 'new URL("$1"');
      const { code } = await transform(named, { minifyWhitespace: true, lineLimit: 500 });
      // Bundlers leave an import alone where a comment says so.
      chunk.code = code.replaceAll(/\bimport\((?=\w+\))/g, `import(${LEAVE_ALONE}`);
    }
  },
};

/** Shortens local names and private fields. The names of functions, classes and methods stay, for stack traces. */
const minify = {
  compress: { keepNames: { function: true, class: true } },
  mangle: { toplevel: false, keepNames: { function: true, class: true } },
  codegen: { removeWhitespace: true },
};

/** Lets a program without `@types/node` compile the types of what can be disposed of. */
const disposable = {
  name: "disposable",
  renderChunk(code) {
    const isDisposable = code.includes("[Symbol.asyncDispose]");
    return isDisposable ? `/// <reference lib="esnext.disposable" />\n${code}` : null;
  },
};

const output = { dir: "dist", format: "esm", comments: false, minify };

/** Returns the file of each entry point, by its name in `dist`. */
const entryFiles = (fileOf) =>
  Object.fromEntries(ENTRY_POINTS.map(({ file }) => [file, fileOf(file)]));

export default defineConfig([
  {
    input: {
      ...entryFiles((file) => `src/${file}.ts`),
      javascript: JAVASCRIPT,
      "platform/node": "src/platform/node.ts",
      "platform/embedded": "src/platform/embedded.ts",
      "platform/browser": "src/platform/browser.ts",
      "cli/main": "src/cli/main.ts",
      "cli/command-line": "src/cli/command-line.ts",
      "cli/worker": WORKER,
      "learn/worker": "src/learn/threads/worker.ts",
    },
    plugins: [platform, commandLine, assets, ownCode, reaching, privateMethods, compact],
    platform: "neutral",
    external,
    output: {
      ...output,
      entryFileNames: "[name].js",
      chunkFileNames: "shared/[name].js",
      codeSplitting: {
        groups,
      },
    },
  },
  {
    input: { "pool/thread": "src/pool/worker.ts" },
    plugins: [platformOfWorker, privateMethods, compact],
    platform: "node",
    external,
    output: { ...output, format: "cjs", exports: "default", entryFileNames: "[name].cjs" },
  },
  {
    input: entryFiles((file) => `build/types/${file}.d.ts`),
    plugins: [
      dts({ dtsInput: true, emitDtsOnly: true, tsconfig: "src/tsconfig.json" }),
      disposable,
    ],
    external,
    output: { dir: "dist", format: "esm", chunkFileNames: "shared/[name].js" },
  },
]);
