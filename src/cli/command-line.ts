import { inspect } from "node:util";
import { UrlmillError } from "../base/errors.ts";
import { IoError } from "../io/io-error.ts";
import { say, tell } from "../io/say.ts";
import { type StandardStreams, withStreams } from "../io/standard.ts";
import { visible } from "../io/text/visible.ts";
import { CommandFailure } from "../runs/base/failure.ts";
import { UNICODE_VERSION } from "../url/idna/unicode-version.ts";
import { manifest, print } from "./print.ts";

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

/**
 * Reports an error that is a fault of urlmill itself, with its stack trace, and then ends the process with exit code 1.
 * The process must not wait for work in progress, because nothing is known of its state.
 */
export function endUnexpectedly(error: unknown): void {
  let about = { version: "of unknown version", bugs: "to its maintainers" };
  try {
    about = manifest();
  } catch {
    // No file can be opened, which may be the fault itself.
  }
  const { version, bugs } = about;
  const head = `urlmill: stopped by a fault of its own, so the output may be incomplete. Please report these lines: ${bugs}`;
  const runtime = `urlmill ${version}, Node ${process.version}, ${process.platform} ${process.arch}`;
  const lines = [head, ...inspect(error).split("\n").map(visible), runtime];
  tell(`${lines.join("\n")}\n`, () => process.exit(1));
}
