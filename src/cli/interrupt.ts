import { say } from "../io/say.ts";
import { CommandFailure } from "./failure.ts";

/** The signals that end a run early, and the exit codes that shells give them. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof EXIT_CODES;
const SIGNALS = Object.keys(EXIT_CODES) as Signal[];

/** When a run that was interrupted ends, however far its files are, in milliseconds. */
const DEADLINE_MS = 900;
/** How long the process may go on after its files are closed, in milliseconds. */
const LEAVE_MS = 20;

const WHOLE = "interrupted; what is written ends with a whole line";
const CUT =
  "interrupted within a write: the last line of an output may be cut, and a compressed file may lack its end; write them again";

/**
 * Listens to SIGINT and SIGTERM during a run, and ends the process within a second of the first.
 * Later signals change nothing, because a terminal and a parent process often both send one.
 */
export class Interrupt {
  readonly #stop: (reason: CommandFailure) => void;
  #signal: Signal | null = null;
  #reason: CommandFailure | null = null;
  #deadline: NodeJS.Timeout | undefined;

  private constructor(stop: (reason: CommandFailure) => void) {
    this.#stop = stop;
  }

  /** Calls `stop` with what the run must throw, when the first signal comes. */
  static listen(stop: (reason: CommandFailure) => void): Interrupt {
    const interrupt = new Interrupt(stop);
    for (const signal of SIGNALS) process.on(signal, interrupt.#hear);
    return interrupt;
  }

  /** Returns what to report of an error. `isCut`: whether an output may end within a line. */
  explain(error: unknown, isCut: boolean): unknown {
    if (error !== this.#reason || this.#signal === null || !isCut) return error;
    return new CommandFailure(CUT, EXIT_CODES[this.#signal]);
  }

  /** Call it when all files are closed. A process that was interrupted ends soon after. */
  end(): void {
    clearTimeout(this.#deadline);
    if (this.#signal === null) this.#forget();
    // What still holds the process now is a reader that takes nothing, or a named pipe that gives nothing.
    else setTimeout(() => this.#leave(), LEAVE_MS).unref();
  }

  readonly #hear = (signal: NodeJS.Signals): void => {
    if (this.#signal !== null) return;
    this.#signal = signal as Signal;
    this.#reason = new CommandFailure(WHOLE, EXIT_CODES[this.#signal]);
    this.#deadline = setTimeout(() => {
      say(CUT);
      process.exitCode = EXIT_CODES[signal as Signal];
      this.#leave();
    }, DEADLINE_MS);
    this.#stop(this.#reason);
  };

  #leave(): void {
    // `process.exit` would wait for a read or write of a named pipe that may never end; a signal does not.
    const isInFile = process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"));
    this.#forget();
    if (isInFile && this.#signal !== null) process.kill(process.pid, this.#signal);
    process.exit();
  }

  #forget(): void {
    for (const signal of SIGNALS) process.off(signal, this.#hear);
  }
}
