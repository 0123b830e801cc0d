// Why each package is here. tools/write-dependencies.mjs writes docs/dependencies.md from this, and a test compares.

/** What urlmill needs to run, and what it loads only where somebody asks for that. */
export const USED = {
  piscina: "worker threads of the pool, with an API that Node teams know",
  "apache-arrow": "tables of Arrow for `urlmill/arrow`",
  fzstd: "zstd for Node before 22.15",
  htmlparser2: "reads pages for `declarations` and `fingerprint`",
  hyparquet: "reads Parquet",
  "hyparquet-compressors": "the codecs of Parquet that Node lacks",
  "hyparquet-writer": "writes Parquet",
  ioredis: "sets in Redis and in its clusters",
  lmdb: "sets that several processes share",
  "xxhash-wasm": "checksums of zstd for Node before 22.15",
};

/** What builds and tests urlmill. Nothing of this is installed with it. */
export const DEVELOPED_WITH = {
  "@apify/utilities": "compared with urlmill: the keys of Crawlee",
  "@arethetypeswrong/cli": "checks the packed types in the release",
  "@biomejs/biome": "lint and format",
  "@crawlee/cheerio": "runs the examples for Crawlee",
  "@jazzer.js/core": "runs the fuzz targets (libFuzzer)",
  "@rollup/plugin-node-resolve": "rollup in the proof of bundlers",
  "@types/node": "types of the oldest Node that is supported",
  "@types/tr46": "types of `tr46`",
  "@types/whatwg-url": "types of `whatwg-url`",
  assemblyscript: "compiles the kernel",
  "axe-core": "checks that the site and reports are accessible",
  "csv-parse": "compared with urlmill: CSV",
  esbuild: "bundles in tests",
  "fast-check": "random values for properties",
  "fast-uri": "compared with urlmill",
  "normalize-url": "compared with urlmill",
  "playwright-core": "drives Chromium",
  publint: "checks the package in the release",
  pyright: "checks a user's Python project",
  "robots-parser": "runs an example that asks a site",
  rolldown: "bundles the package",
  "rolldown-plugin-dts": "bundles its types",
  rollup: "bundles in tests, as users do",
  tinybench: "measures",
  tr46: "compared with urlmill: international hosts",
  typescript: "types",
  vite: "bundles in tests, as users do",
  vitest: "runs the tests",
  webpack: "bundles in tests, as users do",
  "whatwg-url": "compared with urlmill: the URL Standard",
};

/** What the packages of Python need. */
export const PYTHON = {
  wasmtime: "runs the kernel; the only package that is needed",
};
