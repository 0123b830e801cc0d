import { UrlmillError } from "../../base/errors.ts";
import type { UrlText } from "../../engine/engine.ts";
import { textOf } from "../../engine/strings.ts";
import { readBatch, type UrlBatch } from "../../normalizer/batch.ts";
import { isView } from "../../normalizer/check-calls.ts";
import type { AnsweredRows } from "../contract/store.ts";
import type { SeenCallOptions } from "./fingerprinter.ts";

/** Holds the options of `enqueueBatch`. */
export interface EnqueueOptions extends SeenCallOptions {
  /**
   * Sets what is kept with each row and given back with its answer: the text of its URL in UTF-8, or bytes for each.
   *
   * @default nothing
   */
  readonly payload?: "url" | readonly Uint8Array[] | undefined;
}

/** Holds answers for rows of `enqueueBatch`. */
export interface DrainedPiece extends AnsweredRows {
  /** Says that you have kept this piece and all before it: they do not come again. When it returns, that is durable. */
  readonly commit: () => Promise<void>;
}

/** Holds a batch, and the bytes to keep with each row; null if nothing is kept. */
export interface EnqueuedBatch {
  readonly urls: UrlBatch;
  readonly payloads: readonly Uint8Array[] | null;
}

/**
 * Returns a batch with its payloads. URLs that are payloads are read once. Throws `BAD_INPUT` if these are not strings, and
 * `BAD_OPTION` for other payloads than bytes.
 */
export function withPayloads(urls: UrlBatch, payload: EnqueueOptions["payload"]): EnqueuedBatch {
  if (payload === undefined) return { urls, payloads: null };
  if (payload !== "url") return { urls, payloads: checkBytes(payload) };
  const list = readBatch(urls as Iterable<UrlText>, "strings");
  return { urls: list, payloads: list.map((url) => UTF8.encode(textOf(url) ?? "")) };
}

/** Throws `BAD_OPTION` if there is not one payload for each row. */
export function checkPayloads(payloads: EnqueuedBatch["payloads"], rows: number): void {
  if (payloads === null || payloads.length === rows) return;
  throw new UrlmillError("BAD_OPTION", `payload: there are ${payloads.length} for ${rows} URLs`);
}

/** Returns a copy of the list, which the caller may change before the rows have their turn. */
function checkBytes(payloads: readonly Uint8Array[]): readonly Uint8Array[] {
  const isList = Array.isArray(payloads) && payloads.every((each) => isView(each, "Uint8Array"));
  if (isList) return [...payloads];
  throw new UrlmillError(
    "BAD_OPTION",
    'payload: it is "url", or an array of a Uint8Array for each row',
  );
}

const UTF8 = new TextEncoder();
