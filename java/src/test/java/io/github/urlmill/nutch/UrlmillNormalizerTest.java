package io.github.urlmill.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.urlmill.Plan;
import io.github.urlmill.UrlmillException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.net.URLNormalizers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nutch finds the plug-in in a folder, as in an installation, and calls it. */
class UrlmillNormalizerTest {
  @TempDir private Path folder;

  @Test
  void nutchLoadsThePlugInAndNormalizesByIt() throws IOException {
    Configuration conf = configuration();
    URLNormalizers normalizers = new URLNormalizers(conf, URLNormalizers.SCOPE_DEFAULT);
    assertEquals(
        "http://example.com/b?a=1",
        normalizers.normalize(
            "HTTP://Example.com:80/b?utm_source=x&a=1#top", URLNormalizers.SCOPE_FETCHER));
    MalformedURLException error =
        assertThrows(
            MalformedURLException.class,
            () -> normalizers.normalize("http://1.2.3.256/", URLNormalizers.SCOPE_INJECT));
    assertTrue(error.getMessage().startsWith("BAD_IPV4: "), error.getMessage());
  }

  @Test
  void aPresetOrAPlanIsTaken() throws IOException {
    UrlmillNormalizer normalizer = new UrlmillNormalizer();
    Configuration conf = new Configuration(false);
    conf.set("urlmill.preset", "safe");
    normalizer.setConf(conf);
    assertEquals("http://a/?utm_id=1#b", normalizer.normalize("HTTP://A?utm_id=1#b", "default"));
    Files.write(folder.resolve("own.plan"), Plan.preset("crawl").bytes());
    try (var loader = new java.net.URLClassLoader(new java.net.URL[] {folder.toUri().toURL()})) {
      conf.setClassLoader(loader);
      conf.set("urlmill.plan", "own.plan");
      normalizer.setConf(conf);
    }
    assertEquals("http://a/", normalizer.normalize("HTTP://A?utm_id=1#b", "default"));
    conf.set("urlmill.plan", "missing.plan");
    assertThrows(UncheckedIOException.class, () -> normalizer.setConf(conf));
  }

  @Test
  void propertiesSetOptionsOnTopOfThePreset() throws IOException {
    UrlmillNormalizer normalizer = new UrlmillNormalizer();
    Configuration conf = new Configuration(false);
    conf.set("urlmill.www", "remove");
    conf.setBoolean("urlmill.wwwDigits", true);
    conf.setStrings("urlmill.dropParams", "ref", "s_*");
    normalizer.setConf(conf);
    assertEquals(
        "http://a.b/?c", normalizer.normalize("HTTP://www2.a.b?ref=1&s_a&utm_id=1&c#d", "default"));
    conf.set("urlmill.wwww", "remove");
    UrlmillException error =
        assertThrows(UrlmillException.class, () -> normalizer.setConf(conf));
    assertEquals("BAD_OPTION: there is no option \"wwww\"; did you mean www?", error.getMessage());
  }

  private Configuration configuration() throws IOException {
    Path plugins = folder.resolve("plugins");
    copy("/nutch/nutch-extensionpoints/plugin.xml", plugins.resolve("nutch-extensionpoints"));
    copy("/io/github/urlmill/nutch/plugin.xml", plugins.resolve("urlnormalizer-urlmill"));
    Configuration conf = new Configuration(false);
    conf.set("plugin.folders", plugins.toString());
    conf.set("plugin.includes", "nutch-extensionpoints|urlnormalizer-urlmill");
    conf.setBoolean("plugin.auto-activation", true);
    return conf;
  }

  private static void copy(String resource, Path to) throws IOException {
    Files.createDirectories(to);
    try (InputStream in = UrlmillNormalizerTest.class.getResourceAsStream(resource)) {
      Files.copy(in, to.resolve("plugin.xml"));
    }
  }
}
