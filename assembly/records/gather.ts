// Memory: reads froms, tos and the input; writes offsets and the column.

import { columnStart, froms, inputStart, offsets, tos } from "./memory";

/** Writes the URLs of the first `rows` rows to the column. Rows without a URL have `from` equal to `to`. Returns its bytes. */
export function gather(rows: i32): i32 {
  let out = columnStart;
  for (let row = 0; row < rows; row++) {
    const at = (<usize>row) << 2;
    const length = <usize>(load<i32>(tos + at) - load<i32>(froms + at));
    const from = inputStart + <usize>load<i32>(froms + at);
    store<i32>(offsets + at, <i32>(out - columnStart));
    for (let p: usize = 0; p < length; p += 16) v128.store(out + p, v128.load(from + p));
    out += length;
  }
  store<i32>(offsets + ((<usize>rows) << 2), <i32>(out - columnStart));
  return <i32>(out - columnStart);
}
