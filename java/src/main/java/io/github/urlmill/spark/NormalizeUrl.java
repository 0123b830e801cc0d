package io.github.urlmill.spark;

import org.apache.spark.sql.api.java.UDF2;

/**
 * Is the function {@code url_normalize(url, 'crawl')} of SQL: the normal form of a URL; null for null, and for what is not
 * a URL. The second argument is the name of a preset, or the bytes of a plan. A string that is not UTF-8 is given as
 * {@code CAST(url AS BINARY)}.
 *
 * <pre>{@code
 * spark.udf().registerJava("url_normalize", "io.github.urlmill.spark.NormalizeUrl", DataTypes.StringType);
 * }</pre>
 */
public final class NormalizeUrl implements UDF2<Object, Object, String> {
  private static final long serialVersionUID = 1;

  @Override
  public String call(Object url, Object plan) {
    return Rows.normalize(url, ThreadNormalizers.of(plan));
  }
}
