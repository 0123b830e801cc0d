import { describe, expect, test } from "vitest";
import { simClasses, simDistance } from "../../../src/learn/text/index.ts";
import { atLength, sampleOf } from "../../shared/length.ts";
import { Random } from "../../shared/random.ts";

const WORD = 2 ** 32;

function simOf(high: number, low: number): string {
  const [upper, lower] = [high, low].map((word) => (word >>> 0).toString(16).padStart(8, "0"));
  return `sim:${upper}${lower}`;
}

/** Clouds of fingerprints around a few centers, each some bits away from its center. */
function clouds(seed: number, count: number, centers: number, furthest: number): string[] {
  const random = new Random(seed);
  const middle = Array.from({ length: centers }, () => [random.below(WORD), random.below(WORD)]);
  return Array.from({ length: count }, () => {
    const words = [...random.pick(middle)] as [number, number];
    for (let flips = random.below(furthest + 1); flips > 0; flips--) {
      words[random.below(2) as 0 | 1] ^= 1 << random.below(32);
    }
    return simOf(...words);
  });
}

/** All pairs, and the closure by painting over. */
function byBruteForce(fingerprints: readonly string[], distance: number): Int32Array {
  const classes = Int32Array.from(fingerprints, (_, at) => at);
  for (const [at, a] of fingerprints.entries()) {
    for (let other = 0; other < at; other++) {
      const [low, high] = [classes[at] as number, classes[other] as number].sort((x, y) => x - y);
      if (low === high || simDistance(a, fingerprints[other] as string) > distance) continue;
      for (const [place, name] of classes.entries()) {
        if (name === high) classes[place] = low as number;
      }
    }
  }
  return classes;
}

describe.each([0, 1, 2, 3, 4, 5, 6, 7])("at distance %i", (distance) => {
  test.each([
    ["one tight cloud", 150, 1, 6],
    ["one wide cloud", 150, 1, 14],
    ["many small clouds", 150, 30, 4],
    ["no clouds", 150, 150, 0],
  ])("classes of %s are those of all pairs", (_, count, centers, furthest) => {
    for (let seed = 0; seed < atLength(1, 2); seed++) {
      const fingerprints = clouds(seed, count, centers, furthest);
      expect(simClasses(fingerprints, distance)).toEqual(byBruteForce(fingerprints, distance));
    }
  });

  test("a pair exactly so far apart is one class, wherever its bits are", () => {
    const random = new Random(distance);
    for (let round = 0; round < atLength(20, 100); round++) {
      const bits = new Set<number>();
      while (bits.size <= distance) bits.add(random.below(64));
      const near: [number, number] = [random.below(WORD), random.below(WORD)];
      const start = simOf(...near);
      const [last, ...others] = [...bits] as [number, ...number[]];
      for (const bit of others) near[bit >> 5 ? 0 : 1] ^= 1 << (bit & 31);
      expect([...simClasses([start, simOf(...near)], distance)]).toEqual([0, 0]);
      near[last >> 5 ? 0 : 1] ^= 1 << (last & 31);
      expect([...simClasses([start, simOf(...near)], distance)]).toEqual([0, 1]);
    }
  });
});

test("a class is named by the index of its first member, and is transitive", () => {
  const [a, b, c] = [simOf(0, 0), simOf(0, 7), simOf(0, 63)];
  expect([...simClasses([simOf(9, -1), c, a, b, c])]).toEqual([0, 1, 1, 1, 1]);
  expect([...simClasses([simOf(9, -1), c, a, c])]).toEqual([0, 1, 2, 1]);
  expect([...simClasses([])]).toEqual([]);
});

test("buckets that are split again lose no pair", () => {
  const random = new Random(7);
  const fingerprints = Array.from({ length: 400 }, () => simOf(0x12345678, random.below(1 << 16)));
  for (const distance of sampleOf([3, 2, 1], 3)) {
    expect(simClasses(fingerprints, distance)).toEqual(byBruteForce(fingerprints, distance));
  }
});

test("many equal fingerprints are compared with nothing", () => {
  const fingerprints = new Array<string>(200_000).fill(simOf(1, 2));
  fingerprints.push(simOf(1, 3), simOf(-1, 2));
  const classes = simClasses(fingerprints, 7);
  expect(classes.indexOf(200_001)).toBe(200_001);
  expect(classes[200_000]).toBe(0);
  expect(classes[199_999]).toBe(0);
});

test("many different fingerprints are their own classes", () => {
  const random = new Random(3);
  const fingerprints = Array.from({ length: atLength(10_000, 30_000) }, () =>
    simOf(random.below(WORD), random.below(WORD)),
  );
  expect(simClasses(fingerprints).every((name, at) => name === at)).toBe(true);
});

test("malformed fingerprints and distances are refused", () => {
  const badOption = expect.objectContaining({ name: "UrlmillError", code: "BAD_OPTION" });
  const sim = simOf(1, 2);
  for (const other of [
    "",
    "sim:",
    `${sim}0`,
    ` ${sim}`,
    "sim:00000000000000AB",
    "text:0123456789",
  ]) {
    expect(() => simClasses([sim, other])).toThrow(badOption);
  }
  expect(() => simClasses([undefined as unknown as string])).toThrow(badOption);
  for (const distance of [-1, 8, 1.5, Number.NaN, "3" as unknown as number]) {
    expect(() => simClasses([sim], distance)).toThrow(badOption);
  }
});
