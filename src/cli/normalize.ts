import { replaceRows } from "../engine/splice.ts";
import { isError } from "../status.ts";
import type { CommandOptions } from "./options.ts";
import { lineText, run } from "./run.ts";

/** `urlmill normalize`: one line out per line in, in order. */
export function runNormalize(options: CommandOptions): Promise<void> {
  const keep = options.onError === "keep";
  return run(options, () => ({
    passesLongLines: keep,
    longLinePrefix: "",
    longLineEnd: "\n",
    window(window) {
      if (window.failed === 0 || !keep) return window.output.slice();
      const originals = new Map<number, Uint8Array>();
      for (const [row, status] of window.status.entries()) {
        if (isError(status)) originals.set(row, Buffer.concat([lineText(window, row), NEWLINE]));
      }
      return replaceRows(window.output, window.outputOffsets, originals).data;
    },
  }));
}

const NEWLINE = Uint8Array.of(0x0a);
