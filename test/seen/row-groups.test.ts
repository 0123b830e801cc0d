import { expect, test } from "vitest";
import { isError } from "../../src/base/status.ts";
import { RowGroups } from "../../src/seen/set/row-groups.ts";
import { Random } from "../shared/random.ts";

const WIDTH = 8;

/** Pieces of some rows each; a third of the rows are not URLs, in every second piece. */
function piecesOf(sizes: readonly number[]): { fingerprints: Uint8Array; status: Uint8Array }[] {
  const random = new Random(sizes.length);
  return sizes.map((rows, piece) => ({
    fingerprints: Uint8Array.from({ length: rows * WIDTH }, () => random.below(256)),
    status: Uint8Array.from({ length: rows }, () =>
      piece % 2 === 1 && random.chance(3) ? 3 : random.below(2),
    ),
  }));
}

/** The answer of a row: a byte of its fingerprint, or its error. */
function answersOf(pieces: ReturnType<typeof piecesOf>): number[] {
  return pieces.flatMap(({ fingerprints, status }) =>
    [...status].map((code, row) =>
      isError(code) ? code : (fingerprints[row * WIDTH] as number) & 1,
    ),
  );
}

const answer = (fingerprints: Uint8Array): Uint8Array =>
  Uint8Array.from(
    { length: fingerprints.length / WIDTH },
    (_, row) => (fingerprints[row * WIDTH] as number) & 1,
  );

test.each([
  [0, [5, 0, 7, 100]],
  [10, []],
  [10, [3, 4, 3, 4, 5, 1, 1]],
  [10, [10, 10]],
  [10, [4, 11, 4, 30, 0, 2]],
  [1_000, [3, 4, 3, 4, 5, 1, 1]],
])("rows have their own answers in groups of %i, from pieces of %j", (most, sizes) => {
  const pieces = piecesOf(sizes);
  const expected = answersOf(pieces);
  const groups = new RowGroups(WIDTH, () => most, answer);
  for (const { fingerprints, status } of pieces) {
    groups.add(fingerprints, status);
    // The memory of a piece is used again for the next.
    fingerprints.fill(0);
    status.fill(3);
  }
  expect([...groups.end()]).toEqual(expected);
});

test("pieces are joined up to the limit, and asked about alone without a limit", () => {
  const asked: number[] = [];
  let most = 0;
  const groups = new RowGroups(
    WIDTH,
    () => most,
    (fingerprints) => {
      asked.push(fingerprints.length / WIDTH);
      return answer(fingerprints);
    },
  );
  const add = (rows: number): void =>
    groups.add(new Uint8Array(rows * WIDTH), new Uint8Array(rows));
  add(4);
  add(4);
  most = 10;
  for (let piece = 0; piece < 5; piece++) add(4);
  add(12);
  expect(groups.end()).toHaveLength(40);
  expect(asked).toEqual([4, 4, 8, 8, 4, 12]);
});

test("after an error, the answers are those of the rows before the group", () => {
  let calls = 0;
  const groups = new RowGroups(
    WIDTH,
    () => 10,
    (fingerprints) => {
      if (++calls === 2) throw new RangeError("full");
      return answer(fingerprints);
    },
  );
  const pieces = piecesOf([6, 4, 7, 3]);
  for (const { fingerprints, status } of pieces) groups.add(fingerprints, status);
  expect(() => groups.end()).toThrow("full");
  expect([...groups.answers]).toEqual(answersOf(pieces.slice(0, 2)));
});
