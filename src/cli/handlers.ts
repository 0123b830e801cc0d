import { withAppended } from "../io/files/appended-file.ts";
import { InputPeek } from "../io/input-peek.ts";
import type { LineOptions } from "../runs/call/options.ts";
import type { PreparedRun } from "../runs/frame/prepare.ts";
import { run } from "../runs/run.ts";
import type { ParsedFlags } from "./flags/parse-flags.ts";
import { withFileNames } from "./normalizer-options.ts";
import { readOptions } from "./options.ts";

// What the commands run. It is loaded as a whole when a command needs it: many small files take longer to load.

export { runExplain } from "./explain.ts";
export { runPlan } from "./plan.ts";

/** Runs a command on text. The file of `--append` is open during the run. */
function runLines(options: LineOptions, dedupes: boolean): Promise<PreparedRun> {
  if (options.append === undefined) return run(options, dedupes);
  return withAppended(options.append, ({ name: out, head }) =>
    run({ ...options, out, outputHead: head.length === 0 ? null : head }, dedupes),
  );
}

/** Runs `normalize` or `dedupe`. Returns what the run was, with its counts. */
export async function filter(
  name: "normalize" | "dedupe",
  call: ParsedFlags,
): Promise<PreparedRun> {
  const peek = new InputPeek();
  try {
    return await withFileNames(call.values, async () => {
      const options = await readOptions(name, call, peek);
      const { format } = options;
      if (format !== "parquet") return runLines({ ...options, format }, name === "dedupe");
      const { runParquet } = await import("../runs/parquet/run-parquet.ts");
      return runParquet(options, name === "dedupe");
    });
  } finally {
    await peek.close();
  }
}
