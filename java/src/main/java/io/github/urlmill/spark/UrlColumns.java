package io.github.urlmill.spark;

import io.github.urlmill.Normalizer;
import io.github.urlmill.Plan;
import java.util.Arrays;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/** Makes columns of columns with URLs. The Python package {@code urlmill.spark} calls these where the jar is there. */
public final class UrlColumns {
  private UrlColumns() {}

  /** Returns the version of this package: that of the Python package must be the same. */
  public static String version() {
    return Normalizer.version();
  }

  /** Returns the normal form of each URL; null for null, and for what is not a URL. */
  public static Column normalize(Column url, byte[] plan) {
    Normalizer normalizer = normalizerOf(plan);
    // Spark takes bytes as a string without a copy, and would encode a string of Java.
    UDF1<byte[], byte[]> normalize =
        bytes -> bytes == null ? null : normalizer.normalizeUtf8(bytes);
    return functions
        .udf(normalize, DataTypes.BinaryType)
        .apply(bytesOf(url))
        .cast("string")
        .as("url_normalize(" + url + ")");
  }

  /**
   * Returns the fingerprint of each normal form under a key of 16 bytes: the first {@code bits} of it, 128 or 64. Null for
   * null, and for what is not a URL.
   */
  public static Column fingerprint(Column url, byte[] plan, byte[] key, int bits) {
    Normalizer normalizer = normalizerOf(plan);
    UDF1<byte[], byte[]> fingerprint =
        bytes -> {
          byte[] made = Rows.fingerprint(bytes, key, normalizer);
          return made == null || bits == 128 ? made : Arrays.copyOf(made, bits / 8);
        };
    return functions
        .udf(fingerprint, DataTypes.BinaryType)
        .apply(bytesOf(url))
        .as("url_key(" + url + ")");
  }

  private static Normalizer normalizerOf(byte[] bytes) {
    Plan plan = Plan.of(bytes);
    return new Normalizer(plan, plan.maxLength());
  }

  /** A string of Java has no bytes that are not UTF-8. */
  private static Column bytesOf(Column url) {
    return url.cast("string").cast("binary");
  }
}
