import type { SeenStore } from "./store.ts";

/** Describes a store as far as it is asked in steps. */
export type SteppedStore = Pick<SeenStore, "identity" | "rowsPerCall" | "add" | "has">;

/**
 * Asks a store about as many fingerprints at a time as one of its calls takes. Returns its answers, a byte for each.
 * `failed`: returns what to throw for an error, by the answers before it.
 */
export async function inSteps(
  { identity, rowsPerCall }: Pick<SteppedStore, "identity" | "rowsPerCall">,
  fingerprints: Uint8Array,
  ask: (part: Uint8Array) => Promise<Uint8Array>,
  failed: (error: unknown, answered: Uint8Array) => unknown = (error) => error,
): Promise<Uint8Array> {
  const width = identity.bits / 8;
  const answers = new Uint8Array(fingerprints.length / width);
  const step = rowsPerCall ?? answers.length;
  for (let row = 0; row < answers.length; row += step) {
    try {
      answers.set(await ask(fingerprints.subarray(row * width, (row + step) * width)), row);
    } catch (error) {
      throw failed(error, answers.subarray(0, row));
    }
  }
  return answers;
}
