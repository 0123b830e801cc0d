import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { address, KernelInstance } from "../../src/engine/wasm/instance.ts";
import { Kernel, ROWS } from "../../src/engine/wasm/kernel.ts";
import { unicodeTableBytes } from "../../src/url/idna/table-bytes.ts";
import { KERNEL, planFor } from "../shared/engine-parts.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { randomRules, urlsForRules } from "../shared/random-rules.ts";

const plan = planFor();

test("the kernel imports nothing", () => {
  expect(WebAssembly.Module.imports(KERNEL)).toEqual([]);
});

test("assembly/README.md names every export, and nothing else", () => {
  const readme = readFileSync(new URL("../../assembly/README.md", import.meta.url), "utf8");
  const documented = [...readme.matchAll(/^\| `(\w+)[`(]/gm)].map(([, name]) => name);
  const exported = WebAssembly.Module.exports(KERNEL).map(({ name }) => name);
  expect(documented.toSorted()).toEqual(exported.toSorted());
});

test("dist/kernel.wasm is the module that is embedded", () => {
  const file = readFileSync(new URL("../../dist/kernel.wasm", import.meta.url));
  const exports = WebAssembly.Module.exports(new WebAssembly.Module(file));
  expect(exports).toEqual(WebAssembly.Module.exports(KERNEL));
});

test("both engines read the same bytes of Unicode", () => {
  const table = unicodeTableBytes();
  expect(Buffer.from(new Kernel(plan, 0, KERNEL).bytes.buffer).indexOf(table)).toBeGreaterThan(0);
});

test("the kernel answers by itself, for hosts outside ASCII too", () => {
  const kernel = new Kernel(plan, 4096, KERNEL);
  const input = Buffer.from("http://A/\nhttp://b\u00fccher.de/\nhttp://XN--a/\n");
  kernel.input.set(input);
  expect(kernel.normalizeLines(input.length, true)).toBe(3);
  expect([...kernel.status.subarray(0, 3)]).toEqual([1, 1, 1]);
  expect(Buffer.from(kernel.output).toString()).toBe(
    "http://a/\nhttp://xn--bcher-kva.de/\nhttp://xn--a/\n",
  );
});

test("stops where rows or output run out, and goes on from there", () => {
  const kernel = new Kernel(plan, 1 << 16, KERNEL);
  kernel.input.fill(0x0a);
  expect(kernel.normalizeLines(1 << 16, true)).toBe(1 << 14);
  expect(kernel.consumed).toBe(1 << 14);
  const spaces = Buffer.from(`http://a/${" ".repeat(60_000)}x\n`);
  kernel.setBase(`http://h/${"y".repeat(40_000)}/`);
  kernel.input.set(Buffer.from("z\n".repeat(100)));
  const rows = kernel.normalizeLines(200, true);
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(100);
  expect(kernel.consumed).toBe(rows * 2);
  kernel.input.set(spaces);
  expect(kernel.normalizeLines(spaces.length, true)).toBe(1);
  expect(kernel.output.length).toBe(9 + 3 * 60_000 + 2);
});

test("an instance forgets the plan before, with all that it kept of it", () => {
  const random = new Random(42);
  const urls = Buffer.from(`${urlsForRules(random, 150).join("\n")}\n`, "latin1");
  const instance = new KernelInstance(KERNEL);
  const { exports } = instance;
  const outputOf = (plan: Uint8Array): string => {
    if (exports.reserve(plan.length, 0, urls.length, ROWS) === 0) throw new Error("no memory");
    const bytes = Buffer.from(exports.memory.buffer);
    bytes.set(plan, address(exports.planStart));
    if (exports.loadPlan() === 0) throw new Error("the plan is refused");
    bytes.set(urls, address(exports.inputStart));
    exports.normalizeLines(urls.length, 1);
    const start = address(exports.outputStart);
    return bytes.toString("latin1", start, start + exports.written.value);
  };
  // The same rules in another order lie at the same addresses, and ask for the same of a URL.
  const plans = Array.from({ length: atLength(9, 30) }, (_, at) => {
    const [header = "", ...rules] = randomRules(random, 4).trimEnd().split("\n");
    const preset = at % 3 === 0 ? "crawl" : "safe";
    return [rules, rules.toReversed()].map((lines) =>
      planFor({ preset, rules: [header, ...lines].join("\n") }),
    );
  }).flat();
  for (const plan of [...plans, ...plans]) {
    const kernel = new Kernel(plan, urls.length, KERNEL);
    kernel.input.set(urls);
    kernel.normalizeLines(urls.length, true);
    expect(outputOf(plan)).toBe(Buffer.from(kernel.output).toString("latin1"));
  }
});
