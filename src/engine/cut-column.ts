/** Locates a run of rows of a batch, `[first, end)`. */
export interface Rows {
  readonly first: number;
  readonly end: number;
}

/**
 * Cuts a column into runs of at most `size` bytes of data and `most` rows; a longer row is a run of its own.
 * Its offsets may be larger than Int32.
 */
export function* cutColumn(
  { offsets }: { readonly offsets: ArrayLike<number> },
  size: number,
  most: number,
): Generator<Rows> {
  const rows = offsets.length - 1;
  for (let first = 0; first < rows; ) {
    const limit = (offsets[first] as number) + size;
    const last = Math.min(first + most, rows);
    let end = first + 1;
    while (end < last && (offsets[end + 1] as number) <= limit) end++;
    yield { first, end };
    first = end;
  }
}
