// Compiles the modules of assembly/ by the targets of asconfig.json, as many at a time as there are cores. `npm run build:kernel`
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The files that each target begins with; those that take longest first. */
const ENTRIES = {
  release: ["index.ts"],
  lanes: ["index.ts", "lanes.ts"],
  scanner: ["records/index.ts"],
  disk: ["disk/index.ts"],
  sort: ["sort/index.ts"],
  pages: ["pages/index.ts"],
  lists: ["lists/index.ts"],
};

function compile(target) {
  const asc = fileURLToPath(import.meta.resolve("assemblyscript/bin/asc.js"));
  const files = ENTRIES[target].map((file) => `assembly/${file}`);
  const args = [asc, ...files, "--config", "asconfig.json", "--target", target];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
    child.on("error", reject);
    child.on("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`asc --target ${target} ends with ${code}`));
    });
  });
}

const waiting = Object.keys(ENTRIES);

async function compileWaiting() {
  for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
    await compile(target);
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, compileWaiting));
