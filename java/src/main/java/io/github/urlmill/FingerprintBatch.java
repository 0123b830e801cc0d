package io.github.urlmill;

/**
 * Holds the fingerprints of a batch.
 *
 * @param fingerprints 16 bytes a row, one row after the other; zeros for a row with an error
 * @param status one byte a row, the ordinal of its {@link Status}
 */
public record FingerprintBatch(byte[] fingerprints, byte[] status) {
  /** Returns the number of rows. */
  public int rows() {
    return status.length;
  }
}
