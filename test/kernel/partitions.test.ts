import { expect, test } from "vitest";
import { Kernel } from "../../src/engine/wasm/kernel.ts";
import { KERNEL, planFor } from "../shared/engine-parts.ts";

const plan = planFor();
const key = Uint8Array.from({ length: 16 }, (_, at) => 3 * at);

/** A kernel that has taken lines; every seventh is not a URL. */
function kernelWith(
  rows: number,
  texts: boolean,
): { kernel: Kernel; fingerprints: Buffer[]; lines: string[] } {
  const lines = Array.from({ length: rows }, (_, row) =>
    row % 7 === 3 ? `no URL ${row % 5}\n` : `HTTP://a/${row % 50}\n`,
  );
  const kernel = new Kernel(plan, 1 << 16, KERNEL);
  const input = Buffer.from(lines.join(""));
  kernel.input.set(input);
  expect(kernel.normalizeLines(input.length, false)).toBe(rows);
  const all = Buffer.from(kernel.fingerprint(rows, key, 1, texts));
  const fingerprints = lines.map((_, row) => all.subarray(16 * row, 16 * row + 16));
  return { kernel, fingerprints, lines };
}

test.each([
  [1, 128, false],
  [2, 128, true],
  [3, 64, false],
  [3, 64, true],
  [128, 128, false],
])(
  "fingerprints come in %i partitions, in order, %i bits of each, with texts: %s",
  (partitions, bits, texts) => {
    const { kernel, fingerprints } = kernelWith(500, texts);
    const expected = Array.from({ length: partitions }, (): Buffer[] => []);
    for (const [row, fingerprint] of fingerprints.entries()) {
      if (row % 7 === 3 && !texts) continue;
      const partition = (fingerprint.readUInt16LE(2) * partitions) >>> 16;
      expected[partition]?.push(fingerprint.subarray(0, bits / 8));
    }
    kernel.splitFingerprints(500, { partitions, bits, texts }, (found, ends) => {
      expect(Buffer.compare(found, Buffer.concat(expected.flat()))).toBe(0);
      const counts = [...ends].map(
        (end, partition) => end - (partition === 0 ? 0 : (ends[partition - 1] as number)),
      );
      expect(counts).toEqual(expected.map(({ length }) => length));
    });
  },
);

test.each([true, false])("answers come back to their rows, with texts: %s", (texts) => {
  const { kernel, fingerprints, lines } = kernelWith(500, texts);
  const seen = new Set<string>();
  let split: Buffer[] = [];
  kernel.splitFingerprints(500, { partitions: 3, bits: 128, texts }, (found, ends) => {
    const rows = ends[2] as number;
    const bytes = Buffer.from(found);
    split = Array.from({ length: rows }, (_, row) => bytes.subarray(16 * row, 16 * row + 16));
  });
  const answers = split.map((fingerprint) => {
    const text = fingerprint.toString("hex");
    return seen.has(text) ? 0 : seen.add(text) && 1;
  });
  const chosen = kernel.chooseAnswered(500, 3, Uint8Array.from(answers));
  const first = new Set<string>();
  const expected = lines.filter((_, row) => {
    if (row % 7 === 3 && !texts) return false;
    const text = fingerprints[row]?.toString("hex") as string;
    return first.has(text) ? false : first.add(text);
  });
  expect(Buffer.from(chosen).toString()).toBe(expected.join(""));
});

test.each([0, 129])("%i partitions are refused, and the kernel serves no more", (partitions) => {
  const { kernel } = kernelWith(1, false);
  const split = { partitions, bits: 128, texts: false };
  expect(() => kernel.splitFingerprints(1, split, () => {})).toThrow(
    expect.objectContaining({ code: "ENGINE_FAILED" }),
  );
  expect(kernel.hasFailed).toBe(true);
});

test("rows are chosen by their marks, one after the other", () => {
  const kernel = new Kernel(plan, 1 << 16, KERNEL);
  const rows = Array.from({ length: 300 }, (_, row) => `${row}:`.repeat(1 + (row % 7)));
  const before = "not one of the rows";
  const starts = Int32Array.of(before.length, ...rows.map(() => 0));
  for (const [row, { length }] of rows.entries())
    starts[row + 1] = (starts[row] as number) + length;
  const text = Buffer.from(`${before}${rows.join("")}and what follows`);
  for (const step of [1, 2, 3, 7, 100, 400]) {
    for (const isPicked of [(row: number) => row % step === 0, (row: number) => row % step !== 0]) {
      const marks = Uint8Array.from(rows, (_, row) => +isPicked(row));
      const chosen = Buffer.from(kernel.chooseRows(text, starts, marks)).toString();
      expect(chosen).toBe(rows.filter((_, row) => isPicked(row)).join(""));
    }
  }
});
