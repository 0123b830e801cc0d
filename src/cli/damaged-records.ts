import { describeDamage } from "../formats/archive.ts";
import type { DamagedRecord } from "../formats/warc-records.ts";
import { shownInput } from "../io/names.ts";
import { say } from "../io/say.ts";
import { CommandFailure } from "./failure.ts";
import type { OnError } from "./job.ts";

/** Damaged records that are named; the others are counted. */
const NAMED = 10;

/** Names the first damaged records of a run's archives on standard error, and counts all. */
export class DamagedRecords {
  readonly #onError: OnError;
  count = 0;

  constructor(onError: OnError) {
    this.#onError = onError;
  }

  /** Takes a damaged record of a file. Throws where the run is to stop at the first error. */
  take(file: string, record: DamagedRecord): void {
    this.count++;
    const sentence = `${shownInput(file)}: ${describeDamage(record)}`;
    if (this.#onError === "fail") {
      throw new CommandFailure(`${sentence}; stopped (--on-error fail)`, 1);
    }
    if (this.count <= NAMED) say(`${sentence}; the run goes on with the next record`);
  }

  /** Says how many records were damaged, where not all were named. */
  report(): void {
    if (this.count > NAMED) {
      say(`${this.count} records could not be read whole; the first ${NAMED} are named above`);
    }
  }
}
