import { describeDamage } from "../../formats/archives/archive.ts";
import type { DamagedRecord } from "../../formats/archives/warc-records.ts";
import { shownInput } from "../../io/names.ts";
import { say } from "../../io/say.ts";
import { CommandFailure } from "../failure.ts";
import type { OnError } from "../job.ts";

/** The number of damaged records that are named. Further ones are only counted. */
const NAMED = 10;

/** Names the first damaged records of a run's archives on standard error, and counts all of them. */
export class DamagedRecords {
  readonly #onError: OnError;
  readonly #isSilent: boolean;
  count = 0;

  constructor(onError: OnError, isSilent: boolean) {
    this.#onError = onError;
    this.#isSilent = isSilent;
  }

  /** Takes a damaged record of a file. Throws if the run must stop at the first error. */
  take(file: string, record: DamagedRecord): void {
    this.count++;
    const sentence = `${shownInput(file)}: ${describeDamage(record)}`;
    if (this.#onError === "fail") {
      throw new CommandFailure(`${sentence}; stopped (--on-error fail)`, 1);
    }
    if (this.count <= NAMED && !this.#isSilent)
      say(`${sentence}; the run goes on with the next record`);
  }

  /** Reports how many records were damaged, if not all were named. */
  report(): void {
    if (this.count > NAMED) {
      say(`${this.count} records could not be read whole; the first ${NAMED} are named above`);
    }
  }
}
