import { counted } from "../../base/counted.ts";
import { tell } from "../../io/say.ts";
import { isWatched } from "../../io/standard.ts";
import type { Tally } from "../call/tally.ts";

const INTERVAL_MS = 200;
const CLEAR_LINE = "\r\x1b[2K";

/** Describes the inputs and the output of a run. */
interface ProgressFacts {
  /** Bytes to read of all inputs, or 0 if unknown. */
  readonly total: number;
  /** The name of the items that are counted. */
  readonly record: "line" | "row";
  /** The name of the output; `-` is standard output. */
  readonly out: string;
}

/** Writes one line to standard error, and updates it during the run. */
export class Progress {
  readonly #tally: Tally;
  readonly #total: number;
  readonly #record: "line" | "row";
  readonly #timer: NodeJS.Timeout;

  private constructor(tally: Tally, { total, record }: ProgressFacts) {
    this.#tally = tally;
    this.#total = total;
    this.#record = record;
    this.#timer = setInterval(() => this.#draw(), INTERVAL_MS);
    this.#timer.unref();
  }

  /** Starts if requested, or by default if standard error is a terminal that shows no output. */
  static start(wanted: boolean | undefined, tally: Tally, facts: ProgressFacts): Progress | null {
    return (wanted ?? isWatched(facts.out)) ? new Progress(tally, facts) : null;
  }

  /** Draws the last figures, which a log keeps and a terminal clears, and ends. */
  stop(): void {
    clearInterval(this.#timer);
    this.#draw();
    tell(CLEAR_LINE);
  }

  #draw(): void {
    const { lines, bytesBefore, errors, seconds } = this.#tally;
    const bytesIn = bytesBefore + this.#tally.bytesIn;
    const record = this.#record;
    const done =
      this.#total > 0 ? `${((100 * bytesIn) / this.#total).toFixed(0).padStart(3)} %  ` : "";
    const left =
      this.#total > 0 && bytesIn > 0
        ? `  ${Math.ceil((seconds * (this.#total - bytesIn)) / bytesIn)} s left`
        : "";
    tell(
      `${CLEAR_LINE}${done}${short(lines)} ${record}${lines === 1 ? "" : "s"}  ${short(bytesIn)}B  ${short(lines / seconds)} ${record}s/s  ${counted(errors, "error")}${left}`,
    );
  }
}

/** Returns a short form of a number, such as `1.2 M` for 1234567. */
function short(count: number): string {
  if (count < 1000) return `${Math.round(count)} `;
  const unit = count < 1e6 ? "k" : count < 1e9 ? "M" : "G";
  const value = count / { k: 1e3, M: 1e6, G: 1e9 }[unit];
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}
