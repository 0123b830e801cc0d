import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { readKernel } from "../../src/platform/embedded.ts";

test("the suites run on the kernel without SIMD", () => {
  const scalar = readFileSync(new URL("../../dist/kernel-scalar.wasm", import.meta.url));
  expect(Buffer.compare(readKernel() as Uint8Array, scalar)).toBe(0);
  expect(createNormalizer().engine).toBe("wasm");
});
