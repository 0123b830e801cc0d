import { say } from "../../io/say.ts";
import { procValue } from "../../io/standard.ts";
import { CommandFailure, type OutputState } from "./failure.ts";

/** The signals that end a run early, and the exit codes that shells give them. Only Windows has SIGBREAK, for Ctrl-Break. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143, SIGBREAK: 149 } as const;
type Signal = keyof typeof EXIT_CODES;

/** Returns the signals to listen to. A listener would end a run that `nohup` started when its terminal closes. */
function signals(): Signal[] {
  const all = Object.keys(EXIT_CODES) as Signal[];
  return hangupEnds() ? all : all.filter((signal) => signal !== "SIGHUP");
}

/** Returns whether SIGHUP ends the process. Where the system does not say so, the signal keeps its effect. */
function hangupEnds(): boolean {
  if (process.platform === "win32") return true; // there it means that the console was closed
  const ignored = procValue("status", "SigIgn");
  return ignored !== null && (Number.parseInt(ignored.slice(-1), 16) & 1) === 0;
}

/** The time after which an interrupted run ends, even if its files are not complete, in milliseconds. */
export const DEADLINE_MS = 900;
/** The longest time that the process may continue after its files are closed, in milliseconds. */
const LEAVE_MS = 20;

const MESSAGES: Readonly<Record<OutputState, string>> = {
  whole: "interrupted; what is written ends with a whole line",
  cut: "interrupted within a write: the last line of an output may be cut, and a compressed file may lack its end; write them again",
  nothing: "interrupted; the output is not written, and a file that was there before is as it was",
  done: "interrupted; the output is written, and its keys are added when the set is opened next",
};

/** Describes a run that a signal can end. */
export interface Interruptible {
  /** Ends it with `reason`. */
  stop(reason: Error): void;
  /** Describes the outputs after the stop. */
  readonly outputState: OutputState;
  /** Names the file that a later run can go on with; null, and left out, if there is none. */
  readonly continued?: string | null;
  /** Removes unfinished files. The process ends directly after it. Left out if there are none. */
  abandon?(): void;
}

/**
 * Listens to SIGINT, SIGTERM and SIGHUP during a run, and ends the process within a second of the first.
 * Later signals change nothing, because a terminal and a parent process often both send one.
 */
export class Interrupt {
  readonly #run: Interruptible;
  readonly #signals = signals();
  #signal: Signal | null = null;
  #reason: CommandFailure | null = null;
  #deadline: NodeJS.Timeout | undefined;

  private constructor(run: Interruptible) {
    this.#run = run;
  }

  /** Stops `run` with what it must throw, when the first signal comes. */
  static listen(run: Interruptible): Interrupt {
    const interrupt = new Interrupt(run);
    interrupt.resume();
    return interrupt;
  }

  /** Stops listening until `resume`. Meanwhile a signal ends the process at once. */
  rest(): void {
    if (this.#signal === null) this.#forget();
  }

  /** Listens again. */
  resume(): void {
    if (this.#signal !== null) return;
    for (const signal of this.#signals) process.on(signal, this.#hear);
  }

  /** Returns the error to report for an error of the run. */
  explain(error: unknown): unknown {
    if (error !== this.#reason || this.#signal === null) return error;
    const { outputState, continued = null } = this.#run;
    const hint =
      outputState === "whole" && continued !== null
        ? `; --append ${continued} goes on after it`
        : "";
    return new CommandFailure(`${MESSAGES[outputState]}${hint}`, EXIT_CODES[this.#signal]);
  }

  /** Call it after all files are closed. An interrupted process ends soon afterwards. */
  end(): void {
    clearTimeout(this.#deadline);
    if (this.#signal === null) this.#forget();
    // Only a blocked reader or a named pipe without data can still keep the process alive.
    else setTimeout(() => this.#leave(), LEAVE_MS).unref();
  }

  readonly #hear = (signal: NodeJS.Signals): void => {
    if (this.#signal !== null) return;
    this.#signal = signal as Signal;
    this.#reason = new CommandFailure(MESSAGES.whole, EXIT_CODES[this.#signal]);
    this.#deadline = setTimeout(() => {
      const { outputState } = this.#run;
      say(MESSAGES[outputState === "whole" ? "cut" : outputState]);
      process.exitCode = EXIT_CODES[signal as Signal];
      this.#leave();
    }, DEADLINE_MS);
    this.#run.stop(this.#reason);
  };

  #leave(): void {
    this.#run.abandon?.();
    // `process.exit` would wait for a read or write of a named pipe that may never end; a signal does not wait.
    const isInFile =
      process.platform !== "win32" && // there, a signal would end it with 1
      process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"));
    this.#forget();
    if (isInFile && this.#signal !== null) process.kill(process.pid, this.#signal);
    process.exit();
  }

  #forget(): void {
    for (const signal of this.#signals) process.off(signal, this.#hear);
  }
}
