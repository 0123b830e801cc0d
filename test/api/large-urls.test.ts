import { expect, test } from "vitest";
import { createNormalizer, Status } from "../../src/index.ts";

// All sizes, the longest base and the other engine: npm run proof:large.
test("a URL of 28 million characters leaves the kernel sound", () => {
  const normalizer = createNormalizer({ engine: "wasm", maxLength: 2 ** 26 });
  const long = Buffer.alloc(28e6, "x");
  long.write("HTTP://A/");
  const url = long.toString("latin1");
  const { urls, status } = normalizer.normalizeBatch([url, "HTTP://B/%7e", "http://["]);
  expect([...status]).toEqual([Status.CHANGED, Status.CHANGED, Status.BAD_IPV6]);
  expect(urls[0] === `http://a/${url.slice(9)}`).toBe(true);
  expect(normalizer.normalize("HTTP://B/%7e")).toBe("http://b/~");
});

test("both engines name the same place where a URL is too long in bytes alone", () => {
  const url = `http://a/${"é".repeat(100)}`;
  for (const engine of ["wasm", "js"] as const) {
    expect(() => createNormalizer({ engine, maxLength: 150 }).normalize(url)).toThrow(
      expect.objectContaining({ code: "TOO_LONG", offset: 150 }),
    );
  }
});
