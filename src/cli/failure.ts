/** What ends a command with a sentence on standard error: 2 for a wrong call, 130 after an interrupt, 1 for
 * all else. */
export class CommandFailure extends Error {
  readonly exitCode: 1 | 2 | 130;

  constructor(message: string, exitCode: 1 | 2 | 130) {
    super(message);
    this.exitCode = exitCode;
  }
}
