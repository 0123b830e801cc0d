package io.github.urlmill.stormcrawler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.filtering.URLFilters;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.urlmill.UrlmillException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** StormCrawler reads the filter's name and parameters from its file, and calls it. */
class UrlmillFilterTest {
  @Test
  void stormCrawlerConfiguresTheFilterAndNormalizesByIt() throws IOException {
    URLFilters filters = new URLFilters(Map.of(), "stormcrawler/urlfilters.json");
    URL source = new URL("http://example.com/");
    assertEquals(
        "http://example.com/b?a=1",
        filters.filter(
            source, new Metadata(), "HTTP://Example.com:80/b?utm_source=x&a=1#top"));
    assertNull(filters.filter(source, new Metadata(), "http://1.2.3.256/"));
  }

  @Test
  void aPresetOrAPlanIsTaken() throws IOException {
    assertEquals("http://a/#b", filter("{\"preset\": \"safe\"}", "HTTP://A#b"));
    assertEquals("http://a/", filter("{\"plan\": \"io/github/urlmill/plans/crawl.plan\"}", "HTTP://A#b"));
    assertThrows(UncheckedIOException.class, () -> filter("{\"plan\": \"no.plan\"}", "http://a/"));
  }

  @Test
  void parametersSetOptionsOnTopOfThePreset() throws IOException {
    assertEquals(
        "http://a.b/?c",
        filter(
            "{\"www\": \"remove\", \"wwwDigits\": true, \"maxLength\": 2048, \"dropParams\": [\"ref\"]}",
            "HTTP://www2.a.b?ref=1&utm_id=1&c#d"));
    assertEquals("http://a/", filter("null", "HTTP://A#b"));
    UrlmillException error =
        assertThrows(
            UrlmillException.class, () -> filter("{\"presett\": \"safe\"}", "http://a/"));
    assertEquals(
        "BAD_OPTION: there is no option \"presett\"; did you mean preset?", error.getMessage());
  }

  private static String filter(String parameters, String url) throws IOException {
    UrlmillFilter filter = new UrlmillFilter();
    filter.configure(Map.of(), new ObjectMapper().readTree(parameters));
    return filter.filter(null, new Metadata(), url);
  }
}
