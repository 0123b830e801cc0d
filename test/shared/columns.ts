import type { Column } from "../../src/index.ts";

/** Returns byte strings as one column. */
export function toColumn(rows: readonly string[]): Column {
  const offsets = new Int32Array(rows.length + 1);
  for (const [row, text] of rows.entries()) {
    offsets[row + 1] = (offsets[row] as number) + text.length;
  }
  return { data: Buffer.from(rows.join(""), "latin1"), offsets };
}

/** Returns the rows of a column as byte strings. */
export function fromColumn({ data, offsets }: Column): string[] {
  const text = Buffer.from(data).toString("latin1");
  return Array.from({ length: offsets.length - 1 }, (_, row) =>
    text.slice(offsets[row], offsets[row + 1]),
  );
}
