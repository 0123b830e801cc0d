/** A line in which outputs differ: its number from 1, and each result with the names of the outputs that have it. */
export interface Difference {
  readonly line: number;
  /** A result is `null` if the output has ended before. */
  readonly results: readonly (readonly [result: string | null, names: readonly string[]])[];
}
/** Finds the lines in which outputs of the same form differ. */
export function differences(outputs: Readonly<Record<string, readonly string[]>>): Difference[];
