import { STEP_NAMES, type StepName } from "../options/catalog.generated.ts";

/** Counts the 32-bit words that hold the reasons of one row, the low word first. */
export const REASON_WORDS = 2;

/**
 * Says, in the high word, that only `explain` knows the steps of the row; the other bits then mean nothing.
 */
export const UNTOLD = 0x8000_0000;

const BITS: ReadonlyMap<string, number> = new Map(STEP_NAMES.map((name, bit) => [name, bit]));

/** Returns the number of the bit of a step. Throws for a name that is not in the catalog. */
export function bitOf(step: string): number {
  const bit = BITS.get(step);
  if (bit === undefined) throw new Error(`no bit for the step ${step}: add it to the catalog`);
  return bit;
}

/** Gathers the reasons of one row after the other. */
export class ReasonNotes {
  low = 0;
  high = 0;

  /** Begins a row. */
  clear(): void {
    this.low = 0;
    this.high = 0;
  }

  /** Notes that a step changed the row. */
  note(step: StepName): void {
    const bit = bitOf(step);
    if (bit < 32) this.low |= 1 << bit;
    else this.high |= 1 << (bit - 32);
  }

  /** Notes that only `explain` knows the steps of the row. */
  noteUntold(): void {
    this.high |= UNTOLD;
  }
}
