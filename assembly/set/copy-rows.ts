/*
 * Memory: reads rows of the input by inOffsets, and marks; writes the output, which is longer than the input
 * and so has room for all.
 */

import { inOffsets, inputStart, marks, outputStart } from "../memory";
import { writeBytes } from "../url/component";

/**
 * Writes the rows among the first `rows` of the input whose byte in marks is 1, one after the other.
 * inOffsets count from `begin`. Returns the bytes written.
 */
export function chooseRows(rows: i32, begin: i32): i32 {
  let out = outputStart;
  for (let row = 0; row < rows; row++) {
    if (load<u8>(marks + <usize>row) === 0) continue;
    const from = rowStart(row, begin);
    do row++;
    while (row < rows && load<u8>(marks + <usize>row) !== 0);
    out = writeBytes(from, rowStart(row, begin), out);
  }
  return <i32>(out - outputStart);
}

function rowStart(row: i32, begin: i32): usize {
  return inputStart + <usize>(load<i32>(inOffsets + ((<usize>row) << 2)) - begin);
}
