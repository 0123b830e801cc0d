import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { SeenSet } from "../../src/seen/index.ts";
import { equalHashUrls } from "../shared/colliding.ts";
import { ENGINES } from "../shared/engines.ts";
import { atLength } from "../shared/length.ts";

describe.each(ENGINES)("URLs that somebody picked (%s)", (engine) => {
  test("to be equal under a hash without a key are all new", async () => {
    const urls = equalHashUrls(atLength(1 << 13, 1 << 15));
    const hashes = urls.map((url) =>
      [...url].reduce((hash, char) => (Math.imul(hash, 31) + char.charCodeAt(0)) | 0, 0),
    );
    expect(new Set(hashes).size).toBe(1);
    const set = new SeenSet({ engine });
    expect((await set.addBatch(urls)).includes(0)).toBe(false);
    expect((await set.addBatch(urls)).includes(1)).toBe(false);
  });

  test("to lie together under one key lie apart under another", () => {
    const normalizer = createNormalizer({ engine });
    const candidates = Array.from({ length: 100_000 }, (_, row) => `http://a.example/${row}`);
    /** The first 10 bits of the home of each URL. */
    const homes = (urls: readonly string[], key: Uint8Array): number[] => {
      const { fingerprints } = normalizer.fingerprintBatch(urls, { key });
      const view = new DataView(fingerprints.buffer, fingerprints.byteOffset);
      return urls.map((_, row) => view.getUint32(16 * row + 4, true) >>> 22);
    };
    const known = new Uint8Array(16);
    const under = homes(candidates, known);
    const picked = candidates.filter((_, row) => under[row] === 0);
    expect(picked.length).toBeGreaterThan(50);
    const random = crypto.getRandomValues(new Uint8Array(16));
    const counts = new Map<number, number>();
    for (const home of homes(picked, random)) counts.set(home, (counts.get(home) ?? 0) + 1);
    expect(Math.max(...counts.values())).toBeLessThan(8);
  });

  test("cannot be picked for a set, because each has a random key", () => {
    const keys = Array.from({ length: 50 }, () => Buffer.from(new SeenSet({ engine }).key));
    expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(50);
  });
});
