import { expect, test } from "vitest";
import { JsEngine } from "../../src/engine/js/engine.ts";
import { address, KernelInstance } from "../../src/engine/wasm/instance.ts";
import type { NormalizerOptions } from "../../src/index.ts";
import { KERNEL, planFor } from "../shared/engine-parts.ts";
import { sampleOf } from "../shared/length.ts";

const rules = (...lines: string[]): string => ["#urlmill-rules 1", ...lines].join("\n");

/** Options whose plans have parts of every kind. */
const OPTIONS: readonly NormalizerOptions[] = [
  {
    preset: "crawl",
    allowedSchemes: ["http", "ftp"],
    dropParams: ["a*", "sid"],
    keepParams: ["*x"],
    defaultParams: { page: "1" },
    directoryIndex: ["index.html"],
    hostAliases: { "old.org": "new.org" },
    sites: { "*.b.org": { fragment: "keep" } },
  },
  {
    hostAliases: { "old.org": "new.org" },
    rules: rules(
      "a.org\t/t/<N> ?q&!r\tkeep id,q",
      "a.org\t* ?x=1\tdropif x=1",
      "a.org\t*\tsub /print/<N><$> => /<1>",
      "a.org\t/old/*\tpath /old/*/x/... => /<1>/<2>",
      "\tnot\t/a/b",
      "a.org\t/in\tsink /in",
    ),
    pageAliases: "#urlmill-aliases 1\na.org\t/p/1\t/p/one\nb.org\t/m?p=<7..12>\t/y",
  },
  {
    rules: rules(
      "*.a.org\t*\tdrop ref<*>,<*>clid",
      "\tunless\tx.a.org\t/t/... ?q",
      "*.org\t* ?q\tdropif <*>d=x<H8>-<T3>",
      "*\t*\tsub /<N3> => /",
    ),
  },
];

const { exports } = new KernelInstance(KERNEL);

function isTakenByKernel(plan: Uint8Array): boolean {
  if (exports.reserve(plan.length, 0, 64, 1) === 0) throw new Error("no memory");
  new Uint8Array(exports.memory.buffer).set(plan, address(exports.planStart));
  return exports.loadPlan() === 1;
}

function isTakenByJs(plan: Uint8Array): boolean {
  try {
    return new JsEngine(plan, "a test") !== null;
  } catch (error) {
    expect(error).toMatchObject({ code: "ENGINE_FAILED" });
    return false;
  }
}

test.each(OPTIONS)(
  "engines take the same plans where one part is in the place of another: %j",
  (options) => {
    const plan = planFor(options);
    const words = new Uint32Array(plan.slice().buffer);
    /** Words that can be the address of a part. */
    const addresses = [...words.keys()].filter((at) => {
      const value = words[at] as number;
      return value >= 48 && value < plan.length && value % 4 === 0;
    });
    const parts = [...new Set(addresses.map((at) => words[at] as number))];
    const pairs = sampleOf(
      addresses.flatMap((at) => parts.map((part) => [at, part] as const)),
      5,
    );
    const taken = { kernel: 0, wrong: [] as (readonly [number, number])[] };
    for (const [at, part] of pairs) {
      const other = words.slice();
      other[at] = part;
      const bytes = new Uint8Array(other.buffer);
      const isTaken = isTakenByKernel(bytes);
      if (isTaken) taken.kernel++;
      if (isTaken !== isTakenByJs(bytes)) taken.wrong.push([at, part]);
    }
    expect(taken.wrong).toEqual([]);
    expect(taken.kernel).toBeGreaterThan(pairs.length / 100);
    expect(taken.kernel).toBeLessThan(pairs.length / 2);
    expect(pairs.length).toBeGreaterThan(150);
  },
);
