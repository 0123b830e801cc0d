// One file for each entry point and one for what they share: a module costs a file, and there are fifty.
import { defineConfig } from "rolldown";

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
