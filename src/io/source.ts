/** Reads the bytes of one input into memory of the caller's. */
export interface Source {
  /** Reads up to the length of `into`, as soon as there are bytes; returns 0 at the end. */
  read(into: Uint8Array): Promise<number>;
  /** Counts the bytes taken from the file so far, before decompression. */
  readonly taken: number;
  close(): Promise<void>;
}
