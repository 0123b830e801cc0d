// Builds the package, in steps: as many at a time as there are cores, each after those whose files it reads. An argument
// names a part: `kernel`, `js`, or `check`, which is all, lint and types. Without one it is all. `npm run build`
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { programOf } from "./program-of.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

const CATALOG = { catalog: { after: [], command: "node tools/write-catalog.mjs" } };

const KERNEL = {
  ...CATALOG,
  unicode: { after: [], command: "node tools/embed-unicode-table.mjs" },
  kernel: {
    after: ["catalog", "unicode"],
    command: "node tools/compile-kernels.mjs release=index.ts",
  },
  // All the others take as long as the kernel.
  modules: {
    after: ["catalog", "unicode"],
    command:
      "node tools/compile-kernels.mjs scanner=records/index.ts disk=disk/index.ts sort=sort/index.ts pages=pages/index.ts lists=lists/index.ts lanes=index.ts,lanes.ts",
  },
  embed: { after: ["kernel", "modules"], command: "node tools/embed-kernel.mjs" },
  scalar: { after: ["modules"], command: "node tools/lower-simd.mjs" },
};

const JS = {
  ...CATALOG,
  types: { after: ["catalog", "embed"], command: "tsc -p src" },
  bundle: { after: ["types"], command: "rolldown -c src/rolldown.config.mjs" },
  documents: { after: ["bundle"], command: "node tools/write-documents.mjs" },
  pythonData: { after: ["bundle"], command: "node tools/write-python-data.mjs" },
  packageData: { after: ["bundle", "scalar"], command: "node tools/write-package-data.mjs" },
  javaOptions: { after: ["packageData"], command: "node tools/write-java-options.mjs" },
  // It reads the flags of commands, and so the code that has the kernel.
  pythonOptions: { after: ["embed"], command: "node tools/write-python-options.mjs" },
};

const CHECK = {
  ...KERNEL,
  ...JS,
  // The check of all types is one of those of src.
  types: { ...JS.types, command: "tsc -p src --noCheck" },
  typecheck: { after: ["bundle"], command: "tsc -p ." },
  lint: { after: [], command: "biome check ." },
};

const PARTS = { kernel: KERNEL, js: JS, all: { ...KERNEL, ...JS }, check: CHECK };

/** Runs a step, and then writes its complaints, and all that it says if it fails. Returns whether it succeeds. */
async function run(name, command) {
  const [program, ...words] = command.split(" ");
  const [file, ...first] = programOf(program);
  const stdio = ["ignore", "pipe", "pipe"];
  const child = spawn(file, [...first, ...words], { cwd: root, stdio });
  const [said, complaints] = [[], []];
  child.stdout.on("data", (text) => said.push(text));
  for (const list of [said, complaints]) child.stderr.on("data", (text) => list.push(text));
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  process.stderr.write(`> ${command}\n${Buffer.concat(code === 0 ? complaints : said)}`);
  if (code !== 0) process.stderr.write(`The step "${name}" ends with ${code}\n`);
  return code === 0;
}

/** Runs steps in their order, as far as those before them allow. Starts none after one that fails. */
async function runSteps(steps) {
  const waiting = new Set(Object.keys(steps));
  const running = new Map();
  const isDone = (name) => !waiting.has(name) && !running.has(name);
  while (waiting.size + running.size > 0) {
    for (const name of waiting) {
      if (running.size === availableParallelism()) break;
      if (!steps[name].after.every(isDone)) continue;
      waiting.delete(name);
      const result = run(name, steps[name].command).then((isGood) => [name, isGood]);
      running.set(name, result);
    }
    const [name, isGood] = await Promise.race(running.values());
    running.delete(name);
    if (!isGood) {
      process.exitCode = 1;
      waiting.clear();
    }
  }
}

const part = process.argv[2] ?? "all";
const steps = PARTS[part];
if (steps === undefined) throw new Error(`${part} is not one of ${Object.keys(PARTS)}`);
if (steps.kernel !== undefined && steps.bundle !== undefined) {
  rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });
}
await runSteps(steps);
