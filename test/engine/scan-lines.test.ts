import { expect, test } from "vitest";
import { writeRow } from "../../src/engine/js/row.ts";
import { LineScan } from "../../src/engine/js/scan-lines.ts";
import { createNormalizer, Status } from "../../src/index.ts";
import type { NormalizerOptions } from "../../src/options/catalog.generated.ts";

import { decodePlan } from "../../src/plan/decode/decode.ts";
import { planFor } from "../shared/engine-parts.ts";
import { expectEqual } from "../shared/equal.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const real = linesOf(readCorpus()).slice(0, atLength(5_000, 50_000));

/** Lines that are normal, each with one byte more somewhere. */
function nearlyNormal(count: number): string[] {
  const random = new Random(41);
  const heads = [
    "http://",
    "https://",
    "file://",
    "http:/",
    "httpx://",
    "ftp://",
    "file://localhost/",
  ];
  const hosts = ["a.example", "a_b-c.d", "1.2.3.x", "1.2.3.4", "", "A.b", "a..b", "xn--a.b"];
  const rests = [
    "/",
    "/a/b.c",
    "/.a",
    "/a/..",
    "/a?b=c&d",
    "/%41",
    "/%2F",
    "/%2f",
    "/a#b",
    "/a#b#c",
    "/(x)",
    "/a;b",
    "",
  ];
  return Array.from({ length: count }, () => {
    const line = random.pick(heads) + random.pick(hosts) + random.pick(rests) + random.pick(rests);
    if (random.chance(2)) return line;
    const at = random.below(line.length + 1);
    return line.slice(0, at) + String.fromCharCode(random.below(256)) + line.slice(at);
  }).filter((line) => !line.includes("\n"));
}

const inputs = [
  ...real,
  ...hostileUrls(7, 4_000).map((url) => Buffer.from(url).toString("latin1").replaceAll("\n", "")),
  ...nearlyNormal(atLength(10_000, 200_000)),
];

test.each<[string, NormalizerOptions]>([
  ["safe", {}],
  ["crawl", { preset: "crawl" }],
  ["fragments", { fragment: "remove" }],
  ["schemes", { allowedSchemes: ["https"] }],
  ["short URLs", { maxLength: 40 }],
])("a line that the scan finds stays as it is: %s", (_, options) => {
  const plan = decodePlan(planFor(options));
  const scan = new LineScan(plan);
  let found = 0;
  for (let first = 0; first < inputs.length; first += 100) {
    const lines = inputs.slice(first, first + 100);
    const text = `${lines.join("\n")}\n`;
    let start = 0;
    for (const line of lines) {
      const end = scan.end(text, start);
      if (end >= 0) {
        found++;
        expectEqual(end - start, line.length);
        expectEqual(writeRow(line, null, plan), line);
      }
      start += line.length + 1;
    }
  }
  // A scan that finds nothing would pass the rest.
  if (options.allowedSchemes === undefined) expect(found).toBeGreaterThan(2_000);
  expect(scan.end("http://a/b", 0)).toBe(-1);
});

test("most real lines are found", () => {
  const plan = decodePlan(planFor({}));
  const scan = new LineScan(plan);
  const found = real.filter((line) => scan.end(`${line}\n`, 0) >= 0);
  expect(found.length).toBeGreaterThan(0.9 * real.length);
});

test.each(sampleOf(["a&", "a=&", "&", "a=b=&", "%41&", "a;&"], 4))(
  "a long query takes time by its length: %s",
  (param) => {
    // What is quadratic takes minutes.
    const url = `http://a.example/?${param.repeat(atLength(150_000, 400_000))}z`;
    for (const engine of ["js", "wasm"] as const) {
      const n = createNormalizer({ preset: "crawl", engine, maxLength: 1 << 22 });
      expect(n.tryNormalize(url).status).toBeLessThanOrEqual(Status.CHANGED);
      expect(n.normalizeLines(Buffer.from(`${url}\n`)).lines).toBe(1);
    }
  },
  10_000,
);
