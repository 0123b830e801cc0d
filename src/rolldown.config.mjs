// One file for each entry point and one for what they share: a module costs a file, and there are fifty.
import { defineConfig } from "rolldown";

// What piscina loads on a thread. It would `require` an ES module, and Node 20 ends the whole process where a
// thread is stopped in the middle of that; an import is just left.
const THREAD = `"use strict";
const worker = import("./worker.js");
module.exports = async (task) => (await worker).default(task);
`;

const threads = {
  name: "threads",
  generateBundle() {
    for (const folder of ["pool", "cli"]) {
      this.emitFile({ type: "asset", fileName: `${folder}/thread.cjs`, source: THREAD });
    }
  },
};

export default defineConfig({
  input: {
    index: "src/index.ts",
    js: "src/js.ts",
    "pool/index": "src/pool/index.ts",
    "pool/worker": "src/pool/worker.ts",
    "seen/index": "src/seen/index.ts",
    "learn/index": "src/learn/index.ts",
    "cli/main": "src/cli/main.ts",
    "cli/worker": "src/cli/worker.ts",
  },
  plugins: [threads],
  platform: "neutral",
  external: [
    /^node:/,
    "fs-native-extensions",
    "piscina",
    "fzstd",
    "xxhash-wasm",
    "lmdb",
    "ioredis",
  ],
  output: {
    dir: "dist",
    format: "esm",
    sourcemap: true,
    entryFileNames: "[name].js",
    chunkFileNames: "shared/[name]-[hash].js",
  },
});
