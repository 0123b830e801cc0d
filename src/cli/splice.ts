/** Rows in one buffer with `rows + 1` offsets, some of them replaced by other bytes. */
export function replaceRows(
  data: Uint8Array,
  offsets: Int32Array,
  replacements: ReadonlyMap<number, Uint8Array>,
): { data: Uint8Array; offsets: Int32Array } {
  const rows = offsets.length - 1;
  let length = offsets[rows] as number;
  for (const [row, bytes] of replacements) {
    length += bytes.length - ((offsets[row + 1] as number) - (offsets[row] as number));
  }
  const spliced = new Uint8Array(length);
  const splicedOffsets = new Int32Array(rows + 1);
  let shift = 0;
  let copied = 0;
  for (let row = 0; row < rows; row++) {
    const start = offsets[row] as number;
    const end = offsets[row + 1] as number;
    splicedOffsets[row] = start + shift;
    const bytes = replacements.get(row);
    if (bytes === undefined) continue;
    spliced.set(data.subarray(copied, start), copied + shift);
    spliced.set(bytes, start + shift);
    shift += bytes.length - (end - start);
    copied = end;
  }
  spliced.set(data.subarray(copied, offsets[rows]), copied + shift);
  splicedOffsets[rows] = length;
  return { data: spliced, offsets: splicedOffsets };
}
