import { UrlmillError } from "../../base/errors.ts";
import { gather } from "../../base/gather.ts";
import { markHandled } from "../../base/handled.ts";
import { whenAborted } from "../../base/when-aborted.ts";
import { ByteBuilder } from "../../engine/byte-builder.ts";
import type { TakeFingerprints, UrlText } from "../../engine/engine.ts";
import { textOf } from "../../engine/strings.ts";
import { checkIterable, type UrlBatch } from "../../normalizer/batch.ts";
import type { BatchOptions } from "../../normalizer/calls.ts";
import { isView } from "../../normalizer/check-calls.ts";
import type { Normalizer } from "../../normalizer/normalizer.ts";
import type { Pool } from "../../pool/index.ts";
import { ownPiece, WholeLines } from "../../pool/whole-lines.ts";
import type { SeenIdentity } from "../contract/identity.ts";
import type { PreparedSet } from "./seen-options.ts";

/** How many bytes, or UTF-16 units, of a stream are normalized at a time. */
const AT_A_TIME = 1 << 18;
/** What an item of a stream counts besides its length, so that short ones are not too many. */
const ITEM = 64;

/** Holds URLs that come one by one, or lines of bytes that come in pieces. */
export type UrlStream = AsyncIterable<UrlText> | AsyncIterable<Uint8Array>;

/** Holds the options of a call for a set. */
export interface SeenCallOptions extends BatchOptions {
  /**
   * Ends the call if it is aborted before its URLs are recorded: the call then throws the signal's reason, and nothing is
   * recorded. Afterwards it changes nothing.
   *
   * @default none
   */
  readonly signal?: AbortSignal | undefined;
}

/** Hands out the fingerprints and status bytes of a batch. */
export type FingerprintSource = (receive: TakeFingerprints) => void;

/** Makes the fingerprints of a set's batches, on threads if the set has some. */
export class Fingerprinter {
  readonly #normalizer: Normalizer;
  readonly #startPool: (() => Promise<Pool>) | null;
  readonly #maxLength: number;
  readonly #kind: Pick<SeenIdentity, "key" | "bits">;
  #pool: Pool | null = null;

  constructor(
    { normalizer, startPool, maxLength }: PreparedSet,
    { key, bits }: Pick<SeenIdentity, "key" | "bits">,
  ) {
    this.#normalizer = normalizer;
    this.#startPool = startPool;
    this.#maxLength = maxLength;
    this.#kind = { key, bits };
  }

  /**
   * Returns a function that hands out the fingerprints of a batch, piece by piece. Call it, and `close`, in a turn of the set:
   * two calls at once would each start threads.
   */
  async ofBatch(urls: UrlBatch, { base, signal }: SeenCallOptions): Promise<FingerprintSource> {
    const options = { ...this.#kind, base };
    if (this.#startPool === null) {
      return (receive) => this.#normalizer.fingerprintPieces(urls, options, receive);
    }
    this.#pool ??= await this.#startPool();
    const given = signal === undefined ? options : { ...options, signal };
    const { fingerprints, status } = await this.#pool.fingerprintBatch(urls, given);
    return (receive) => receive(fingerprints, status);
  }

  /**
   * Reads a stream to its end, and keeps no more of it than fingerprints. `turn`: calls a function in a turn of the set; each
   * batch has one, so that other calls are served meanwhile. Throws `BAD_INPUT` for pieces of text.
   */
  async ofStream(
    urls: UrlStream,
    options: SeenCallOptions,
    turn: <T>(call: () => Promise<T>) => Promise<T>,
  ): Promise<FingerprintSource> {
    const all = {
      fingerprints: ByteBuilder.withRoom(1 << 14),
      status: ByteBuilder.withRoom(1 << 10),
    };
    for await (const batch of batchesOf(urls, this.#maxLength, options.signal)) {
      const source = await turn(() => this.ofBatch(batch, options));
      source((fingerprints, status) => {
        all.fingerprints.append(fingerprints);
        all.status.append(status);
      });
    }
    return (receive) => receive(all.fingerprints.bytes(), all.status.bytes());
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#pool?.close();
  }
}

/** Yields the items of a stream, many at a time: URLs, or whole lines. Throws the reason of a signal that aborts. */
async function* batchesOf(
  urls: UrlStream,
  maxLength: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<UrlText[] | Uint8Array, void, undefined> {
  signal?.throwIfAborted();
  checkIterable(urls);
  const batches = gather<UrlText | Uint8Array>(
    urls,
    sizeOf,
    AT_A_TIME,
    (url) => textOf(url) ?? ownPiece(url),
  );
  const unlisten = whenAborted(signal, () => {
    markHandled(batches.return()); // the loop ends, and the reason is thrown after it
  });
  const lines = new WholeLines(maxLength);
  let isBytes: boolean | null = null;
  try {
    for await (const batch of batches) {
      isBytes ??= isView(batch[0], "Uint8Array");
      if (isBytes) yield lines.take(batch as Uint8Array[]);
      else yield checkTexts(batch);
    }
  } finally {
    unlisten();
  }
  signal?.throwIfAborted();
  if (isBytes) yield lines.rest();
}

function sizeOf(item: UrlText | Uint8Array): number {
  return (
    ITEM + (isView(item, "Uint8Array") ? (item as Uint8Array).length : (textOf(item)?.length ?? 0))
  );
}

/** Throws `BAD_INPUT` for bytes among URLs: nobody knows where their lines begin. */
function checkTexts(batch: (UrlText | Uint8Array)[]): UrlText[] {
  if (!batch.some((item) => isView(item, "Uint8Array"))) return batch as UrlText[];
  throw new UrlmillError("BAD_INPUT", "the stream gave URLs and then bytes: give one of them");
}
