/**
 * Ends a command with a sentence on standard error. The exit code is 2 for a wrong call, 129 after SIGHUP, 130 after
 * SIGINT, 143 after SIGTERM, and 1 for all else.
 */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

type ExitCode = 1 | 2 | 129 | 130 | 143;
