import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { testAtLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const root = new URL("../../", import.meta.url);

const A = "load<u64>(half)";
const B = "load<u64>(16 + half)";
const WHOLE_A = "load<u64>(0), load<u64>(8)";
const WHOLE_B = "load<u64>(16), load<u64>(24)";

/** What operations are with SIMD, and the operands of the functions that do one half. */
const VECTORS = {
  eqBytes: ["i8x16.eq(a, b)", A, B],
  neBytes: ["i8x16.ne(a, b)", A, B],
  ltUnsignedBytes: ["i8x16.lt_u(a, b)", A, B],
  gtUnsignedBytes: ["i8x16.gt_u(a, b)", A, B],
  subBytes: ["i8x16.sub(a, b)", A, B],
  splatBytes: ["i8x16.splat(load<i8>(0))", "<i32>load<u32>(0)"],
  swizzleBytes: ["i8x16.swizzle(b, a)", WHOLE_B, A],
  outsideBytes: ["outside(a, b, highRow(), splat(15))", A, WHOLE_B],
  lowerBytes: ["lowered(a)", A],
  addInts: ["i32x4.add(a, b)", A, B],
  subInts: ["i32x4.sub(a, b)", A, B],
  gtSignedInts: ["i32x4.gt_s(a, b)", A, B],
  leUnsignedInts: ["i32x4.le_u(a, b)", A, B],
  // load<i32> would be widened with its sign: a fault of binaryen 131, which tools/lower-simd.mjs tells of.
  splatInts: ["i32x4.splat(load<i32>(0))", "<i32>load<u32>(0)"],
  eqLongs: ["i64x2.eq(a, b)", A, B],
  addLongs: ["i64x2.add(a, b)", A, B],
  splatLongs: ["i64x2.splat(load<i64>(0))", "load<u64>(0)"],
  and: ["v128.and(a, b)", A, B],
  or: ["v128.or(a, b)", A, B],
  xor: ["v128.xor(a, b)", A, B],
  andNot: ["v128.andnot(a, b)", A, B],
};
const NUMBERS = {
  bitmaskBytes: "i8x16.bitmask(a)",
  bitmaskLongs: "i64x2.bitmask(a)",
  anyTrue: "<i32>v128.any_true(a)",
};
const NAMES = [...Object.keys(VECTORS), ...Object.keys(NUMBERS)];

/** Returns a module in which each operation reads a and b at 0 and 16, and writes both results at 32 and 48. */
function compiled(): WebAssembly.Exports {
  const functions = [
    ...Object.entries(VECTORS).map(
      ([name, [simd, ...operands]]) =>
        `v128.store(32, ${simd}); for (let half: usize = 0; half < 16; half += 8) store<u64>(48 + half, ${name}(${operands.join(", ")}));`,
    ),
    ...Object.entries(NUMBERS).map(
      ([name, simd]) => `store<i32>(32, ${simd}); store<i32>(48, ${name}(${WHOLE_A}));`,
    ),
  ].map(
    (body, at) =>
      `export function ${NAMES[at]}_(): void { const a = v128.load(0), b = v128.load(16); ${body} }`,
  );
  const source = `import { ${NAMES.join(", ")} } from "../assembly/lanes";
import { highRow, outside, splat } from "../assembly/url/sets";
import { lowered } from "../assembly/url/component";
${functions.join("\n")}`;
  const asc = fileURLToPath(import.meta.resolve("assemblyscript/bin/asc.js"));
  const flags = "--outFile build/lanes-probe.wasm --enable simd --runtime stub --use abort=";
  writeFileSync(new URL("build/lanes-probe.ts", root), source);
  const args = [asc, "build/lanes-probe.ts", ...flags.split(" "), "--memoryBase", "64"];
  execFileSync(process.execPath, args, { cwd: fileURLToPath(root), stdio: "pipe" });
  const wasm = readFileSync(new URL("build/lanes-probe.wasm", root));
  return new WebAssembly.Instance(new WebAssembly.Module(wasm)).exports;
}

test("the test has each function that lanes.ts exports", () => {
  const text = readFileSync(new URL("assembly/lanes.ts", root), "utf8");
  const exported = [...text.matchAll(/^export function (\w+)/gm)].map(([, name]) => name);
  expect(exported.toSorted()).toEqual(NAMES.toSorted());
});

testAtLength("each operation of lanes.ts does what SIMD does", () => {
  const exports = compiled();
  const { buffer } = exports["memory"] as WebAssembly.Memory;
  const bytes = new Uint8Array(buffer, 0, 64);
  const random = new Random(8);
  const edges = [0, 1, 15, 16, 0x40, 0x41, 0x5a, 0x5b, 0x7f, 0x80, 0x81, 0xfe, 0xff];
  const calls = Object.entries(exports).filter(([name]) => name.endsWith("_"));
  expect(calls.length).toBe(NAMES.length);
  const different = new Set<string>();
  for (let round = 0; round < 20_000; round++) {
    for (let at = 0; at < 32; at++) {
      bytes[at] = random.chance(2) ? random.pick(edges) : random.below(256);
    }
    // Lanes that are the same in both are seldom drawn.
    if (random.chance(2)) bytes.copyWithin(16, 0, random.below(17));
    for (const [name, call] of calls) {
      (call as () => void)();
      if (Buffer.compare(bytes.subarray(32, 48), bytes.subarray(48)) !== 0) different.add(name);
    }
  }
  expect([...different]).toEqual([]);
});
