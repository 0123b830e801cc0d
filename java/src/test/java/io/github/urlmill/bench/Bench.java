package io.github.urlmill.bench;

import crawlercommons.filters.basic.BasicURLNormalizer;
import io.github.urlmill.Normalizer;
import io.github.urlmill.Plan;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * Prints what one URL costs, in nanoseconds of the processor: the median of rounds in which all ways take turns, after
 * rounds that warm them up. {@code mvn -q test-compile exec:java -Dexec.args="FILE ROUNDS"}; FILE has a URL a line.
 */
public final class Bench {
  private static final int WARM_UP = 4;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private Bench() {}

  public static void main(String[] args) throws IOException {
    Path file = Path.of(args.length > 0 ? args[0] : "../test/fixtures/urls-50k.txt.gz");
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    String[] urls = read(file);
    System.out.printf("%,d URLs, Java %s%n", urls.length, Runtime.version());
    Map<String, Runnable> ways = ways(urls);
    long[][] took = new long[ways.size()][rounds];
    for (int round = -WARM_UP; round < rounds; round++) {
      int at = 0;
      for (Runnable way : ways.values()) {
        long before = THREADS.getCurrentThreadCpuTime();
        way.run();
        if (round >= 0) {
          took[at][round] = THREADS.getCurrentThreadCpuTime() - before;
        }
        at++;
      }
    }
    int at = 0;
    for (String name : ways.keySet()) {
      long[] times = took[at++];
      Arrays.sort(times);
      System.out.printf("%-34s %,7d ns%n", name, times[rounds / 2] / urls.length);
    }
  }

  private static Map<String, Runnable> ways(String[] urls) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int[] offsets = new int[urls.length + 1];
    for (int row = 0; row < urls.length; row++) {
      bytes.writeBytes(urls[row].getBytes(StandardCharsets.UTF_8));
      offsets[row + 1] = bytes.size();
    }
    byte[] data = bytes.toByteArray();
    byte[] key = new byte[Normalizer.KEY_BYTES];

    Map<String, Runnable> ways = new LinkedHashMap<>();
    for (String preset : List.of("safe", "crawl", "aggressive")) {
      Normalizer n = new Normalizer(Plan.preset(preset));
      ways.put(preset + ", batches", () -> n.normalizeBatch(data, offsets));
    }
    Normalizer safe = new Normalizer(Plan.preset("safe"));
    ways.put("safe, one String a call", () -> each(urls, url -> safe.tryNormalize(url).url()));
    ways.put("safe, fingerprints", () -> safe.fingerprintBatch(data, offsets, key));
    BasicURLNormalizer basic = new BasicURLNormalizer();
    ways.put("crawler-commons BasicURLNormalizer", () -> each(urls, url -> byCrawlerCommons(basic, url)));
    ways.put("java.net.URI.normalize", () -> each(urls, Bench::byUri));
    return ways;
  }

  private interface Way {
    String normalize(String url);
  }

  private static int sum;

  private static void each(String[] urls, Way way) {
    for (String url : urls) {
      String made = way.normalize(url);
      sum += made == null ? 0 : made.length();
    }
  }

  private static String byCrawlerCommons(BasicURLNormalizer basic, String url) {
    try {
      return basic.filter(url);
    } catch (RuntimeException error) {
      return null; // of some URLs with a path that is not valid
    }
  }

  private static String byUri(String url) {
    try {
      return URI.create(url).normalize().toString();
    } catch (IllegalArgumentException error) {
      return null;
    }
  }

  private static String[] read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      InputStream text = file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
      return new String(text.readAllBytes(), StandardCharsets.UTF_8).split("\n");
    }
  }
}
