package io.github.urlmill.spark;

import io.github.urlmill.Normalizer;
import java.nio.charset.StandardCharsets;

/** Values of rows: Spark hands strings of Java and arrays of bytes to functions. */
final class Rows {
  private Rows() {}

  /** Returns the normal form of a value, or null for null and for what is not a URL. */
  static String normalize(Object url, Normalizer n) {
    if (url instanceof byte[] bytes) {
      byte[] made = n.normalizeUtf8(bytes);
      return made == null ? null : new String(made, StandardCharsets.ISO_8859_1);
    }
    return url == null ? null : n.tryNormalize((String) url).url();
  }

  /** Returns the fingerprint of a value, or null for null and for what is not a URL. */
  static byte[] fingerprint(Object url, byte[] key, Normalizer n) {
    if (url == null) {
      return null;
    }
    return n.fingerprintUtf8(
        url instanceof byte[] bytes ? bytes : ((String) url).getBytes(StandardCharsets.UTF_8), key);
  }
}
