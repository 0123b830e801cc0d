package io.github.urlmill;

import java.nio.charset.StandardCharsets;

/**
 * Holds the normal forms of a batch as a column of UTF-8, in the layout of Arrow's strings. A row with an error has no
 * bytes.
 *
 * @param data the normal forms, one after the other; it may be longer than they are
 * @param offsets where each row begins in {@code data}, and where the last ends: one more than there are rows
 * @param status one byte a row, the ordinal of its {@link Status}
 */
public record NormalizedBatch(byte[] data, int[] offsets, byte[] status) {
  /** Returns the number of rows. */
  public int rows() {
    return status.length;
  }

  /** Returns the normal form of a row, or null if it is not a URL. */
  public String get(int row) {
    if (Status.of(status[row]).isError()) {
      return null;
    }
    int begin = offsets[row];
    return new String(data, begin, offsets[row + 1] - begin, StandardCharsets.ISO_8859_1);
  }
}
