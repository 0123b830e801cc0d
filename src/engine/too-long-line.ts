import { textFingerprint } from "../base/siphash.ts";
import { Status } from "../base/status.ts";
import { toByteString } from "../url/bytes.ts";
import { CR, LF } from "../url/codes.ts";
import type { LineExtras, LineWindow } from "./engine.ts";
import { REASON_WORDS } from "./reasons.ts";

/** Bytes of a fingerprint. */
const FINGERPRINT = 16;

/** Returns the window of one line that is longer than a URL may be. No engine reads it. */
export function tooLongLine(input: Uint8Array, { key, texts, reasons }: LineExtras): LineWindow {
  return {
    rows: 1,
    input,
    inputOffsets: Int32Array.of(0, input.length),
    output: Uint8Array.of(LF),
    outputOffsets: Int32Array.of(0, 1),
    status: Uint8Array.of(Status.TOO_LONG),
    changed: 1,
    failed: 1,
    fingerprints:
      key !== null && texts
        ? textFingerprint(key, toByteString(withoutEnd(input)))
        : new Uint8Array(FINGERPRINT),
    reasons: new Uint32Array(reasons ? REASON_WORDS : 0),
  };
}

/** Returns a line without its LF or CR LF. */
function withoutEnd(line: Uint8Array): Uint8Array {
  if (line.at(-1) !== LF) return line;
  return line.subarray(0, line.at(-2) === CR ? -2 : -1);
}
