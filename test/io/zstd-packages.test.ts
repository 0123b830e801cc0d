import { expect, test } from "vitest";
import { packageDecoder } from "../../src/io/zstd.ts";

test("where a package for zstd is missing, the error says what to install", async () => {
  const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  await expect(packageDecoder(() => Promise.reject(missing))).rejects.toThrow(
    "reading .zst takes Node 22.15 or newer, or two packages: npm install fzstd xxhash-wasm",
  );
});

test("an error inside a package for zstd is not taken for a missing package", async () => {
  const broken = new SyntaxError("it is damaged");
  await expect(packageDecoder(() => Promise.reject(broken))).rejects.toBe(broken);
});
