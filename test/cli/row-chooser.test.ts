import { expect, test } from "vitest";
import { KernelRowChooser, PlainRowChooser } from "../../src/runs/rows/row-chooser.ts";
import { KERNEL, planFor } from "../shared/engine-parts.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const plan = planFor();

test.each([
  ["the kernel", new KernelRowChooser(plan, KERNEL)],
  ["JavaScript", new PlainRowChooser()],
])("%s chooses rows of any length, also above its window", (_, chooser) => {
  const random = new Random(41);
  for (let round = 0; round < atLength(2, 30); round++) {
    const rows = Array.from({ length: 1 + random.below(40_000) }, () =>
      random.pick(["x", "y", "z"]).repeat(random.chance(20_000) ? 400_000 : random.below(30)),
    );
    const isChosen = Uint8Array.from(rows, () => (random.chance(3) ? 0 : 1));
    let at = 0;
    const starts = Int32Array.from([0, ...rows.map((row) => (at += row.length))]);
    const target = new Uint8Array(at);
    const text = Buffer.from(rows.join(""));
    const length = chooser.choose(text, starts, isChosen, target);
    const expected = Buffer.from(rows.filter((_row, row) => isChosen[row] === 1).join(""));
    expect(Buffer.compare(target.subarray(0, length), expected)).toBe(0);
    expect(text.toString()).toBe(rows.join(""));
  }
});
