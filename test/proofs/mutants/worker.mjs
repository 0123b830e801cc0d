// A process that compiles changes and runs test files with each, until one fails. It is slow to begin and then fast.
import { compile } from "./compile.mjs";
import { MODULES } from "./modules.mjs";
import { Suites } from "./suites.mjs";

/** How far changed modules are optimized here: not at all takes a tenth of the time of the release, and means the same. */
const LEVEL = 0;

/** Bytes of memory at which this process ends. */
const LARGEST = 1.8e9;

const bundles = new Map();
const unchanged = new Map();

const remembered = async (map, key, make) => {
  if (!map.has(key)) map.set(key, await make());
  return map.get(key);
};

/** Returns the module with a change, null if it does not compile, or undefined if it is the same without the change. */
async function compiled(name, sources, level) {
  const own = MODULES[name];
  const before = await remembered(unchanged, `${name} ${level}`, () => compile(own, {}, level));
  const bytes = await compile(own, sources, level);
  if (bytes === null) return null;
  return Buffer.compare(bytes, before) === 0 ? undefined : bytes;
}

const TASKS = {
  /** Runs test files with the module as it is. Returns how long each takes, and which tests fail here. */
  async measure({ name, tests }) {
    const suites = await remembered(bundles, name, () => Suites.of(name));
    const loaded = suites.load(await compile(MODULES[name], {}, LEVEL));
    const measured = [];
    for (const file of tests) {
      const start = performance.now();
      const skipped = await loaded.run(file, [], false);
      measured.push({ file, skipped, ms: performance.now() - start });
    }
    return measured;
  },

  /** Runs test files with a change. Returns what became of it, and by which test. */
  async attempt({ name, sources, tests }) {
    const bytes = await compiled(name, sources, LEVEL);
    if (bytes === null) return { result: "does not compile" };
    if (bytes === undefined) return { result: "the same module" };
    const suites = await remembered(bundles, name, () => Suites.of(name));
    const loaded = suites.load(bytes);
    for (const { file, skipped } of tests) {
      process.send({ running: file });
      const [failed] = await loaded.run(file, skipped, true);
      if (failed !== undefined) return { result: "found", file, by: failed };
    }
    return { result: "not found" };
  },

  /** Compiles a change as the release is. Returns the module in Base64. */
  async release({ name, sources }) {
    const bytes = await compiled(name, sources, 3);
    if (bytes === undefined) return { result: "the same module" };
    return { result: "not found", bytes: Buffer.from(bytes).toString("base64") };
  },
};

process.on("message", async ({ task, ...given }) => {
  try {
    const done = await TASKS[task](given);
    // Test files leave much behind. Another process follows.
    const isFull = process.memoryUsage.rss() > LARGEST;
    process.send({ done, isFull }, () => isFull && process.exit());
  } catch (error) {
    process.send({ error: error.stack });
  }
});
// A test that was stopped may leave a promise behind.
process.on("unhandledRejection", () => {});
process.on("uncaughtException", () => {});
