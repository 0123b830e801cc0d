import type { LineWindow } from "../engine/engine.ts";
import { isError } from "../status.ts";
import { KeySet } from "./key-set.ts";
import type { CommandOptions, Emit } from "./options.ts";
import { run } from "./run.ts";
import { lineText, outputText } from "./window-text.ts";

/** `urlmill dedupe`: the first line of each normalized URL, in order. */
export function runDedupe(options: CommandOptions): Promise<void> {
  const keep = options.onError === "keep";
  const seen = new KeySet();
  return run(options, (tally) => ({
    passesLongLines: keep,
    longLinePrefix: options.emit === "both" ? "\t" : "",
    longLineEnd: keep ? "\n" : "",
    window(window, map) {
      const lines: string[] = [];
      for (let row = 0; row < window.rows; row++) {
        if (isError(window.status[row] as number)) {
          // A line that is no URL has no key and is never merged.
          if (keep)
            lines.push(
              options.emit === "both" ? `\t${original(window, row)}` : original(window, row),
            );
          continue;
        }
        const key = outputText(window, row);
        if (seen.add(key)) {
          lines.push(emitted(options.emit, key, window, row));
          continue;
        }
        tally.duplicates++;
        map?.push(`${key}\t${original(window, row)}\n`);
      }
      return Buffer.from(lines.length === 0 ? "" : `${lines.join("\n")}\n`, "latin1");
    },
  }));
}

function emitted(emit: Emit, key: string, window: LineWindow, row: number): string {
  if (emit === "normalized") return key;
  return emit === "both" ? `${key}\t${original(window, row)}` : original(window, row);
}

/** The line as it was, as a byte string. */
function original(window: LineWindow, row: number): string {
  return Buffer.from(lineText(window, row)).toString("latin1");
}
