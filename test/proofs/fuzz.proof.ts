import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { findDisagreements, findStringDisagreements } from "../shared/agreement.ts";
import { HOSTILE_BASES, hostileUrls } from "../shared/hostile.ts";
import { internationalDomains } from "../shared/international.ts";
import { hostByTr46, wrongCodePoints } from "../shared/second-opinion.ts";

// URLMILL_FUZZ_SEED and URLMILL_FUZZ_COUNT choose another run.
const seed = Number(process.env["URLMILL_FUZZ_SEED"] ?? 1);
const count = Number(process.env["URLMILL_FUZZ_COUNT"] ?? 300_000);
const perBase = Math.ceil(count / 20);

test(`engines and model agree on ${count} hostile URLs, seed ${seed}`, () => {
  for (let part = 0; part < count; part += 50_000) {
    const urls = hostileUrls(seed * 1000 + part, Math.min(50_000, count - part));
    expect(findDisagreements(urls, undefined)).toEqual([]);
  }
});

test.each(HOSTILE_BASES)(`engines and model agree on ${perBase} references to %s`, (base) => {
  expect(findDisagreements(hostileUrls(seed + 1, perBase), base)).toEqual([]);
});

test(`engines agree on ${perBase} strings and their error offsets`, () => {
  const urls = hostileUrls(seed + 2, perBase).map((url) => Buffer.from(url, "latin1").toString());
  expect(findStringDisagreements(urls)).toEqual([]);
});

test(`engines and tr46 agree on ${count} international domains`, () => {
  const engines = (["wasm", "js"] as const).map((engine) => createNormalizer({ engine }));
  for (let part = 0; part < count; part += 50_000) {
    const domains = internationalDomains(seed * 1000 + part, Math.min(50_000, count - part));
    const urls = domains.map((domain) => `http://${domain}/`);
    const [wasm, js] = engines.map((engine) => engine.normalizeBatch(urls));
    expect(js).toEqual(wasm);
    const wrong = domains.filter((domain, row) => {
      const host = hostByTr46(domain);
      return host !== undefined && wasm?.urls[row] !== (host === null ? null : `http://${host}/`);
    });
    expect(wrong).toEqual([]);
  }
});

test("every code point by itself, and after a letter and a mark, is what tr46 makes of it", () => {
  expect(wrongCodePoints(() => true)).toEqual([]);
});
