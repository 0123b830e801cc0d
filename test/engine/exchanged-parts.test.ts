import { expect, test } from "vitest";
import { loadPlan } from "../../src/engine/js/load-plan.ts";
import { address, KernelInstance } from "../../src/engine/wasm/instance.ts";
import type { NormalizerOptions } from "../../src/index.ts";
import { KERNEL, planFor } from "../shared/engine-parts.ts";
import { atLength, sampleOf } from "../shared/length.ts";

const rules = (...lines: string[]): string => ["#urlmill-rules 1", ...lines].join("\n");

/** Options whose plans have parts of every kind. */
const OPTIONS: readonly NormalizerOptions[] = [
  {
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
      // Each a byte shorter than what it replaces is at least.
      "a.org\t*\tsub /h/<H><$> => /as-long-as-it-can",
      "a.org\t*\tsub /t/<T><$> => /ab",
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

/** `after`: bytes that are in memory after those of the plan. */
function isTakenByKernel(plan: Uint8Array, after = new Uint8Array(0)): boolean {
  if (exports.reserve(plan.length, 0, 64, 1) === 0) throw new Error("no memory");
  const memory = new Uint8Array(exports.memory.buffer);
  memory.set(plan, address(exports.planStart));
  memory.set(after, address(exports.planStart) + plan.length);
  return exports.loadPlan() === 1;
}

function isTakenByJs(plan: Uint8Array): boolean {
  try {
    return loadPlan(plan) !== null;
  } catch (error) {
    expect(error).toMatchObject({ code: "ENGINE_FAILED" });
    return false;
  }
}

/** Returns the words of a plan, and where those are that can be the address of a part. */
function partsOf(options: NormalizerOptions) {
  const plan = planFor(options);
  const words = new Uint32Array(plan.slice().buffer);
  const addresses = [...words.keys()].filter((at) => {
    const value = words[at] as number;
    return value >= 48 && value < plan.length && value % 4 === 0;
  });
  return { words, addresses, parts: [...new Set(addresses.map((at) => words[at] as number))] };
}

/** Returns the plan with another word at a place. */
function withWord(words: Uint32Array, at: number, value: number): Uint8Array {
  const other = words.slice();
  other[at] = value;
  return new Uint8Array(other.buffer);
}

test.each(OPTIONS)(
  "engines take the same plans where one part is in the place of another: %j",
  (options) => {
    const { words, addresses, parts } = partsOf(options);
    const pairs = sampleOf(
      addresses.flatMap((at) => parts.map((part) => [at, part] as const)),
      2,
    );
    const taken = { kernel: 0, wrong: [] as (readonly [number, number])[] };
    for (const [at, part] of pairs) {
      const bytes = withWord(words, at, part);
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

/** What is close to a word, and what is far from it. */
const VALUES: readonly ((word: number) => number)[] = [
  (word) => word + 1,
  (word) => word - 1,
  (word) => word + 4,
  (word) => word - 4,
  (word) => word * 2,
  (word) => word >>> 1,
  (word) => word ^ 0x0100,
  (word) => word ^ 0x8000_0000,
  () => 0,
];

test.each(OPTIONS)("engines take the same plans where a word is another: %j", (options) => {
  const { words } = partsOf(options);
  // In short each word gets every other value, and the next word the others.
  const changes = sampleOf(
    [...words.keys()].flatMap((at) => VALUES.map((change) => [at, change] as const)),
    2,
  );
  const taken = { kernel: 0, wrong: [] as [number, string][] };
  for (const [at, change] of changes) {
    const bytes = withWord(words, at, change(words[at] as number));
    const isTaken = isTakenByKernel(bytes);
    if (isTaken) taken.kernel++;
    if (isTaken !== isTakenByJs(bytes)) taken.wrong.push([at, `${change}`]);
  }
  expect(taken.wrong).toEqual([]);
  expect(taken.kernel).toBeGreaterThan(changes.length / 10);
  expect(taken.kernel).toBeLessThan((2 * changes.length) / 3);
});

/** Words that a part which is moved has: of the kinds that have a length of their own, none of OPTIONS has more. */
const LONGEST = 96;

test.each(OPTIONS)(
  "engines take the same plans that end in a part or in its midst: %j",
  (options) => {
    const { words, addresses } = partsOf(options);
    const taken = { kernel: 0, wrong: [] as [number, number][] };
    for (const at of addresses) {
      const first = (words[at] as number) / 4;
      const part = words.subarray(first, first + LONGEST);
      for (let length = 1; length <= part.length; length += atLength(3, 1)) {
        const plan = new Uint32Array([...words, ...part.subarray(0, length)]);
        plan[at] = 4 * words.length;
        const bytes = new Uint8Array(plan.buffer);
        const isTaken = isTakenByKernel(bytes, new Uint8Array(part.slice(length).buffer));
        if (isTaken) taken.kernel++;
        if (isTaken !== isTakenByJs(bytes)) taken.wrong.push([at, length]);
      }
    }
    expect(taken.wrong).toEqual([]);
    expect(taken.kernel).toBeGreaterThan(addresses.length);
  },
);
