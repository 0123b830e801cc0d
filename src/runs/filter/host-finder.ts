/** Holds normalized URLs, row after row. */
export interface UrlRows {
  readonly data: Uint8Array;
  /** The start of each row in `data`, and the end of the last. */
  readonly offsets: Int32Array;
  /** The bytes at the end of each row that are not of its URL: 1 for lines. */
  readonly terminator: 0 | 1;
}

/** Finds the hosts of URLs in lists. */
export interface HostFinder {
  /**
   * Returns a mark for each row (host-bits.ts): the bits of all entries for its host, or UNKNOWN. The mark of a row that is
   * not a URL means nothing. They are valid until the next call.
   */
  find(rows: UrlRows): Uint8Array;
}
