package io.github.urlmill.stormcrawler;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.filtering.URLFilter;
import com.fasterxml.jackson.databind.JsonNode;
import io.github.urlmill.Normalizer;
import io.github.urlmill.Plan;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Map;

/**
 * Is a filter of StormCrawler 2, whose result is the normal form of a URL; a URL without one is left out. Its parameters
 * are {@code preset}, which is {@code crawl} unless it is set, or {@code plan}: a resource of the topology that
 * {@code urlmill plan} wrote.
 */
public final class UrlmillFilter implements URLFilter {
  private Normalizer normalizer;

  @Override
  public void configure(Map<String, Object> conf, JsonNode parameters) {
    JsonNode resource = parameters.path("plan");
    Plan plan =
        resource.isMissingNode()
            ? Plan.preset(parameters.path("preset").asText("crawl"))
            : planOf(resource.asText());
    normalizer = new Normalizer(plan, plan.maxLength());
  }

  @Override
  public String filter(URL source, Metadata metadata, String url) {
    return url == null ? null : normalizer.tryNormalize(url).url();
  }

  private static Plan planOf(String resource) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try (InputStream in = loader.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException("plan: no resource " + resource);
      }
      return Plan.of(in.readAllBytes());
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
