import { replaceRows } from "../engine/splice.ts";
import { toSurt } from "../output/surt.ts";
import { isError } from "../status.ts";
import type { CommandOptions } from "./options.ts";
import { run } from "./run.ts";
import { lineText, outputText } from "./window-text.ts";

const NEWLINE = Uint8Array.of(0x0a);

/** `urlmill normalize`: one line out per line in, in order. */
export function runNormalize(options: CommandOptions): Promise<void> {
  const keep = options.onError === "keep";
  return run(options, () => ({
    passesLongLines: keep,
    longLinePrefix: "",
    longLineEnd: "\n",
    window(window) {
      if (!options.surt && (window.failed === 0 || !keep)) return window.output.slice();
      const lines = new Map<number, Uint8Array>();
      for (const [row, status] of window.status.entries()) {
        if (!isError(status)) {
          if (options.surt) lines.set(row, Buffer.from(`${toSurt(outputText(window, row))}\n`));
        } else if (keep) {
          lines.set(row, Buffer.concat([lineText(window, row), NEWLINE]));
        }
      }
      return replaceRows(window.output, window.outputOffsets, lines).data;
    },
  }));
}
