import { expect, test } from "vitest";
import { createNormalizer, Status } from "../../src/index.ts";
import { testAtLength } from "../shared/length.ts";

// All sizes, the longest base and the other engine: npm run proof large.
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

testAtLength("strings are written and read where a kernel has more than 2 GiB", () => {
  const normalizer = createNormalizer({ engine: "wasm", maxLength: 2 ** 26 - 1 });
  const long = `http://a/${"x".repeat(2 ** 26 - 20)}`;
  expect(normalizer.normalize("x", `http://h/${"b".repeat(2 ** 23)}/`)).toHaveLength(2 ** 23 + 11);
  expect(normalizer.tryNormalize(long).status).toBe(Status.UNCHANGED);
  expect(normalizer.normalizeBatch(["HTTP://B/%7e"]).urls).toEqual(["http://b/~"]);
});

test("both engines name the same place where a URL is too long in bytes alone", () => {
  const url = `http://a/${"é".repeat(100)}`;
  for (const engine of ["wasm", "js"] as const) {
    expect(() => createNormalizer({ engine, maxLength: 150 }).normalize(url)).toThrow(
      expect.objectContaining({ code: "TOO_LONG", offset: 150 }),
    );
  }
});
