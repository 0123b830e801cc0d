import { Status } from "../status.ts";
import { LF } from "../url/codes.ts";
import type { LineWindow } from "./engine.ts";
import { REASON_WORDS } from "./reasons.ts";

/** Bytes of a fingerprint. */
const FINGERPRINT = 16;

/** Returns the window of one line that is longer than a URL may be. No engine reads it. */
export function tooLongLine(input: Uint8Array, asksReasons: boolean): LineWindow {
  return {
    rows: 1,
    input,
    inputOffsets: Int32Array.of(0, input.length),
    output: Uint8Array.of(LF),
    outputOffsets: Int32Array.of(0, 1),
    status: Uint8Array.of(Status.TOO_LONG),
    changed: 1,
    failed: 1,
    fingerprints: new Uint8Array(FINGERPRINT),
    reasons: new Uint32Array(asksReasons ? REASON_WORDS : 0),
  };
}
