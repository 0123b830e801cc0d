import { EVIDENCE_LEVELS, type EvidenceLevel } from "./rule.ts";

/** Lists what older files have for the levels that they know: `E0` to `E5`. */
const OLD_LEVELS = EVIDENCE_LEVELS.filter((level) => level !== "list");

/**
 * Returns the level of a text, or undefined. Older files have `E0` to `E5`.
 *
 * @internal
 */
export function levelNamed(text: unknown): EvidenceLevel | undefined {
  return (
    EVIDENCE_LEVELS.find((level) => level === text) ??
    OLD_LEVELS.find((_, number) => text === `E${number}`)
  );
}
