// Measures loading: each time a new process, medians of interleaved rounds. `npm run bench load`
import { spawnSync } from "node:child_process";

const ROUNDS = 15;

const EMPTY = new URL("./load-empty.js", import.meta.url).href;
const MODULES = [EMPTY, "urlmill", "urlmill/js", "urlmill/pool", "urlmill/seen", "urlmill/learn"];

/** Returns the milliseconds to import a module, and those of a first call if it has one. */
function load(module: string): [imported: number, called: number] {
  const script = `
    const started = performance.now();
    const { createNormalizer } = await import(${JSON.stringify(module)});
    const imported = performance.now();
    createNormalizer?.().normalize("HTTP://Example.com/%7e");
    const called = performance.now();
    console.log(JSON.stringify([imported - started, called - imported]));`;
  const args = ["--input-type=module", "-e", script];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return JSON.parse(stdout) as [number, number];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}

const times = new Map(MODULES.map((module) => [module, [] as [number, number][]]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [module, loads] of times) loads.push(load(module));
}
const empty = median((times.get(EMPTY) ?? []).map(([imported]) => imported));
console.log(`Node ${process.version}, medians of ${ROUNDS} processes each, milliseconds`);
console.log(`an empty file    ${empty.toFixed(1)}`);
for (const [module, loads] of times) {
  if (module === EMPTY) continue;
  const over = (median(loads.map(([imported]) => imported)) - empty).toFixed(1);
  const call = median(loads.map(([, called]) => called));
  const first = call < 0.1 ? "" : `, first call ${call.toFixed(1)}`;
  console.log(`${module.padEnd(16)} ${over} more${first}`);
}
