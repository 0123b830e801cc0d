import { expect, test } from "vitest";
import { createNormalizer, Status } from "../../src/index.ts";
import { atLength, sampleOf } from "../shared/length.ts";

const MEGABYTE = 1 << 20;
const repeated = (text: string, bytes: number): string =>
  text.repeat(Math.ceil(bytes / text.length));

/** Shapes that take minutes where time grows with the square of their length. */
const SHAPES: readonly [string, string][] = [
  ["%2e/ in a path", `http://a/${repeated("%2e/", MEGABYTE)}`],
  ["../ in a path", `http://a/${repeated("../", MEGABYTE)}`],
  ["a/../ in a path", `http://a/${repeated("a/../", MEGABYTE)}x`],
  ["segments, then as many ..", `http://a/${"b/".repeat(150_000)}${"../".repeat(150_000)}x`],
  [".x/ in a path", `http://a/${repeated(".x/", MEGABYTE)}%41`],
  ["/ in a path", `http://a/${repeated("/", MEGABYTE)}..`],
  ["\\ in a path", `http://a/${repeated("\\", MEGABYTE)}`],
  ["lower-case triplets", `http://a/${repeated("%c3%a9", MEGABYTE)}`],
  ["stray %", `http://a/${repeated("%", MEGABYTE / 4)}`],
  ["= in a query", `http://a/?${repeated("=", MEGABYTE)}`],
  ["& in a query", `http://a/?${repeated("&", MEGABYTE)}`],
  ["; in a query", `http://a/?${repeated(";", MEGABYTE)}`],
  ["parameters out of order", `http://a/?${"b&a&".repeat(atLength(50_000, 200_000))}`],
  ["60 long names that differ at their end", `http://a/?${longNames(60, 15_000)}`],
  ["dots in a host", `http://${repeated("a.", MEGABYTE)}1/`],
  ["a host without its slash", `http://${repeated("a.", MEGABYTE)}b`],
  ["@ in an authority", `http://${repeated("@", MEGABYTE)}a/`],
  [": in an authority", `http://${repeated(":", MEGABYTE)}@a/`],
  ["slashes after the scheme", `http:${repeated("/", MEGABYTE)}a@b:80/`],
  ["# in a fragment", `http://a/#${repeated("#", MEGABYTE / 4)}`],
];

const PRESETS = atLength<readonly ("safe" | "crawl" | "aggressive")[]>(
  ["crawl"],
  ["safe", "crawl", "aggressive"],
);

/** Parameters in the reverse of their order. */
function longNames(count: number, length: number): string {
  const names = Array.from({ length: count }, (_, at) => "n".repeat(length) + (99 - at));
  return names.join("&");
}

test.each(sampleOf(SHAPES, 3))(
  "a megabyte takes time by its length, and both engines agree: %s",
  (_, url) => {
    for (const preset of PRESETS) {
      const options = { preset, maxLength: 1 << 23 };
      const [wasm, js] = (["wasm", "js"] as const).map((engine) => {
        const n = createNormalizer({ ...options, engine });
        const { bytes, status } = n.normalizeLines(Buffer.from(`${url}\n`));
        return { line: Buffer.from(bytes).toString("latin1"), status: status[0] };
      });
      // Not toEqual on the texts, which shows what differs of a megabyte.
      expect(js?.status).toBe(wasm?.status);
      expect(js?.line === wasm?.line).toBe(true);
      expect(js?.status).not.toBe(Status.TOO_LONG);
    }
  },
  20_000,
);
