import { createHash } from "node:crypto";
import { afterEach, describe, expect, test, vi } from "vitest";
import { sha256 } from "../../src/base/sha256.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each(["natively", "without Node"])("SHA-256 computed %s", (how) => {
  test.each([0, 1, 55, 56, 63, 64, 119, 120, 1000])("is that of Node for %i bytes", (length) => {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 7919) >> 3);
    const expected = createHash("sha256").update(bytes).digest("hex");
    if (how === "without Node") vi.stubGlobal("process", undefined);
    expect(Buffer.from(sha256(bytes)).toString("hex")).toBe(expected);
  });

  test("is that of its UTF-8 for a text", () => {
    const expected = createHash("sha256").update("a=\u00fc\ud83d\ude00").digest("hex");
    if (how === "without Node") vi.stubGlobal("process", undefined);
    expect(Buffer.from(sha256("a=\u00fc\ud83d\ude00")).toString("hex")).toBe(expected);
  });
});
