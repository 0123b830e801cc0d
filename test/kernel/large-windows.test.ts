import { expect, test } from "vitest";
import { Kernel } from "../../src/engine/wasm/kernel.ts";
import { LARGEST_MAX_LENGTH } from "../../src/options/catalog.generated.ts";

import { KERNEL, planFor } from "../shared/engine-parts.ts";
import { testAtLength } from "../shared/length.ts";

const plan = planFor({ preset: "crawl" });

/** What a kernel makes of some lines. */
function linesOf(kernel: Kernel, text: string): string {
  const bytes = Buffer.from(text);
  kernel.input.set(bytes);
  kernel.normalizeLines(bytes.length, true);
  return Buffer.from(kernel.output).toString();
}

testAtLength(
  "a window of the longest URL there can be, with the longest base, lies above 2 GiB and works",
  () => {
    const kernel = new Kernel(plan, 1 << 18, KERNEL);
    kernel.setBase(`http://h/${"b".repeat(LARGEST_MAX_LENGTH - 10)}/`);
    expect(kernel.reserve(LARGEST_MAX_LENGTH)).toBe(true);
    expect(kernel.outputStart).toBeGreaterThan(2 ** 31);
    const lines = "HTTP://B/%7e\nhttp://c/?b=1&a=2&utm_source=x\n/x\nhttp://[\n";
    expect(linesOf(kernel, lines)).toBe("http://b/~\nhttp://c/?a=2&b=1\nhttp://h/x\n\n");
    expect([...kernel.status.subarray(0, 4)]).toEqual([1, 1, 1, 8]);
  },
);

test("a window that memory cannot hold is refused, and the kernel works on as it was", () => {
  const kernel = new Kernel(plan, 4096, KERNEL);
  for (const capacity of [140e6, 2 ** 28, 2 ** 31 - 1, 2 ** 32 - 1]) {
    expect(kernel.reserve(capacity)).toBe(false);
    expect(kernel.capacity).toBe(4096);
    expect(linesOf(kernel, "HTTP://B/%7e\n")).toBe("http://b/~\n");
  }
});

test("sizes are unsigned and are not added in 32 bits", () => {
  const { reserve } = new WebAssembly.Instance(KERNEL, {}).exports as unknown as {
    reserve(planBytes: number, baseBytes: number, inputBytes: number, rows: number): number;
  };
  const most = 2 ** 32 - 1;
  // Each of these wraps to a small sum in 32 bits.
  const sizes = [
    [most, 0, 64, 16],
    [64, most, 64, 16],
    [64, 0, most, 16],
    [64, 0, 64, most],
    [64, 0, 2 ** 32 / 16, 16],
    [64, 2 ** 32 / 16, 64, 16],
    [most, most, most, most],
  ] as const;
  for (const [planBytes, baseBytes, inputBytes, rows] of sizes) {
    expect(reserve(planBytes, baseBytes, inputBytes, rows)).toBe(0);
  }
  expect(reserve(64, 0, 64, 16)).toBe(1);
});

testAtLength("a base that memory cannot hold is refused, and the one before stays", () => {
  const kernel = new Kernel(plan, LARGEST_MAX_LENGTH, KERNEL);
  kernel.setBase("http://h/");
  const tooLong = `http://i/${"b".repeat(3 * LARGEST_MAX_LENGTH)}/`;
  const refusal = expect.objectContaining({ code: "BATCH_TOO_LARGE" });
  expect(() => kernel.setBase(tooLong)).toThrow(refusal);
  expect(() => kernel.setBase(tooLong)).toThrow(refusal);
  expect(linesOf(kernel, "x\n")).toBe("http://h/x\n");
});
