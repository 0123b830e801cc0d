import { describe, expect, test } from "vitest";
import {
  pageFingerprints,
  simDistance,
  simFingerprint,
  TEXT_KEY,
  textFingerprint,
} from "../../../src/learn/text/index.ts";
import { Random } from "../../shared/random.ts";
import { sipHash128 } from "../../shared/siphash.ts";

const encoder = new TextEncoder();
const KEY = encoder.encode(TEXT_KEY);
const VOCABULARY = Array.from({ length: 3000 }, (_, at) => `w${(at * 7919).toString(36)}`);

function prose(seed: number, words: number): string[] {
  const random = new Random(seed);
  return Array.from({ length: words }, () => random.pick(VOCABULARY));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `simFingerprint` by the letter of its contract, on big integers. */
function simByLetter(text: string): string {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word.toLowerCase());
  const shingles = words.slice(2).map((_, at) => words.slice(at, at + 3).join(" "));
  const features = new Set(words.length < 3 ? words : shingles);
  const hashes = [...features].map((feature) => {
    const hash = hexOf(sipHash128(KEY, encoder.encode(feature), 1, 3));
    return BigInt(`0x${hash.slice(0, 16)}`);
  });
  let sim = 0n;
  for (let bit = 0n; bit < 64n; bit++) {
    const ones = hashes.filter((hash) => (hash >> bit) & 1n).length;
    if (ones * 2 > hashes.length) sim |= 1n << bit;
  }
  return `sim:${sim.toString(16).padStart(16, "0")}`;
}

describe("textFingerprint", () => {
  test("known texts have known fingerprints", () => {
    expect(textFingerprint("")).toBe("text:05dac4972d132cf8064900d5eed7d4da");
    expect(textFingerprint("The quick brown fox")).toBe("text:6c91b3a25f89dcbd11c083878c69a756");
    expect(textFingerprint("caf\u00e9 \u{1f600}")).toBe("text:f7ccb5b87f5f39dcde66835539caf4b7");
  });

  test("it is SipHash-1-3-128 of the UTF-8 bytes under the named key", () => {
    for (const text of ["", "a", "\u00e9\u4e2d\u{1f600}", prose(1, 300).join(" ")]) {
      const expected = hexOf(sipHash128(KEY, encoder.encode(text), 1, 3));
      expect(textFingerprint(text)).toBe(`text:${expected}`);
    }
  });

  test("lone surrogates are U+FFFD", () => {
    expect(textFingerprint("\ud800")).toBe(textFingerprint("\ufffd"));
  });
});

describe("simFingerprint", () => {
  test("known texts have known fingerprints", () => {
    expect(simFingerprint("")).toBe("sim:0000000000000000");
    expect(simFingerprint("word")).toBe("sim:64245712c635e490");
    expect(simFingerprint("The quick brown fox jumps")).toBe("sim:575e6f361775075c");
  });

  test("it is the majority of the bits of all shingles", () => {
    const texts = [
      "",
      "One",
      "one two",
      "one two three",
      "a b a b a b a b",
      "\u00c9t\u00e9 \u0130 1",
    ];
    for (const words of [5, 40, 300]) texts.push(prose(words, words).join(", "));
    for (const text of texts) expect(simFingerprint(text)).toBe(simByLetter(text));
  });

  test("case, punctuation and repetition of shingles do not count", () => {
    const text = "one two three one two three one two three";
    expect(simFingerprint("One, TWO - three! one (two) three... one two")).toBe(
      simFingerprint(text),
    );
    expect(simFingerprint(`${text} ${text}`)).toBe(simFingerprint(text));
  });

  test("a long text with as many shingles as words is one fingerprint", () => {
    const words = Array.from({ length: 50_000 }, (_, at) => at.toString(36));
    expect(simFingerprint(words.join(" "))).toMatch(/^sim:[0-9a-f]{16}$/);
  });

  test("a session id or a date changed in a page of 300 words moves few bits", () => {
    for (let seed = 0; seed < 50; seed++) {
      const words = prose(seed, 300);
      const before = simFingerprint(words.join(" "));
      const session = words.with(150, `${seed}f3a9c1`);
      expect(simDistance(before, simFingerprint(session.join(" ")))).toBeLessThanOrEqual(8);
      const date = `${words.slice(0, 299).join(" ")} 2024-03-${10 + (seed % 20)}`;
      expect(simDistance(before, simFingerprint(date))).toBeLessThanOrEqual(8);
    }
  });

  test("different pages are far apart", () => {
    const fingerprints = Array.from({ length: 60 }, (_, at) =>
      simFingerprint(prose(1000 + at, 300).join(" ")),
    );
    for (const [at, a] of fingerprints.entries()) {
      for (const b of fingerprints.slice(at + 1)) expect(simDistance(a, b)).toBeGreaterThan(10);
    }
  });
});

describe("simDistance", () => {
  test("it is the number of different bits", () => {
    const zero = "sim:0000000000000000";
    expect(simDistance(zero, zero)).toBe(0);
    expect(simDistance(zero, "sim:ffffffffffffffff")).toBe(64);
    expect(simDistance(zero, "sim:8000000000000001")).toBe(2);
    expect(simDistance("sim:00000001ffffffff", "sim:80000000fffffff0")).toBe(6);
  });

  test("other fingerprints are refused", () => {
    const sim = "sim:0000000000000000";
    for (const other of [
      "",
      "0000000000000000",
      "sim:0",
      `${sim}0`,
      `${sim}\n`,
      "text:00",
      "sim:G",
    ]) {
      expect(() => simDistance(sim, other)).toThrow(
        expect.objectContaining({ code: "BAD_OPTION" }),
      );
      expect(() => simDistance(other, sim)).toThrow(
        expect.objectContaining({ code: "BAD_OPTION" }),
      );
    }
  });
});

describe("pageFingerprints", () => {
  test("they are of the visible text, whatever the markup", async () => {
    const plain = "News One two three";
    const expected = { text: textFingerprint(plain), sim: simFingerprint(plain) };
    expect(await pageFingerprints(plain)).toEqual(expected);
    expect(
      await pageFingerprints("<title>News</title><!-- 17:04 --><p class=x>One <b>two</b>\n three"),
    ).toEqual(expected);
  });
});
