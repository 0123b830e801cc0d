import { UrlmillError } from "../base/errors.ts";
import {
  explainStatus,
  isError,
  Status,
  type StatusCode,
  statusName,
  type UrlErrorCode,
} from "../base/status.ts";
import type { RowResult } from "../engine/engine.ts";
import { textOf } from "../engine/strings.ts";
import type { TryFailure, TryResult, TrySuccess } from "./calls.ts";

/** The outcome for a value that is not a text. */
export const NOT_A_STRING = { url: null, error: "NOT_A_STRING", offset: -1 } as const;

/** Returns the result of one URL. `given`: what the caller gave. */
export function resultOf(outcome: RowResult, given: unknown): TryResult {
  if (outcome.error !== null) return failureOf(outcome.error, given);
  const isUnchanged = outcome.url === textOf(given);
  const status = isUnchanged ? Status.UNCHANGED : Status.CHANGED;
  return { ok: true, url: outcome.url, status };
}

/** Returns the result of a row of a batch. `url`: its normal form, if the status has one. */
export function rowResult(status: StatusCode, url: string | null, given: unknown): TryResult {
  if (isError(status)) return failureOf(statusName(status) as UrlErrorCode, given);
  return { ok: true, url: url as string, status: status as TrySuccess["status"] };
}

function failureOf(code: UrlErrorCode, given: unknown): TryFailure {
  return { ok: false, url: null, status: Status[code], code, message: messageOf(code, given) };
}

/** Returns the result of a URL whose base has an error, which `cause` names. */
export function baseFailureOf(cause: UrlErrorCode, base: unknown): TryFailure {
  return { ...failureOf("BAD_BASE", base), message: baseMessageOf(cause, base) };
}

/** Returns the error to throw for a URL. */
export function urlError(code: UrlErrorCode, given: unknown, offset: number): UrlmillError {
  return new UrlmillError(code, messageOf(code, given), offset);
}

/** Returns the error to throw for a base. */
export function baseError(cause: UrlErrorCode, base: unknown, offset: number): UrlmillError {
  return new UrlmillError("BAD_BASE", baseMessageOf(cause, base), offset);
}

function messageOf(code: UrlErrorCode, given: unknown): string {
  const [scheme] = /^\s*[a-z][a-z0-9+.-]*(?=:)/i.exec(textOf(given) ?? "") ?? [];
  const isNamed = code === "SCHEME_NOT_ALLOWED" && scheme !== undefined;
  const reason = isNamed
    ? `scheme ${scheme.trim()} is not allowed (option allowedSchemes)`
    : explainStatus(code);
  return `${reason}: ${shorten(given)}`;
}

function baseMessageOf(cause: UrlErrorCode, base: unknown): string {
  return `${explainStatus("BAD_BASE")} (${cause}): ${shorten(base)}`;
}

/** Returns a URL for a message. A value that is not a text is shown by its type. */
function shorten(url: unknown): string {
  const text = textOf(url) ?? (url === null ? "null" : typeof url);
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
