package io.github.urlmill.nutch;

import io.github.urlmill.Normalizer;
import io.github.urlmill.Plan;
import io.github.urlmill.UrlmillException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.net.URLNormalizer;

/**
 * Is the plug-in {@code urlnormalizer-urlmill} of Nutch. {@code urlmill.preset} names a preset, {@code crawl} unless it
 * is set, and other properties set options on top of it: {@code urlmill.www} is {@code remove}, {@code urlmill.dropParams} is
 * {@code ref,s_*}. {@code urlmill.plan} names a file in {@code conf} that {@code urlmill plan} wrote, which goes before all of
 * these.
 */
public final class UrlmillNormalizer implements URLNormalizer {
  private Configuration conf;
  private Normalizer normalizer;

  /** Returns the normal form of a URL, in each scope. Nutch leaves out a URL for which this throws. */
  @Override
  public String normalize(String url, String scope) throws MalformedURLException {
    if (url == null) {
      return null;
    }
    try {
      return normalizer.normalize(url);
    } catch (UrlmillException error) {
      MalformedURLException malformed = new MalformedURLException(error.getMessage());
      malformed.initCause(error);
      throw malformed;
    }
  }

  /** Takes the options. Throws {@code BAD_OPTION} as {@link Plan.Builder} does, without {@code urlmill.} before the name. */
  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    Plan plan = planOf(conf);
    this.normalizer = new Normalizer(plan, plan.maxLength());
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  private static Plan planOf(Configuration conf) {
    String file = conf.get("urlmill.plan");
    if (file == null) {
      return Plan.builder("crawl").with(conf.getPropsWithPrefix("urlmill.")).build();
    }
    try (InputStream in = conf.getConfResourceAsInputStream(file)) {
      if (in == null) {
        throw new IOException("urlmill.plan: no file " + file + " in conf");
      }
      return Plan.of(in.readAllBytes());
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
