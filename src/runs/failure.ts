import { BLOCKED_CODE } from "./keys/marks.ts";

/**
 * Ends a command with a sentence on standard error. The exit code is 2 for a wrong call, 129 after SIGHUP, 130 after
 * SIGINT, 143 after SIGTERM, 149 after SIGBREAK of Windows, and 1 for all else.
 */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Ends a run of lines at the first one that is not a URL. */
export class StoppedAtLine extends CommandFailure {
  /** The number of the line, from 1 on. */
  readonly line: number;
  readonly code: string;

  constructor(line: number, code: string) {
    super(`${whyStopped("line", line, code)}; stopped (--on-error fail)`, 1);
    this.line = line;
    this.code = code;
  }
}

/** Says why a run stops at a record, by its code. */
export function whyStopped(record: "line" | "row", number: number, code: string): string {
  const what = code === BLOCKED_CODE ? "is blocked" : `is not a URL (${code})`;
  return `${record} ${number} ${what}`;
}

type ExitCode = 1 | 2 | 129 | 130 | 143 | 149;
