package io.github.urlmill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.digitalpebble.stormcrawler.Metadata;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.urlmill.flink.NormalizeUrl;
import io.github.urlmill.nutch.UrlmillNormalizer;
import io.github.urlmill.spark.FingerprintUrl;
import io.github.urlmill.stormcrawler.UrlmillFilter;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that share one object of each public class get what one thread gets. */
@Timeout(300)
class ThreadsTest {
  private static final int THREADS = 16;
  private static final int COUNT = Node.isLong() ? 1_000_000 : 200_000;
  private static final byte[] KEY = new byte[Normalizer.KEY_BYTES];
  private static final Plan CRAWL = Plan.preset("crawl");

  /** Is what is asked of each class: the normal form of a URL, or null for what is not a URL. */
  private interface Way {
    String of(String url) throws Exception;
  }

  private static final Normalizer ALONE = new Normalizer(CRAWL);
  private static final String[] URLS = urls();
  private static final String[] EXPECTED = ofOneThread(ThreadsTest::normalized);
  private static final String[] FINGERPRINTS = ofOneThread(ThreadsTest::fingerprint);

  @Test
  void callsOfANormalizer() throws Exception {
    Normalizer n = new Normalizer(CRAWL);
    check(EXPECTED, url -> n.tryNormalize(url).url());
    check(EXPECTED, url -> orNull(() -> n.normalize(url)));
    check(EXPECTED, url -> text(n.normalizeUtf8(url.getBytes(StandardCharsets.UTF_8))));
    check(FINGERPRINTS, url -> orNull(() -> hex(n.fingerprint(url, KEY))));
    check(FINGERPRINTS, url -> hex(n.fingerprintUtf8(url.getBytes(StandardCharsets.UTF_8), KEY)));
  }

  @Test
  void batchesOfANormalizer() throws Exception {
    Normalizer n = new Normalizer(CRAWL);
    inThreads(
        THREADS,
        thread -> {
          int begin = thread * (COUNT / THREADS);
          String[] urls = Arrays.copyOfRange(URLS, begin, begin + COUNT / THREADS);
          byte[] data = String.join("", urls).getBytes(StandardCharsets.UTF_8);
          int[] offsets = new int[urls.length + 1];
          for (int row = 0; row < urls.length; row++) {
            offsets[row + 1] = offsets[row] + urls[row].getBytes(StandardCharsets.UTF_8).length;
          }
          NormalizedBatch batch = n.normalizeBatch(data, offsets);
          byte[] fingerprints = n.fingerprintBatch(data, offsets, KEY).fingerprints();
          for (int row = 0; row < urls.length; row++) {
            assertEquals(EXPECTED[begin + row], batch.get(row), urls[row]);
            String key = FINGERPRINTS[begin + row];
            assertEquals(
                key == null ? "0".repeat(32) : key,
                hex(Arrays.copyOfRange(fingerprints, 16 * row, 16 * (row + 1))));
          }
        });
  }

  @Test
  void threadsWithOneKernelWaitForIt() throws Exception {
    Normalizer n = new Normalizer(CRAWL, Normalizer.MAX_LENGTH, 1);
    check(EXPECTED, url -> n.tryNormalize(url).url());
  }

  @Test
  void nutchStormCrawlerFlinkAndSpark() throws Exception {
    UrlmillNormalizer nutch = new UrlmillNormalizer();
    nutch.setConf(new Configuration(false));
    check(EXPECTED, url -> ofNutch(nutch, url));
    UrlmillFilter filter = new UrlmillFilter();
    filter.configure(Map.of(), new ObjectMapper().readTree("{}"));
    Metadata metadata = new Metadata();
    check(EXPECTED, url -> filter.filter(null, metadata, url));
    NormalizeUrl flink = new NormalizeUrl();
    check(EXPECTED, flink::eval);
    io.github.urlmill.spark.NormalizeUrl spark = new io.github.urlmill.spark.NormalizeUrl();
    check(EXPECTED, url -> spark.call(url, "crawl"));
    byte[] plan = CRAWL.bytes();
    FingerprintUrl keys = new FingerprintUrl();
    check(FINGERPRINTS, url -> hex(keys.call(url, plan, KEY)));
  }

  @Test
  void configuringAndClosingWhileCallsRunChangesNothing() throws Exception {
    UrlmillNormalizer nutch = new UrlmillNormalizer();
    UrlmillFilter filter = new UrlmillFilter();
    NormalizeUrl flink = new NormalizeUrl();
    nutch.setConf(new Configuration(false));
    filter.configure(Map.of(), new ObjectMapper().readTree("{}"));
    AtomicBoolean ended = new AtomicBoolean();
    Thread other =
        new Thread(
            () -> {
              while (!ended.get()) {
                nutch.setConf(new Configuration(nutch.getConf()));
                filter.configure(Map.of(), new ObjectMapper().createObjectNode());
                assertTimeoutPreemptively(Duration.ofSeconds(60), flink::close);
                System.gc();
              }
            });
    other.start();
    try {
      Metadata metadata = new Metadata();
      check(EXPECTED, url -> ofNutch(nutch, url));
      check(EXPECTED, url -> filter.filter(null, metadata, url));
      check(EXPECTED, flink::eval);
    } finally {
      ended.set(true);
      other.join();
    }
  }

  @Test
  void anErrorGivesItsKernelBack() {
    Normalizer n = new Normalizer(CRAWL, 100, 1);
    for (String url : new String[] {"http://1.2.3.256/", "http://a/" + "b".repeat(100), ""}) {
      assertThrows(UrlmillException.class, () -> n.normalize(url));
      assertThrows(UrlmillException.class, () -> n.fingerprint(url, KEY));
    }
    assertThrows(NullPointerException.class, () -> n.normalizeUtf8(null));
    assertThrows(NullPointerException.class, () -> n.normalize(null));
    endsInTime(n);
  }

  @Test
  void aStackThatEndsInACallGivesItsKernelBack() {
    Normalizer n = new Normalizer(CRAWL, 100, 1);
    for (int times = 0; times < 20; times++) {
      assertThrows(StackOverflowError.class, () -> normalizeAtEachDepth(n));
      endsInTime(n);
    }
  }

  private static void normalizeAtEachDepth(Normalizer n) {
    try {
      n.tryNormalize("HTTP://A#b");
    } catch (UrlmillException error) {
      assertEquals("ENGINE_FAILED", error.code());
    }
    normalizeAtEachDepth(n);
  }

  private static void endsInTime(Normalizer n) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(60), () -> assertEquals("http://a/", n.normalize("HTTP://A#b")));
  }

  @Test
  void aThousandThreadsAndNormalizersFitIntoASmallHeap() throws Exception {
    runSmall("threads");
  }

  @Test
  void memoryThatLongUrlsTookIsLetGo() throws Exception {
    runSmall("long");
  }

  /** Runs what its argument names, in a process with a small heap. Does not load the URLs of the other tests. */
  static final class SmallHeap {
    private SmallHeap() {}

    public static void main(String[] args) throws Exception {
      Plan crawl = Plan.preset("crawl");
      if (args[0].equals("long")) {
        // As UTF-8 it would not fit.
        String tooLong = "\u20ac".repeat(20_000_000);
        assertEquals(Status.TOO_LONG, new Normalizer(crawl).tryNormalize(tooLong).status());
        String url = "HTTP://a/" + "b".repeat(400_000);
        List<Normalizer> kept = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
          Normalizer n = new Normalizer(crawl, crawl.maxLength(), 1);
          kept.add(n);
          assertEquals(Status.CHANGED, n.tryNormalize(url).status());
        }
        for (Normalizer n : kept) {
          assertEquals("http://a/", n.normalize("HTTP://A#b"));
        }
        return;
      }
      Normalizer shared = new Normalizer(crawl);
      Runnable task =
          () -> {
            Normalizer own = new Normalizer(Plan.preset("crawl"));
            for (int i = 0; i < 200; i++) {
              assertEquals("http://a/" + i, shared.normalize("HTTP://A/" + i + "#b"));
              assertEquals("http://a/" + i, own.normalize("HTTP://A/" + i + "#b"));
            }
          };
      runAll(Executors.newFixedThreadPool(1000), task);
      try {
        // Since Java 21.
        Object virtual = Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        runAll((ExecutorService) virtual, task);
      } catch (NoSuchMethodException error) {
        assertTrue(Runtime.version().feature() < 21);
      }
    }

    private static void runAll(ExecutorService executor, Runnable task) throws Exception {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        all.add(executor.submit(task));
      }
      for (Future<?> each : all) {
        each.get();
      }
      executor.shutdown();
    }
  }

  private static void runSmall(String what) throws Exception {
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx96m",
                "-Xss256k",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:ActiveProcessorCount=4",
                "-cp",
                System.getProperty("java.class.path"),
                SmallHeap.class.getName(),
                what)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
  }

  private static void check(String[] expected, Way way) throws Exception {
    inThreads(
        THREADS,
        thread -> {
          for (int at = thread; at < COUNT; at += THREADS) {
            assertEquals(expected[at], way.of(URLS[at]), URLS[at]);
          }
        });
  }

  private interface Part {
    void run(int thread) throws Exception;
  }

  private static void inThreads(int threads, Part part) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    List<Future<?>> all = new ArrayList<>();
    for (int each = 0; each < threads; each++) {
      int thread = each;
      all.add(
          executor.submit(
              () -> {
                part.run(thread);
                return null;
              }));
    }
    executor.shutdown();
    for (Future<?> each : all) {
      try {
        each.get();
      } catch (ExecutionException error) {
        throw new AssertionError(error.getCause());
      }
    }
  }

  private static String[] ofOneThread(Way way) {
    String[] made = new String[COUNT];
    try {
      for (int at = 0; at < COUNT; at++) {
        made[at] = way.of(URLS[at]);
      }
    } catch (Exception error) {
      throw new AssertionError(error);
    }
    return made;
  }

  private static String normalized(String url) {
    return ALONE.tryNormalize(url).url();
  }

  private static String fingerprint(String url) {
    return hex(ALONE.fingerprintUtf8(url.getBytes(StandardCharsets.UTF_8), KEY));
  }

  private static String ofNutch(UrlmillNormalizer nutch, String url) {
    try {
      return nutch.normalize(url, "default");
    } catch (MalformedURLException error) {
      return null;
    }
  }

  private static String orNull(Callable<String> call) throws Exception {
    try {
      return call.call();
    } catch (UrlmillException error) {
      return null;
    }
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static String hex(byte[] bytes) {
    return bytes == null ? null : HexFormat.of().formatHex(bytes);
  }

  /** Returns real URLs, of which every tenth has lost its scheme, so that it is not a URL. */
  private static String[] urls() {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(Node.fixture("urls-50k.txt.gz")))) {
      String[] real = new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n");
      String[] urls = new String[COUNT];
      for (int at = 0; at < COUNT; at++) {
        String url = real[at % real.length];
        urls[at] = at % 10 == 0 ? url.substring(url.indexOf(':') + 1) : url;
      }
      return urls;
    } catch (IOException error) {
      throw new AssertionError(error);
    }
  }
}
