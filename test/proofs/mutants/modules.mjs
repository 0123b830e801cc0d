// Says which module a file of assembly/ is compiled to, and the suites that run it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../copy-tree.mjs";

/** `held`: the constant in which a file of src/ holds the module. `suites`: folders, or the beginnings of files. */
export const MODULES = {
  kernel: {
    target: "release",
    entry: "assembly/index.ts",
    held: "kernelBrotli",
    suites: [
      ...["kernel/", "engine/", "spec/", "rules/", "aliases/", "differential/", "api/"],
      ...["seen/tables", "seen/splitters"],
    ],
  },
  scanner: {
    target: "scanner",
    entry: "assembly/records/index.ts",
    held: "SCANNER",
    suites: ["formats/", "cli/escaped-lists"],
  },
  pages: {
    target: "pages",
    entry: "assembly/pages/index.ts",
    held: "PAGE_KERNEL",
    suites: ["parquet/"],
  },
  lists: {
    target: "lists",
    entry: "assembly/lists/index.ts",
    held: "LIST_KERNEL",
    suites: ["differential/lists", "cli/lists"],
  },
  disk: {
    target: "disk",
    entry: "assembly/disk/index.ts",
    held: "DISK_KERNEL",
    suites: ["seen/disk"],
  },
  sort: {
    target: "sort",
    entry: "assembly/sort/index.ts",
    held: "SORT_KERNEL",
    suites: ["cdx/"],
  },
  // Only in the kernel without SIMD. Its test compiles it.
  lanes: { suites: ["kernel/lanes"] },
};

const FOLDERS = { records: "scanner", pages: "pages", lists: "lists", disk: "disk", sort: "sort" };

/** Returns the name of a file's module. */
export function moduleOf(file) {
  return file === "assembly/lanes.ts" ? "lanes" : (FOLDERS[file.split("/")[1]] ?? "kernel");
}

/**
 * Lists the test files that run a module. `kernel/scalar.test.ts` is left out: it compares two kernels of one source, of
 * which only one would have the change.
 */
export function testsOf(name) {
  return readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".test.ts") && file !== "kernel/scalar.test.ts")
    .filter((file) => MODULES[name].suites.some((start) => file.startsWith(start)))
    .map((file) => `test/${file}`)
    .toSorted();
}

/** Lists those that can run in a process that other tests have run in, and that compiled nothing for them. */
export function testsTogetherOf(name) {
  return testsOf(name).filter(runsTogether);
}

function runsTogether(file) {
  // It compiles the source that is on disk.
  if (file === "test/kernel/lanes.test.ts") return false;
  const text = readFileSync(join(ROOT, file), "utf8");
  return !/vi\.(?:mock|resetModules)\(|from "urlmill|^\S.*\bawait\b|^await\b/m.test(text);
}
