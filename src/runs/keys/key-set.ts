import { firstHalves } from "../../normalizer/fingerprints.ts";
import { chosenRows, keyedRows } from "../../seen/fingerprint-rows.ts";
import { newIdentity, type SeenIdentity } from "../../seen/identity.ts";
import type { Journal } from "../../seen/journal/journal.ts";
import { type OpenJournal, openJournal } from "../../seen/journal/open-journal.ts";
import { FingerprintSet } from "../../seen/memory/fingerprint-set.ts";
import type { SeenRequest } from "../../seen/request.ts";
import { KeyForecast, sayShortage } from "./key-forecast.ts";

/** Holds the results for the rows of a chunk. */
export interface Answers {
  /** One byte for each row: 1 if its key is new, 0 if it is not. A row without a key has its status. */
  readonly rows: Uint8Array;
  /** The fingerprints that are new. */
  readonly fresh: Uint8Array;
}

/** Keeps the keys of a run as fingerprints, and those of earlier runs if they are kept. */
export class KeySet {
  readonly identity: SeenIdentity;
  /** The journal that keeps keys, or null if they are not kept. */
  readonly journal: Journal | null;
  /** Keys of earlier runs. */
  readonly sizeBefore: number;
  /** A message for people about the opened journal. */
  readonly notices: readonly string[];
  readonly #set: FingerprintSet;
  readonly #forecast: KeyForecast;

  private constructor(identity: SeenIdentity, set: FingerprintSet, open: OpenJournal | null) {
    this.identity = identity;
    this.journal = open?.journal ?? null;
    this.notices = open === null ? [] : noticesOf(open);
    this.sizeBefore = set.size;
    this.#set = set;
    this.#forecast = new KeyForecast(set, (shortage) => sayShortage(shortage, identity.bits));
  }

  /** `directory`: the directory for the keys of earlier runs and of this run. */
  static async open(request: SeenRequest, directory: string | undefined): Promise<KeySet> {
    if (directory !== undefined) {
      const open = await openJournal(directory, request, "second");
      return new KeySet(open.journal.identity, open.set, open);
    }
    const identity = newIdentity(request);
    return new KeySet(identity, new FingerprintSet({ ...request, bits: identity.bits }), null);
  }

  /** Keys of this run and earlier ones. */
  get size(): number {
    return this.#set.size;
  }

  /** Adds the fingerprint of each row, 16 bytes. Skips rows whose status is not that of a URL. */
  insert(fingerprints: Uint8Array, status: Uint8Array): Answers {
    const { bits } = this.identity;
    const all = bits === 64 ? firstHalves(fingerprints) : fingerprints;
    const keyed = keyedRows(all, status, bits / 8);
    const answers = this.#set.add(keyed.fingerprints);
    const fresh =
      this.journal === null ? new Uint8Array(0) : chosenRows(keyed.fingerprints, answers);
    return { rows: keyed.spread(answers), fresh };
  }

  /** Tells the set how much of the input is done, from 0 to 1, so that it grows in fewer steps. Warns once if the rest will not fit. */
  expect(done: number): void {
    this.#forecast.expect(done);
  }
}

function noticesOf({ journal, notCompacted }: OpenJournal): string[] {
  const notices: string[] = [];
  if (journal.cutBytes > 0) notices.push(`cut ${journal.cutBytes} bytes of an unfinished write`);
  if (notCompacted !== null)
    notices.push(`was not compacted, and goes on as it is (${notCompacted})`);
  return notices;
}
