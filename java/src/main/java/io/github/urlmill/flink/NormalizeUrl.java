package io.github.urlmill.flink;

import io.github.urlmill.Normalizer;
import io.github.urlmill.Plan;
import org.apache.flink.table.functions.ScalarFunction;

/**
 * Is a function of Flink's SQL and Table API: the normal form of a URL; null for null, and for what is not a URL.
 *
 * <pre>{@code
 * CREATE FUNCTION url_normalize AS 'io.github.urlmill.flink.NormalizeUrl';
 * }</pre>
 */
public final class NormalizeUrl extends ScalarFunction {
  private static final long serialVersionUID = 1;

  private final Normalizer normalizer;

  /** Takes the preset {@code crawl}. */
  public NormalizeUrl() {
    this(Plan.preset("crawl"));
  }

  /**
   * Takes a plan.
   *
   * <pre>{@code
   * Plan plan = Plan.builder("crawl").with("www", "remove").build();
   * tables.createTemporarySystemFunction("url_key", new NormalizeUrl(plan));
   * }</pre>
   */
  public NormalizeUrl(Plan plan) {
    this.normalizer = new Normalizer(plan, plan.maxLength());
  }

  /** Is called by Flink for each row. */
  public String eval(String url) {
    return url == null ? null : normalizer.tryNormalize(url).url();
  }
}
