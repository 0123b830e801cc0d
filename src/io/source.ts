/** Reads the bytes of one input into memory of the caller's. */
export interface Source {
  /** Reads up to as many bytes as `into` has, as soon as there are any; 0 at the end. */
  read(into: Uint8Array): Promise<number>;
  /** Bytes taken from the file so far, compressed as they are there. */
  readonly taken: number;
  close(): Promise<void>;
}
