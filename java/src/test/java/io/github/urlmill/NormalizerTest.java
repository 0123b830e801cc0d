package io.github.urlmill;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class NormalizerTest {
  private final Normalizer n = new Normalizer(Plan.preset("safe"));

  @Test
  void aUrlInNormalFormIsTheGivenObject() {
    String url = new String("http://a/");
    assertSame(url, n.normalize(url));
    assertSame(url, n.tryNormalize(url).url());
    assertEquals(new Result("http://a/", Status.CHANGED), n.tryNormalize("HTTP://A"));
  }

  @Test
  void anErrorHasCodePlaceAndUrl() {
    UrlmillException error =
        assertThrows(UrlmillException.class, () -> n.normalize("http://1.2.3.256/"));
    assertEquals("BAD_IPV4", error.code());
    assertEquals(7, error.offset());
    assertEquals(
        "BAD_IPV4: the host ends in a number and is not an IPv4 address: http://1.2.3.256/",
        error.getMessage());
    assertEquals(new Result(null, Status.BAD_IPV4), n.tryNormalize("http://1.2.3.256/"));
  }

  @Test
  void aLoneSurrogateIsReadAsReplacementCharacter() {
    assertEquals("http://a/%EF%BF%BD", n.normalize("http://a/\ud800"));
    assertEquals("http://a/%EF%BF%BDx", n.normalize("http://a/\udc00x"));
    assertEquals("http://a/%C3%A9%EF%BF%BD%F0%9F%98%80", n.normalize("http://a/é\ud83d😀"));
    assertEquals("http://a/?%EF%BF%BD", n.normalize("http://a/?\udfff"));
  }

  @Test
  void aUrlPastTheLimitIsTooLong() {
    Normalizer small = new Normalizer(Plan.preset("safe"), 20);
    assertEquals("http://a.example/bcd", small.normalize("http://a.example/bcd"));
    UrlmillException error =
        assertThrows(UrlmillException.class, () -> small.normalize("http://a.example/bcde"));
    assertEquals("TOO_LONG", error.code());
    assertEquals(20, error.offset());
    String longest = "http://a/" + "b".repeat(Normalizer.MAX_LENGTH - 9);
    assertSame(longest, n.normalize(longest));
    assertEquals(Status.TOO_LONG, n.tryNormalize(longest + "b").status());
  }

  @Test
  void aLongUrlGetsTheMemoryItNeeds() {
    Plan plan = Plan.preset("safe");
    Normalizer large = new Normalizer(plan, plan.maxLength());
    String longest = "HTTP://a/" + "%7e".repeat(300_000);
    assertEquals("http://a/" + "~".repeat(300_000), large.normalize(longest));
    assertEquals("http://a/", large.normalize("http://a"));
  }

  @Test
  void aLimitOrKeyThatCannotBeIsRefused() {
    UrlmillException error =
        assertThrows(UrlmillException.class, () -> new Normalizer(Plan.preset("safe"), 0));
    assertEquals("BAD_OPTION", error.code());
    for (int count : new int[] {0, Integer.MAX_VALUE}) {
      error = assertThrows(UrlmillException.class, () -> new Normalizer(Plan.preset("safe"), 9, count));
      assertEquals(
          "BAD_OPTION: maxKernels: must be from 1 to 1024, not " + count, error.getMessage());
    }
    error = assertThrows(UrlmillException.class, () -> n.fingerprint("http://a/", new byte[8]));
    assertEquals("BAD_OPTION", error.code());
    byte[] url = "http://a/".getBytes(StandardCharsets.UTF_8);
    error = assertThrows(UrlmillException.class, () -> n.fingerprintUtf8(url, new byte[8]));
    assertEquals("BAD_OPTION", error.code());
  }

  @Test
  void aFingerprintIsThatOfNodeAndPython() {
    byte[] key = new byte[16];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) i;
    }
    byte[] fingerprint = n.fingerprint("HTTP://A", key);
    assertArrayEquals(n.fingerprint("http://a/", key), fingerprint);
    assertEquals("a0097e21b2ce7dfd396f29549636ed26", HexFormat.of().formatHex(fingerprint));
    UrlmillException error =
        assertThrows(UrlmillException.class, () -> n.fingerprint("x", key));
    assertEquals("NO_SCHEME", error.code());
  }

  @Test
  void aColumnMayBeASliceWithRowsOfAnyLength() {
    Normalizer small = new Normalizer(Plan.preset("safe"), 40_000);
    String longest = "http://a/" + "é".repeat(10_000);
    String[] rows = {"HTTP://A", "", longest, "x", "http://a/" + "b".repeat(40_000), "http://b/"};
    byte[] data = ("--" + String.join("", rows)).getBytes(StandardCharsets.UTF_8);
    int[] offsets = new int[rows.length + 1];
    offsets[0] = 2;
    for (int row = 0; row < rows.length; row++) {
      offsets[row + 1] = offsets[row] + rows[row].getBytes(StandardCharsets.UTF_8).length;
    }
    NormalizedBatch batch = small.normalizeBatch(data, offsets);
    assertEquals(6, batch.rows());
    assertArrayEquals(new byte[] {1, 2, 1, 3, 12, 0}, batch.status());
    assertEquals("http://a/", batch.get(0));
    assertNull(batch.get(1));
    assertEquals("http://a/" + "%C3%A9".repeat(10_000), batch.get(2));
    assertNull(batch.get(4));
    assertEquals("http://b/", batch.get(5));
    FingerprintBatch keys = small.fingerprintBatch(data, offsets, new byte[16]);
    assertArrayEquals(batch.status(), keys.status());
    assertEquals(96, keys.fingerprints().length);
  }

  @Test
  void eachRowOfAColumnIsHeldToTheLimit() {
    Normalizer small = new Normalizer(Plan.preset("safe"), 9);
    byte[] data = "http://a/http://b/chttp://d/".getBytes(StandardCharsets.UTF_8);
    int[] offsets = {0, 9, 19, 28};
    byte tooLong = (byte) Status.TOO_LONG.ordinal();
    assertArrayEquals(new byte[] {0, tooLong, 0}, small.normalizeBatch(data, offsets).status());
    assertArrayEquals(
        new byte[] {0, tooLong, 0}, small.fingerprintBatch(data, offsets, new byte[16]).status());
  }

  @Test
  void aColumnWithoutRowsGivesNone() {
    assertEquals(0, n.normalizeBatch(new byte[0], new int[] {0}).rows());
    assertEquals(0, n.fingerprintBatch(new byte[3], new int[] {2}, new byte[16]).rows());
  }

  @Test
  void offsetsThatDoNotFitAreRefused() {
    for (int[] offsets : new int[][] {{}, {-1, 0}, {0, 3, 2}, {0, 4}, {5, 5}}) {
      UrlmillException error =
          assertThrows(UrlmillException.class, () -> n.normalizeBatch(new byte[3], offsets));
      assertEquals("BAD_COLUMN", error.code());
    }
  }

  @Test
  void aColumnOfNearly2GibHasARoomThatAnArrayCanHave() {
    assertEquals(30, Normalizer.roomFor(20, 10));
    // The sum is over the greatest int: it was negative, and no array could be made.
    assertEquals(Integer.MAX_VALUE - 8, Normalizer.roomFor(Integer.MAX_VALUE - 8, 100));
    assertEquals(Integer.MAX_VALUE - 8, Normalizer.roomFor(Integer.MAX_VALUE - 16, 8));
  }

  @Test
  void anInterruptedThreadGetsTheSameResultsAndStaysInterrupted() {
    Thread.currentThread().interrupt();
    try {
      assertEquals("http://a/", n.normalize("HTTP://A"));
      assertEquals("http://a/", new Normalizer(Plan.preset("safe")).normalize("HTTP://A"));
      assertTrue(Thread.currentThread().isInterrupted());
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void aThreadThatIsInterruptedAgainAndAgainGetsTheSameResults() throws InterruptedException {
    String url = "HTTP://a/" + "%7e".repeat(4_000);
    String expected = "http://a/" + "~".repeat(4_000);
    Thread worker = Thread.currentThread();
    Thread other =
        new Thread(
            () -> {
              for (int i = 0; i < 200; i++) {
                worker.interrupt();
                Thread.onSpinWait();
              }
            });
    other.start();
    do {
      assertEquals(expected, n.normalize(url));
    } while (other.isAlive());
    Thread.interrupted();
    other.join();
  }
}
