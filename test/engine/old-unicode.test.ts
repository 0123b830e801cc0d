import { afterEach, expect, test, vi } from "vitest";
import { unicodeTableBytes } from "../../src/url/idna/table-bytes.ts";

afterEach(() => vi.restoreAllMocks());

test("a platform that cannot normalize is refused, and writes no other hosts", () => {
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
