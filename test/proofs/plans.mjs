// Whether plans that somebody changed can harm. `npm run proof plans [COUNT]`
//
// Gives COUNT mutants of six plans (100,000) to both engines: each is refused, or normalizes to the end. Then it times
// the check of a large plan on each engine.
import { readFileSync } from "node:fs";
import { buildSync } from "esbuild";
import { createNormalizer } from "../../dist/index.js";
import { runMutants } from "../shared/run-mutants.mjs";

const { outputFiles } = buildSync({
  entryPoints: ["src/plan/check.ts"],
  bundle: true,
  format: "esm",
  write: false,
});
const code = Buffer.from(outputFiles[0].contents).toString("base64");
const { isSound } = await import(`data:text/javascript;base64,${code}`);

const count = Number(process.argv[2] ?? 100_000);
const { accepted, faults } = await runMutants(0, count);
console.log(`${count} mutants: ${accepted} accepted, ${faults.length} faults`);
for (const fault of faults.slice(0, 20)) console.log(fault);

const { plan } = createNormalizer({
  preset: "crawl",
  rules: rulesOf(100_000),
  pageAliases: aliasesOf(50_000),
  hostAliases: hostAliasesOf(5_000),
});
const kernel = new WebAssembly.Instance(
  new WebAssembly.Module(readFileSync(new URL("../../dist/kernel.wasm", import.meta.url))),
).exports;
kernel.reserve(plan.length, 0, 1024, 16);
new Uint8Array(kernel.memory.buffer).set(plan, kernel.planStart.value >>> 0);
const inKernel = fastest(() => kernel.loadPlan());
const inJavaScript = fastest(() => isSound(plan));
const perByte = (milliseconds) => ((1e6 * milliseconds) / plan.length).toFixed(2);
console.log(
  `rules of 100,000 sites, 50,000 aliases: a plan of ${plan.length} bytes, nanoseconds a byte, best of 9:`,
);
console.log(`  kernel      ${perByte(inKernel)} to check and load`);
console.log(`  JavaScript  ${perByte(inJavaScript)} to check`);
process.exitCode = faults.length === 0 ? 0 : 1;

function rulesOf(sites) {
  const lines = Array.from({ length: sites }, (_, n) => {
    const rule = ["*\tdrop sid,ref", "/t/<N> ?q=1\tset q=2", "*\tsub /x<N><$> => /<1>"][n % 3];
    return `site${n}.example\t${rule}`;
  });
  return ["#urlmill-rules 1", ...lines].join("\n");
}

function aliasesOf(urls) {
  const lines = Array.from(
    { length: urls },
    (_, n) => `site${n >> 3}.example\t/?p=${n}\t/page/${n}`,
  );
  return ["#urlmill-aliases 1", ...lines].join("\n");
}

function hostAliasesOf(hosts) {
  return Object.fromEntries(
    Array.from({ length: hosts }, (_, n) => [`old${n}.example`, `new${n >> 2}.example`]),
  );
}

function fastest(run) {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 9; time++) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}
