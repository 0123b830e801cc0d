package io.github.urlmill.spark;

import io.github.urlmill.FingerprintBatch;
import io.github.urlmill.Normalizer;
import io.github.urlmill.Status;
import java.nio.charset.StandardCharsets;

/** Values of rows: Spark hands strings of Java and arrays of bytes to functions. */
final class Rows {
  private Rows() {}

  /** Returns the normal form of a value, or null for null and for what is not a URL. */
  static String normalize(Object url, Normalizer n) {
    if (url == null) {
      return null;
    }
    byte[] data = bytes(url);
    return n.normalizeBatch(data, new int[] {0, data.length}).get(0);
  }

  /** Returns the fingerprint of a value, or null for null and for what is not a URL. */
  static byte[] fingerprint(Object url, byte[] key, Normalizer n) {
    if (url == null) {
      return null;
    }
    byte[] data = bytes(url);
    FingerprintBatch made = n.fingerprintBatch(data, new int[] {0, data.length}, key);
    return Status.of(made.status()[0]).isError() ? null : made.fingerprints();
  }

  private static byte[] bytes(Object url) {
    return url instanceof byte[] bytes ? bytes : ((String) url).getBytes(StandardCharsets.UTF_8);
  }
}
