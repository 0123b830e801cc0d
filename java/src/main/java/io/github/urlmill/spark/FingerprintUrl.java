package io.github.urlmill.spark;

import org.apache.spark.sql.api.java.UDF3;

/**
 * Is the function {@code url_key(url, 'crawl', key)} of SQL: the fingerprint of a normal form under a key of 16 bytes, as
 * 16 bytes; null for null, and for what is not a URL. The second argument is as for {@link NormalizeUrl}.
 */
public final class FingerprintUrl implements UDF3<Object, Object, byte[], byte[]> {
  private static final long serialVersionUID = 1;

  @Override
  public byte[] call(Object url, Object plan, byte[] key) {
    return Rows.fingerprint(url, key, ThreadNormalizers.of(plan));
  }
}
