import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainFile } from "../../src/io/files/plain-file.ts";
import { ChunkGrid } from "../../src/runs/grid/chunk-grid.ts";
import { GridReader } from "../../src/runs/grid/grid-reader.ts";
import { PartitionMarks } from "../../src/runs/keys/spilled/partitions/partition-marks.ts";
import { LineCopier, NOWHERE } from "../../src/runs/twice/line-copier.ts";
import { RowSequence } from "../../src/runs/twice/row-sequence.ts";
import { KERNEL, planFor } from "../shared/engine-parts.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const CHUNK = 1 << 16;
const needed = (): string => "";

/** Copies the second and the last of three lines of a file, which is read as if its lines began at `offsets`, where the last is the end. */
function copied(text: string, offsets: readonly number[]): string {
  const list = join(folder, "list");
  writeFileSync(list, text);
  const sequence = new RowSequence(folder);
  sequence.add(Uint8Array.of(NOWHERE, 5, 3), Int32Array.from(offsets), needed);
  const marks = new PartitionMarks((partition) => (partition === 3 ? 1 : 2));
  marks.mark(3, 0);
  marks.mark(5, 0);
  const grid = new ChunkGrid([plainFile(list) as NonNullable<ReturnType<typeof plainFile>>], CHUNK);
  const reader = new GridReader(grid, 1 << 16, () => false);
  const kernel = { plan: planFor(), module: KERNEL, chunkBytes: CHUNK };
  try {
    return Buffer.from(new LineCopier(kernel, reader, sequence, marks).copy(0)).toString();
  } finally {
    reader.close();
    sequence.close();
  }
}

test("marked lines are copied by their lengths", () => {
  expect(copied("http://a/\nb\n\nnext", [0, 10, 12, 13])).toBe("b\n\n");
});

test.each([
  ["a line ends elsewhere", "http://a\nbc\n\n"],
  ["there are fewer lines", "http://a/\nb\n"],
])("an input that was changed is told if %s", (_, text) => {
  expect(() => copied(text, [0, 10, 12, 13])).toThrow(/an input was changed .*INPUT_CHANGED/);
});

test("a sequence gives rows and lengths again, also long ones", () => {
  const random = new Random(3);
  const sequence = new RowSequence(folder);
  expect(readdirSync(folder)).not.toContainEqual(expect.stringContaining("urlmill-"));
  const chunks = [0, 1, 5, 2000, 3].map((rows) => ({
    partitions: Uint8Array.from({ length: rows }, () => random.below(256)),
    lengths: Array.from({ length: rows }, () =>
      random.pick([1, 70, 65_534, 65_535, 65_536, 200_000]),
    ),
  }));
  for (const { partitions, lengths } of chunks) {
    const offsets = new Int32Array(lengths.length + 1);
    for (const [row, length] of lengths.entries()) {
      offsets[row + 1] = (offsets[row] as number) + length;
    }
    sequence.add(partitions, offsets, needed);
  }
  for (const { partitions, lengths } of chunks) {
    const rows = sequence.next();
    expect([...rows.partitions]).toEqual([...partitions]);
    expect([...rows.lengths].map((bits) => sequence.lengthOf(bits))).toEqual(lengths);
  }
  sequence.close();
});

test("marks of partitions are told in the order of their rows, however they are set", () => {
  const random = new Random(5);
  const rows = (partition: number): number => [0, 1, 31, 32, 33, 200][partition] ?? 7;
  const [one, other] = [new PartitionMarks(rows), new PartitionMarks(rows)];
  const expected: number[] = [];
  for (let partition = 0; partition < 128; partition++) {
    const answers = Uint8Array.from({ length: rows(partition) }, () => random.below(2));
    const cut = random.below(answers.length + 1);
    one.markAnswers(partition, 0, answers.subarray(0, cut));
    one.markAnswers(partition, cut, answers.subarray(cut));
    for (const [row, answer] of answers.entries()) if (answer === 1) other.mark(partition, row);
    expected.push(...answers);
  }
  for (const marks of [one, other]) {
    const told: number[] = [];
    for (let partition = 0; partition < 128; partition++) {
      for (let row = 0; row < rows(partition); row++) told.push(marks.next(partition));
    }
    expect(told).toEqual(expected);
  }
});
