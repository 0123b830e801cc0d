import { UrlmillError } from "../../base/errors.ts";
import { say } from "../../io/say.ts";
import { newIdentity, type SeenIdentity } from "../../seen/identity.ts";
import { type OpenJournal, openJournal } from "../../seen/journal/open-journal.ts";
import { FingerprintSet } from "../../seen/memory/fingerprint-set.ts";
import type { SeenRequest } from "../../seen/request.ts";
import type { KeyStore } from "./asked-keys.ts";

/** Describes the keys of a run. */
export interface RunKeys {
  readonly identity: SeenIdentity;
  /** Keeps the keys of written rows; null if they are not kept. */
  readonly store: KeyStore | null;
  /** Keys of earlier runs. */
  readonly sizeBefore: number;
  /** Returns the set of all keys, which has those of earlier runs, and leaves it to its caller. Call it once, or never. */
  readonly takeSet: () => FingerprintSet;
  /** Returns a new set of at most so many bytes, for a part of the keys of this run. */
  readonly makeSet: (maxBytes: number) => FingerprintSet;
}

/** Opens the keys of a `dedupe` run, with those of earlier runs if `directory` keeps them. Prints the notices of the journal. */
export async function openKeys(
  request: SeenRequest,
  directory: string | undefined,
): Promise<RunKeys> {
  const setOf =
    ({ bits }: SeenIdentity) =>
    (maxBytes: number) =>
      new FingerprintSet({ ...request, bits, maxBytes });
  if (directory === undefined) {
    const identity = newIdentity(request);
    const makeSet = setOf(identity);
    // A set that must be in a kernel takes its memory before the direct mode does, which may hand over.
    const set = request.engine === "wasm" ? makeSet(request.maxBytes) : null;
    const takeSet = handedOver(set, () => makeSet(request.maxBytes));
    return { identity, store: null, sizeBefore: 0, takeSet, makeSet };
  }
  const open = await openJournal(directory, request, "second").catch((error: unknown) => {
    throw withWayOut(error, directory);
  });
  for (const notice of noticesOf(open)) say(`${directory}: ${notice}`);
  const { journal, set } = open;
  const { identity } = journal;
  const makeSet = setOf(identity);
  const takeSet = handedOver(set, () => makeSet(request.maxBytes));
  return { identity, store: journal, sizeBefore: set.size, takeSet, makeSet };
}

/** Returns a function that gives a set and keeps no hold of it, so that its memory can be freed. `another`: makes one if there is none. */
function handedOver(
  set: FingerprintSet | null,
  another: () => FingerprintSet,
): () => FingerprintSet {
  let kept = set;
  return () => {
    const given = kept ?? another();
    kept = null;
    return given;
  };
}

/** Returns the error of a set that does not fit in memory with what a user can do. Returns any other error as it is. */
function withWayOut(error: unknown, directory: string): unknown {
  if (!(error instanceof UrlmillError) || error.code !== "SET_FULL") return error;
  return new UrlmillError(
    "SET_FULL",
    `the set of --seen ${directory} does not fit in memory (${error.message}): give the run more memory, or make it a set on disk: urlmill seen convert ${directory} --store disk`,
  );
}

/** Returns messages for people about an opened journal. */
function noticesOf({ journal, notCompacted }: OpenJournal): string[] {
  const notices: string[] = [];
  if (journal.cutBytes > 0) notices.push(`cut ${journal.cutBytes} bytes of an unfinished write`);
  if (notCompacted !== null)
    notices.push(`was not compacted, and goes on as it is (${notCompacted})`);
  return notices;
}
