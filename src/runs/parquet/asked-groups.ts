import type { AskedKeys } from "../keys/asked-keys.ts";
import type { GroupWork } from "./group-work.ts";
import { answerLookups, answerRows } from "./new-rows.ts";
import type { PlacedGroup } from "./threads/group-threads.ts";

/** Asks about row groups, of which nothing is written. */
export class AskedGroups {
  readonly #work: GroupWork;
  readonly #keys: AskedKeys;
  readonly #pause: () => Promise<void>;

  /** `pause`: is waited for at intervals. */
  constructor(work: GroupWork, keys: AskedKeys, pause: () => Promise<void>) {
    this.#work = work;
    this.#keys = keys;
    this.#pause = pause;
  }

  /** Asks about each text of a row group once. */
  async askTexts({ file, group }: PlacedGroup): Promise<void> {
    if (group === null) return;
    await this.#work.read(file, group);
    await answerLookups(await this.#work.lookups(), this.#keys, this.#pause);
  }

  /** Asks about all rows of a row group. `column`: names the values by which rows are chosen, or is null. */
  async askRows({ file, group }: PlacedGroup, column: string | null): Promise<void> {
    if (group === null) return;
    await this.#work.read(file, group);
    await answerRows(await this.#work.rows(column), this.#keys, this.#pause);
  }
}
