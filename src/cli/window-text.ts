import type { LineWindow } from "../engine/engine.ts";

const LF = 0x0a;
const CR = 0x0d;

/** The text of an input line, without its LF or CR LF. */
export function lineText({ input, inputOffsets }: LineWindow, row: number): Uint8Array {
  const start = inputOffsets[row] as number;
  let end = inputOffsets[row + 1] as number;
  if (input[end - 1] === LF) {
    end--;
    if (end > start && input[end - 1] === CR) end--;
  }
  return input.subarray(start, end);
}

/** The normalized form of a line, or "" where it failed. */
export function outputText({ output, outputOffsets }: LineWindow, row: number): string {
  const bytes = Buffer.from(output.buffer, output.byteOffset, output.length);
  return bytes.toString("latin1", outputOffsets[row], (outputOffsets[row + 1] as number) - 1);
}
