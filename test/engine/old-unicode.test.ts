import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.restoreAllMocks());

test("a platform that cannot normalize is refused, and writes no other hosts", async () => {
  // A table that another test has read is not read again.
  vi.resetModules();
  const { unicodeTableBytes } = await import("../../src/url/idna/table-bytes.ts");
  vi.spyOn(String.prototype, "normalize").mockImplementation(function (this: string) {
    return String(this);
  });
  let thrown: unknown;
  try {
    unicodeTableBytes();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: "ENGINE_UNAVAILABLE" });
});
