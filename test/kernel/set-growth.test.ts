import { expect, test } from "vitest";
import { KernelInstance } from "../../src/engine/wasm/instance.ts";
import { KERNEL } from "../shared/engine-parts.ts";
import { expectEqual } from "../shared/equal.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const ROWS = 4_096;

/** An instance with room for URLs and for ROWS rows of its set. */
function instanceOf(bits: 128 | 64): KernelInstance {
  const instance = new KernelInstance(KERNEL);
  expect(instance.exports.reserve(4_096, 0, 1 << 16, ROWS)).toBe(1);
  instance.exports.setFingerprintBits(bits);
  return instance;
}

/** Fingerprints in a few dense clusters among some that are spread, so that runs are long. */
function fingerprintsOf(random: Random, bits: 128 | 64): Uint32Array {
  const words = Uint32Array.from({ length: (ROWS * bits) / 32 }, () => random.below(2 ** 32));
  for (let at = 0; at < words.length; at += bits / 32) {
    if (random.chance(3)) words[at + 1] = random.below(4) * 2 ** 30 + random.below(2_000);
  }
  return words;
}

function write({ exports }: KernelInstance, words: Uint32Array): void {
  const at = exports.fingerprints.value >>> 0;
  new Uint8Array(exports.memory.buffer).set(new Uint8Array(words.buffer), at);
}

function marksOf({ exports }: KernelInstance): Uint8Array {
  return new Uint8Array(exports.memory.buffer, exports.marks.value >>> 0, ROWS);
}

/** The entries of the table, in order, as texts. */
function entriesOf({ exports }: KernelInstance, bits: 128 | 64): string[] {
  const { tableStart, tableBytes, memory } = exports;
  const table = Buffer.from(memory.buffer, tableStart.value >>> 0, tableBytes.value >>> 0);
  const entries: string[] = [];
  for (let at = 0; at < table.length; at += bits / 8) {
    const first = table.readBigUInt64LE(at);
    if (first === 0n) continue;
    const second = bits === 128 ? table.readBigUInt64LE(at + 8) : 0n;
    entries.push(`${first.toString(16).padStart(16, "0")} ${second.toString(16)}`);
  }
  return entries;
}

test.each([128, 64] as const)(
  "a set that grows step by step holds what one with room from the start does, %i bits",
  (bits) => {
    const grown = instanceOf(bits);
    const roomy = instanceOf(bits);
    const random = new Random(bits);
    expect(roomy.exports.reserveFingerprints(200_000)).toBeTruthy();
    for (let batch = 0; batch < atLength(5, 20); batch++) {
      const words = fingerprintsOf(random, bits);
      for (const instance of [grown, roomy]) write(instance, words);
      const added = grown.exports.insertFingerprints(ROWS);
      expect(roomy.exports.insertFingerprints(ROWS)).toBe(added);
      // Steps smaller than the doubling move entries by less than a place for each.
      grown.exports.reserveFingerprints(grown.exports.seenCount.value + 9_000);
      expect(Buffer.compare(marksOf(grown), marksOf(roomy))).toBe(0);
    }
    const entries = entriesOf(grown, bits);
    expectEqual(entries, entriesOf(roomy, bits));
    const firsts = entries.map((entry) => entry.split(" ")[0] as string);
    expectEqual(firsts, firsts.toSorted());
  },
);

test.each([2 ** 31, 2 ** 32 - 1])(
  "room for %i fingerprints, more than memory can hold, is refused at once",
  (count) => {
    const instance = instanceOf(128);
    expect(instance.exports.reserveFingerprints(count)).toBeFalsy();
    write(instance, fingerprintsOf(new Random(1), 128));
    expect(instance.exports.insertFingerprints(ROWS)).toBeGreaterThan(0);
  },
);

test.each([
  ["larger", 1 << 22],
  ["smaller", 1 << 10],
])("a set outlives regions that become %s", (_, inputBytes) => {
  const instance = instanceOf(128);
  const { exports } = instance;
  const random = new Random(inputBytes);
  const all: Uint32Array[] = [];
  for (let batch = 0; batch < 12; batch++) {
    const words = fingerprintsOf(random, 128);
    all.push(words);
    write(instance, words);
    exports.insertFingerprints(ROWS);
    if (batch === 5) expect(exports.reserve(4_096, 0, inputBytes, ROWS)).toBe(1);
  }
  const bytes = exports.tableBytes.value >>> 0;
  for (const words of all) {
    write(instance, words);
    exports.hasFingerprints(ROWS);
    expect(marksOf(instance).every((mark) => mark === 1)).toBe(true);
  }
  expect(bytes / exports.seenCount.value).toBeLessThan(40);
});

test("a set that moves down leaves zeros after it, and nothing is written after where it was", () => {
  const instance = instanceOf(128);
  const { exports } = instance;
  expect(exports.reserveFingerprints(50_000)).toBeTruthy();
  const words = fingerprintsOf(new Random(5), 128);
  write(instance, words);
  const added = exports.insertFingerprints(ROWS);
  const end = () => (exports.tableStart.value >>> 0) + (exports.tableBytes.value >>> 0);
  // Larger regions before it move it to the end of the memory.
  expect(exports.reserve(4_096, 0, 1 << 20, ROWS)).toBe(1);
  const last = end();
  expect(exports.memory.buffer.byteLength - last).toBeLessThan(1 << 16);
  expect(exports.reserve(4_096, 0, 1 << 16, ROWS)).toBe(1);
  expect(end()).toBeLessThan(last);
  const after = new Uint8Array(exports.memory.buffer, end(), last - end());
  expect(after.every((byte) => byte === 0)).toBe(true);
  expect(entriesOf(instance, 128).length).toBe(added);
});
