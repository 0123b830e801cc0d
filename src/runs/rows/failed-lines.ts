import { isError } from "../../base/status.ts";
import type { ByteBuilder } from "../../engine/byte-builder.ts";
import type { LineWindow } from "../../engine/engine.ts";
import { CR, LF } from "../../url/chars.ts";

/** Holds the original lines of a window. */
export type LineTexts = Pick<LineWindow, "input" | "inputOffsets">;

/** Returns the rows of a window that have an error. */
export function failedRows({ status }: Pick<LineWindow, "status">): number[] {
  const rows: number[] = [];
  for (let row = 0; row < status.length; row++) if (isError(status[row] as number)) rows.push(row);
  return rows;
}

/** Appends the output of a window without some lines, in place of which are their texts with `keeps`, or empty lines. */
export function appendWithout(
  out: Pick<ByteBuilder, "append">,
  window: LineTexts & Pick<LineWindow, "output" | "outputOffsets">,
  rows: readonly number[],
  keeps: boolean,
): void {
  const { output, outputOffsets } = window;
  let done = 0;
  for (const row of rows) {
    const at = outputOffsets[row] as number;
    if (at > done) out.append(output.subarray(done, at));
    if (keeps) out.append(lineText(window, row));
    done = (outputOffsets[row + 1] as number) - 1; // its LF
  }
  out.append(output.subarray(done));
}

/** Returns the text of an input line, without its LF or CR LF. */
export function lineText({ input, inputOffsets }: LineTexts, row: number): Uint8Array {
  const start = inputOffsets[row] as number;
  let end = inputOffsets[row + 1] as number;
  if (input[end - 1] === LF) {
    end--;
    if (end > start && input[end - 1] === CR) end--;
  }
  return input.subarray(start, end);
}

/** Returns the text of an input line as a byte string, without its LF or CR LF. */
export function lineAsBytes(window: LineTexts, row: number): string {
  return Buffer.from(lineText(window, row)).toString("latin1");
}
