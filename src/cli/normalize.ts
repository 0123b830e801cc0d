import { domainToUnicode } from "../engine/js/idna/domain-to-ascii.ts";
import { joinParts, splitParts } from "../engine/js/parts.ts";
import { toSurt } from "../output/surt.ts";
import { isError } from "../status.ts";
import type { CommandOptions } from "./options.ts";
import { run } from "./run.ts";
import { replaceRows } from "./splice.ts";
import { lineText, outputText } from "./window-text.ts";

const NEWLINE = Uint8Array.of(0x0a);

/** `urlmill normalize`: one line out per line in, in order. */
export function runNormalize(options: CommandOptions): Promise<void> {
  const keep = options.onError === "keep";
  const form = outputForm(options);
  return run(options, () => ({
    passesLongLines: keep,
    longLinePrefix: "",
    longLineEnd: "\n",
    window(window) {
      if (form === null && (window.failed === 0 || !keep)) return window.output.slice();
      const lines = new Map<number, Uint8Array>();
      for (const [row, status] of window.status.entries()) {
        if (!isError(status)) {
          if (form !== null) lines.set(row, Buffer.from(`${form(outputText(window, row))}\n`));
        } else if (keep) {
          lines.set(row, Buffer.concat([lineText(window, row), NEWLINE]));
        }
      }
      return replaceRows(window.output, window.outputOffsets, lines).data;
    },
  }));
}

/** How a normalized URL is written where not as it is. */
function outputForm({ surt, unicodeHosts }: CommandOptions): ((url: string) => string) | null {
  if (surt) return toSurt;
  return unicodeHosts ? withUnicodeHost : null;
}

function withUnicodeHost(url: string): string {
  const parts = splitParts(url);
  return joinParts({ ...parts, host: domainToUnicode(parts.host) });
}
