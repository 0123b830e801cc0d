import type { LineWindow } from "../engine/engine.ts";
import { isError } from "../status.ts";
import { KeySet } from "./key-set.ts";
import type { CommandOptions, Emit } from "./options.ts";
import { lineText, run } from "./run.ts";
import type { Tally } from "./tally.ts";

/** `urlmill dedupe`: the first line of each normalized URL, in order. */
export function runDedupe(options: CommandOptions): Promise<void> {
  const keep = options.onError === "keep";
  const both = options.emit === "both";
  return run(options, (tally) => {
    const seen = new KeySet();
    return {
      passesLongLines: keep,
      longLinePrefix: both ? "\t" : "",
      longLineEnd: keep ? "\n" : "",
      window: (window) => firstOfEach(window, seen, tally, options.emit, keep),
    };
  });
}

/** The window's lines whose key is new. A line that is no URL has no key and is never merged. */
function firstOfEach(
  window: LineWindow,
  seen: KeySet,
  tally: Tally,
  emit: Emit,
  keep: boolean,
): Uint8Array {
  const keys = Buffer.from(window.output.buffer, window.output.byteOffset, window.output.length);
  const lines: string[] = [];
  for (let row = 0; row < window.rows; row++) {
    const failed = isError(window.status[row] as number);
    const key = keys.toString(
      "latin1",
      window.outputOffsets[row],
      (window.outputOffsets[row + 1] as number) - 1,
    );
    if (failed ? !keep : !seen.add(key)) {
      if (!failed) tally.duplicates++;
      continue;
    }
    if (emit === "normalized" && !failed) {
      lines.push(key);
      continue;
    }
    const original = Buffer.from(lineText(window, row)).toString("latin1");
    lines.push(emit === "both" ? `${key}\t${original}` : original);
  }
  return Buffer.from(lines.length === 0 ? "" : `${lines.join("\n")}\n`, "latin1");
}
