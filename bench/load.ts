// What loading costs: each time a new process, the median of nine. `npm run bench:load`
import { spawnSync } from "node:child_process";

const RUNS = 9;

const SCRIPT = `
  const started = performance.now();
  const { createNormalizer } = await import("urlmill");
  const imported = performance.now();
  createNormalizer().normalize("HTTP://Example.com/%7e");
  const called = performance.now();
  console.log(JSON.stringify([imported - started, called - imported]));`;

function run(script: string): number[] {
  const args = ["--input-type=module", "-e", script];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return JSON.parse(stdout) as number[];
}

function median(values: readonly number[]): string {
  return (values.toSorted((a, b) => a - b)[values.length >> 1] as number).toFixed(1);
}

const times = Array.from({ length: RUNS }, () => run(SCRIPT));
const EMPTY = JSON.stringify(new URL("./load-empty.js", import.meta.url).href);
const empty = Array.from({ length: RUNS }, () => run(SCRIPT.replace('"urlmill"', EMPTY)));
console.log(`Node ${process.version}, median of ${RUNS} processes, milliseconds`);
console.log(`import "urlmill"                  ${median(times.map(([time]) => time as number))}`);
console.log(`import of an empty module         ${median(empty.map(([time]) => time as number))}`);
console.log(`compile the kernel, first call    ${median(times.map(([, time]) => time as number))}`);
