import { expect, test } from "vitest";
import { address, KernelInstance } from "../../src/engine/wasm/instance.ts";
import { Kernel, ROWS } from "../../src/engine/wasm/kernel.ts";
import { encodePlan } from "../../src/plan/encode/encode.ts";
import { compiledFor, KERNEL, planFor } from "../shared/engine-parts.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { randomRules, urlsForRules } from "../shared/random-rules.ts";

/** Bytes that end lines, or have a meaning in URLs, tables or marks. */
const BYTES = sampleOf([0x0a, 0x0d, 0x20, 0x2f, 0xff], 4);

/** Returns an instance whose memory is full of a byte where a layout for these sizes begins, and loads a plan there. */
function loaded(plan: Uint8Array, capacity: number, byte: number) {
  const { exports } = new KernelInstance(KERNEL);
  expect(exports.reserve(plan.length, 0, capacity, ROWS)).toBe(1);
  const memory = Buffer.from(exports.memory.buffer);
  memory.fill(byte, address(exports.planStart));
  memory.set(plan, address(exports.planStart));
  return { exports, memory, isTaken: exports.loadPlan() === 1 };
}

test.each(BYTES)("lines come out the same where memory held %i before", (byte) => {
  const random = new Random(byte);
  const urls = ["", "http://A", ...urlsForRules(random, 100), ...hostileUrls(byte, 200)];
  const lines = Buffer.from(urls.join("\n"), "latin1");
  for (const options of [{}, { preset: "crawl" as const }, { rules: randomRules(random, 6) }]) {
    const plan = planFor(options);
    const { exports, memory, isTaken } = loaded(plan, lines.length, byte);
    expect(isTaken).toBe(true);
    memory.set(lines, address(exports.inputStart));
    const rows = exports.normalizeLines(lines.length, 1);
    const start = address(exports.outputStart);
    const fresh = new Kernel(plan, lines.length, KERNEL);
    fresh.input.set(lines);
    expect(rows).toBe(fresh.normalizeLines(lines.length, true));
    expect(memory.subarray(start, start + exports.written.value)).toEqual(
      Buffer.from(fresh.output),
    );
    const status = address(exports.statusStart);
    expect(memory.subarray(status, status + rows)).toEqual(
      Buffer.from(fresh.status.subarray(0, rows)),
    );
  }
});

test.each(BYTES)("rows of a column come out the same where memory held %i before", (byte) => {
  const random = new Random(byte);
  // The stops of the first row are the first ones of the block.
  const urls = [
    "http://a.b/?a&utm_id=1",
    "",
    ...urlsForRules(random, 100),
    ...hostileUrls(byte, 200),
  ];
  const rows = urls.map((url) => Buffer.from(url, "latin1"));
  const input = Buffer.concat(rows);
  const starts = Int32Array.of(0, ...rows.map(() => 0));
  for (const [row, { length }] of rows.entries())
    starts[row + 1] = (starts[row] as number) + length;
  for (const options of [{}, { preset: "crawl" as const }, { rules: randomRules(random, 6) }]) {
    const plan = planFor(options);
    const { exports, memory } = loaded(plan, input.length, byte);
    memory.set(input, address(exports.inputStart));
    memory.set(new Uint8Array(starts.buffer), address(exports.inOffsets));
    expect(exports.normalizeColumn(rows.length)).toBe(rows.length);
    const fresh = new Kernel(plan, input.length, KERNEL);
    fresh.input.set(input);
    fresh.inOffsets.set(starts);
    expect(fresh.normalizeColumn(rows.length)).toBe(rows.length);
    const start = address(exports.outputStart);
    const written = memory.subarray(start, start + exports.written.value);
    expect(Buffer.compare(written, Buffer.from(fresh.output))).toBe(0);
  }
});

test.each(BYTES)("wrong plans are refused where memory held %i before", (byte) => {
  const alias = (host: string, target: string) => ({
    host,
    below: false,
    isLabel: false,
    target,
  });
  const isTaken = (...hostAliases: ReturnType<typeof alias>[]): boolean => {
    const plan = encodePlan({ ...compiledFor(), hostAliases }, () => {
      throw new Error("there are no rules");
    });
    return loaded(plan, 64, byte).isTaken;
  };
  expect(isTaken(alias("a.b", "c.d"), alias("c.d", "e.f"))).toBe(true);
  // Hosts that move forever, and a text with the end of a line.
  expect(isTaken(alias("a.b", "c.d"), alias("c.d", "a.b"))).toBe(false);
  expect(isTaken(alias("a.b", "c\nd"))).toBe(false);
});
