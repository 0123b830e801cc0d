/** What ends a command with a sentence on standard error: 2 for a wrong call, 1 for all else. */
export class CommandFailure extends Error {
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A system error in a few words. */
export function describeSystemError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known: Record<string, string> = {
    ENOENT: "there is no such file",
    EISDIR: "it is a folder",
    EACCES: "permission denied",
    ENOSPC: "the disk is full",
  };
  return known[code ?? ""] ?? message;
}
