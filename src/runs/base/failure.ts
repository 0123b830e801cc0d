import { BLOCKED_CODE } from "./marks.ts";

/**
 * Ends a command with a sentence on standard error. The exit code is 2 for a wrong call, 129 after SIGHUP, 130 after
 * SIGINT, 143 after SIGTERM, 149 after SIGBREAK of Windows, 3 for learned rules that are refused, and 1 for all else.
 */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Describes the outputs after a stop: whole lines, possibly a partial last line, no file, or all of them. */
export type OutputState = "whole" | "cut" | "nothing" | "done";

/** Ends a run at the first line that is not a URL, or the first row. */
export class StoppedAtLine extends CommandFailure {
  /** The number of the line, from 1 on. */
  readonly line: number;
  readonly code: string;
  readonly #record: "line" | "row";

  /** `output`: says what became of the output. */
  constructor(line: number, code: string, record: "line" | "row" = "line", output = "") {
    const what = code === BLOCKED_CODE ? "is blocked" : `is not a URL (${code})`;
    super(`${record} ${line} ${what}; stopped${output} (--on-error fail)`, 1);
    this.line = line;
    this.code = code;
    this.#record = record;
  }

  /** Returns the same error with what became of the output. */
  leaving(state: OutputState): StoppedAtLine {
    if (state === "whole") return this;
    const output = `, and the output is not ${state === "nothing" ? "written" : "whole"}`;
    return new StoppedAtLine(this.line, this.code, this.#record, output);
  }
}

type ExitCode = 1 | 2 | 3 | 129 | 130 | 143 | 149;
