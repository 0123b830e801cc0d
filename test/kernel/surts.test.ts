import { expect, test } from "vitest";
import { type KernelExports, KernelInstance } from "../../src/engine/wasm/instance.ts";
import { createNormalizer } from "../../src/js.ts";
import { toSurt } from "../../src/normalizer/surt.ts";
import { KERNEL, planFor } from "../shared/engine-parts.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const CAPACITY = 1 << 16;
const ROWS = 1 << 14;
const { exports: kernel } = new KernelInstance(KERNEL) as unknown as {
  exports: KernelExports & { writeSurts(rows: number, terminator: number): number };
};
const normalizer = createNormalizer();

/** Returns what the kernel writes of lines, which it takes window by window. */
function surtsOf(urls: readonly string[]): string[] {
  const plan = planFor();
  expect(kernel.reserve(plan.length, 0, CAPACITY, ROWS)).toBe(1);
  const bytes = () => new Uint8Array(kernel.memory.buffer as ArrayBuffer);
  bytes().set(plan, kernel.planStart.value);
  expect(kernel.loadPlan()).not.toBe(0);
  const input = Buffer.from(`${urls.join("\n")}\n`);
  const surts: string[] = [];
  for (let at = 0; at < input.length; ) {
    const window = input.subarray(at, at + CAPACITY);
    bytes().set(window, kernel.inputStart.value);
    const rows = kernel.normalizeLines(window.length, Number(at + window.length === input.length));
    const done = kernel.writeSurts(rows, 1);
    const { buffer } = kernel.memory;
    at += new Int32Array(buffer, kernel.inOffsets.value, ROWS + 1)[done] as number;
    const text = Buffer.from(buffer, kernel.outputStart.value, kernel.written.value).toString();
    surts.push(...text.split("\n").slice(0, -1));
  }
  return surts;
}

const expected = (urls: readonly string[]): string[] =>
  urls.map((url) => toSurt(normalizer.normalize(url)));

const isUrl = (url: string): boolean => normalizer.tryNormalize(url).url !== null;

/** Schemes, users, hosts and ports of which forms are longer or shorter than their URLs, and URLs without an authority. */
function made(random: Random): string {
  const scheme = random.pick(["http", "https", "httpx", "ftp", "x", "ws"]);
  if (random.chance(10))
    return `${scheme.replace(/http.?|ftp|ws/, "x")}:${random.pick(["a://b", "/", "", "b"])}`;
  const isSpecial = /^(?:https?|ftp|ws)$/.test(scheme);
  const labels = isSpecial ? ["a", "b-c", "xn--4ca", "12"] : ["a", ",", "(b)", "1", "", "%2C"];
  const host =
    random.pick(["1.2.3.4", "[::1]", "1.2.3", null]) ??
    Array.from({ length: 1 + random.below(5) }, () => random.pick(labels)).join(".");
  const safe = isSpecial && /^[\d.]+$/.test(host) && host !== "1.2.3.4" ? "a.b" : host;
  const user = random.pick(["", "u@", "u,(s):p@", "@"]);
  return `${scheme}://${user}${safe}${random.pick(["", ":81"])}${random.pick(["", "/", "/x,(y)", "?q@,", "#f"])}`;
}

test("real URLs have the forms that one URL has", () => {
  const urls = linesOf(readCorpus())
    .slice(0, atLength(1_500, 50_000))
    .filter((url) => isUrl(url));
  expect(surtsOf(urls)).toEqual(expected(urls));
});

test("made-up URLs whose forms grow and shrink have them, too", () => {
  const random = new Random(43);
  const urls = Array.from({ length: atLength(1_500, 50_000) }, () => made(random)).filter((url) =>
    isUrl(url),
  );
  expect(urls.length).toBeGreaterThan(1_000);
  expect(surtsOf(urls)).toEqual(expected(urls));
});

test("a window in which every form grows has room", () => {
  const urls = Array.from({ length: 4_000 }, (_, at) => `x://${"(,".repeat(1 + (at % 40))}`);
  expect(surtsOf(urls)).toEqual(expected(urls));
});
