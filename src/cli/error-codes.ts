import type { CallErrorCode } from "../base/errors.ts";
import { explainStatus, Status, type UrlErrorCode } from "../base/status.ts";
import { flagOf } from "../runs/call/flags/flag.ts";

/** Says what the errors of a call mean, and of a run, and what to do. */
const CALL_ERRORS: Record<CallErrorCode | "BLOCKED" | "INPUT_CHANGED", string> = {
  BAD_OPTION:
    "an option is unknown, has a value that it cannot take, or names what can never match; the message says which",
  BAD_RULES:
    "a text is not a file of rules, aliases, a plan or evidence; the message says the line",
  BAD_COLUMN: "a column of texts has offsets that do not fit it, or does not hold text",
  BAD_INPUT: "a batch, or a piece of a stream, is of a kind that the method does not take",
  PACKAGE_MISSING:
    "the call takes a package that is not installed; the message says how to install it",
  BATCH_TOO_LARGE:
    "a result is larger than the memory or the offsets that should hold it: give fewer URLs at a time",
  ENGINE_UNAVAILABLE:
    "WebAssembly does not run here, or the system refuses its memory: --engine js runs without it",
  ENGINE_FAILED:
    "the WebAssembly engine stopped in the middle of a call: please report it; --engine js runs without it",
  SET_FULL: "a set has no room for the batch: give it more memory, or --store disk",
  WORKER_DIED:
    "a chunk ended its worker thread twice: please report it; --threads 1 runs without workers",
  POOL_CLOSED: "the pool was closed before the call",
  SEEN_MISMATCH:
    "a set was made with other options, bits or another key; urlmill seen info DIR shows them",
  SEEN_CORRUPT:
    "a set is damaged, or its files are not those of a set; urlmill seen verify DIR reads all of it",
  SEEN_LOCKED: "another process has the set open; the message says which",
  SEEN_FAILED: "the system or the store refused a call; the message says which",
  SEEN_CLOSED: "the set was closed before the call",
  BLOCKED:
    "a list of --block or --allow, or a line of the rules with --skip-noindex or --skip-exhausted, leaves the URL out",
  INPUT_CHANGED: "an input changed between its two readings; run again once it no longer changes",
};

/** Returns what an error of a URL means, with flags in place of the options of the API. */
export function meaningInFlags(code: UrlErrorCode): string {
  return explainStatus(code)
    .replace("base or default scheme", "--base or --default-scheme")
    .replace(
      /(?:the option )?\b([a-z]+[A-Z][A-Za-z]+)/,
      (_, option: string) => `--${flagOf(option)}`,
    );
}

/** Returns what an error code means; undefined for another text. */
export function meaningOf(code: string): string | undefined {
  if (Object.hasOwn(CALL_ERRORS, code)) return CALL_ERRORS[code as CallErrorCode];
  const isOfUrl = Object.hasOwn(Status, code) && Status[code as UrlErrorCode] > Status.CHANGED;
  return isOfUrl
    ? `${meaningInFlags(code as UrlErrorCode)}; urlmill help errors lists all codes of URLs`
    : undefined;
}
