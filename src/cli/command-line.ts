import { UrlmillError } from "../base/errors.ts";
import { IoError } from "../io/io-error.ts";
import { say } from "../io/say.ts";
import { type StandardStreams, withStreams } from "../io/standard.ts";
import { CommandFailure } from "../runs/base/failure.ts";
import { UNICODE_VERSION } from "../url/idna/unicode-version.ts";
import { manifest, print } from "./print.ts";

export { manifest } from "./print.ts";
export { endUnexpectedly } from "./unexpected-error.ts";

/** The error codes of a failed run, which end with exit code 1. All others are wrong calls and end with 2. */
const FAILURES = [
  "ENGINE_FAILED",
  "ENGINE_UNAVAILABLE",
  "WORKER_DIED",
  "SET_FULL",
  "BATCH_TOO_LARGE",
  "SEEN_MISMATCH",
  "SEEN_CORRUPT",
  "SEEN_LOCKED",
  "SEEN_FAILED",
];

/**
 * Runs the command that the arguments name, as `urlmill` does. Returns its exit code. One command runs at a time in a
 * process; `streams` are its standard streams.
 */
export function runCommandLine(
  args: string[],
  streams: StandardStreams = process,
): Promise<number> {
  return withStreams(streams, async () => {
    try {
      return await answer(args);
    } catch (error) {
      return report(error);
    }
  });
}

/** Reports why a command failed, and returns its exit code. Rethrows an error that is not one of urlmill's own. */
function report(error: unknown): number {
  const isKnown = error instanceof UrlmillError || error instanceof IoError;
  if (!isKnown && !(error instanceof CommandFailure)) throw error;
  say(error.message);
  if (error instanceof CommandFailure) return error.exitCode;
  return error instanceof IoError || FAILURES.includes(error.code) ? 1 : 2;
}

/** Answers what needs no other module, and leaves all else to the commands, whose modules take most of the time. */
async function answer(args: string[]): Promise<number> {
  const [command = ""] = args;
  if (["-V", "-v", "--version", "version"].includes(command)) {
    return print(`${manifest().version} (Unicode ${UNICODE_VERSION})\n`);
  }
  const { runCommand } = await import("./run-command.ts");
  return runCommand(args);
}
