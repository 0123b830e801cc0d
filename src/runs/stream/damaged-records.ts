import { describeDamage } from "../../formats/archives/archive.ts";
import type { Cut, DamagedRecord } from "../../formats/archives/warc-records.ts";
import type { DoubtfulQuote } from "../../formats/format.ts";
import { shownInput } from "../../io/io-error.ts";
import { say } from "../../io/say.ts";
import { CommandFailure } from "../base/failure.ts";
import type { OnError } from "../call/job.ts";

/** The number of damaged records that are named. Further ones are only counted. */
const NAMED = 10;

/** Names the first damaged records of a run's inputs on standard error, and counts all of them. */
export class DamagedRecords {
  readonly #onError: OnError;
  readonly #isSilent: boolean;
  count = 0;
  /** The number of damaged members of compressed archives; `count` has them, too. */
  members = 0;
  /** The number of quotes that are not closed; `count` has them, too. */
  openQuotes = 0;
  /** The number of fields of many lines. */
  #longFields = 0;

  constructor(onError: OnError, isSilent: boolean) {
    this.#onError = onError;
    this.#isSilent = isSilent;
  }

  /** Takes a damaged record of an archive. Throws if the run must stop at the first error. */
  take(file: string, record: DamagedRecord): void {
    this.#add(
      `${shownInput(file)}: ${describeDamage(record)}`,
      "the run goes on with the next record",
    );
  }

  /** Takes a gap in an archive. Throws if the run must stop at the first error. */
  takeGap(file: string, reason: string, { record, isTold }: Cut): void {
    this.members++;
    if (isTold) this.count--; // one record, for two reasons
    const damage = `damaged ${reason}`;
    this.#add(
      `${shownInput(file)}: ${record === null ? damage : describeDamage({ ...record, reason: damage })}`,
      "the run goes on with the next record",
    );
  }

  /** Takes a doubtful quote in a line of a table. Throws for one that is not closed if the run must stop at the first error. */
  takeQuote(file: string, line: number, { lines }: DoubtfulQuote): void {
    const place = `${shownInput(file)}, line ${line}`;
    if (lines === null) {
      this.openQuotes++;
      this.#add(
        `${place}: a quote opens a field, and no quote closes it`,
        "reading goes on with the next line",
      );
    } else if (++this.#longFields <= NAMED && !this.#isSilent) {
      say(`${place}: a field in quotes has ${lines} lines; is a quote missing?`);
    }
  }

  /** Says how an input is read, unless another reading says it. */
  say(how: string): void {
    if (!this.#isSilent) say(how);
  }

  #add(what: string, next: string): void {
    this.count++;
    if (this.#onError === "fail") {
      throw new CommandFailure(`${what}; stopped (--on-error fail)`, 1);
    }
    if (this.count <= NAMED && !this.#isSilent) say(`${what}; ${next}`);
  }

  /** Reports how many records were damaged, if not all were named. */
  report(): void {
    if (this.count > NAMED) {
      say(`${this.count} records could not be read whole; the first ${NAMED} are named above`);
    }
    if (this.#longFields > NAMED && !this.#isSilent) {
      say(
        `${this.#longFields} fields have more than 1,000 lines; the first ${NAMED} are named above`,
      );
    }
  }
}
