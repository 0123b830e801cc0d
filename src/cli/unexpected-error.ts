import { inspect } from "node:util";
import { tell } from "../io/say.ts";
import { visible } from "../io/text/visible.ts";

/**
 * Reports an error that is a fault of urlmill itself, with its stack trace, and then ends the process with exit code 1.
 * The process must not wait for work in progress, because nothing is known of its state. `manifest`: the package's own.
 */
export function endUnexpectedly(error: unknown, manifest: { version: string; bugs: string }): void {
  const { version, bugs } = manifest;
  const head = `urlmill: stopped by a fault of its own, so the output may be incomplete. Please report these lines: ${bugs}`;
  const runtime = `urlmill ${version}, Node ${process.version}, ${process.platform} ${process.arch}`;
  const lines = [head, ...inspect(error).split("\n").map(visible), runtime];
  tell(`${lines.join("\n")}\n`, () => process.exit(1));
}
