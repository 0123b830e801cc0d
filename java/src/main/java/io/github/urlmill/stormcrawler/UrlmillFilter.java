package io.github.urlmill.stormcrawler;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.filtering.URLFilter;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.urlmill.Normalizer;
import io.github.urlmill.Plan;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Map;

/**
 * Is a filter of StormCrawler 2, whose result is the normal form of a URL; a URL without one is left out. Its parameters
 * are the options of {@link Plan.Builder}, and {@code preset} is {@code crawl} unless it is set. {@code plan} goes before all
 * of these: a resource of the topology that {@code urlmill plan} wrote.
 */
public final class UrlmillFilter implements URLFilter {
  private Normalizer normalizer;

  /** Takes the parameters. Throws {@code BAD_OPTION} as {@link Plan.Builder} does. */
  @Override
  public void configure(Map<String, Object> conf, JsonNode parameters) {
    JsonNode resource = parameters.path("plan");
    Plan plan =
        resource.isMissingNode()
            ? Plan.builder("crawl").with(optionsIn(parameters)).build()
            : planOf(resource.asText());
    normalizer = new Normalizer(plan, plan.maxLength());
  }

  @Override
  public String filter(URL source, Metadata metadata, String url) {
    return url == null ? null : normalizer.tryNormalize(url).url();
  }

  private static Map<String, Object> optionsIn(JsonNode parameters) {
    return parameters.isObject()
        ? new ObjectMapper().convertValue(parameters, new TypeReference<Map<String, Object>>() {})
        : Map.of();
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
