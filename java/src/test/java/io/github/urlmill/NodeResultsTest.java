package io.github.urlmill;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results of Java are those of Node, byte for byte, on real and hostile URLs, under presets and random options. */
class NodeResultsTest {
  private static final byte[] KEY = new byte[Normalizer.KEY_BYTES];

  /** What Node made of a column. */
  private record Case(
      Plan plan,
      String profileId,
      byte[] data,
      int[] offsets,
      byte[] outData,
      int[] outOffsets,
      byte[] status,
      byte[] fingerprints,
      int[] places) {}

  private static ByteBuffer frames;

  @BeforeAll
  static void writeResults(@TempDir Path folder) throws IOException {
    // Of 400 URLs each; a file may have 2 GiB.
    String sets = Node.isLong() ? "5000" : "100";
    Path file = folder.resolve("results");
    Node.run(new byte[0], "write_results.mjs", sets, "400", "43", file.toString());
    frames = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void columnsRowsAndFingerprintsAreThoseOfNode() {
    int cases = 0;
    long rows = 0;
    for (frames.rewind(); frames.hasRemaining(); cases++) {
      Case each = nextCase();
      rows += each.status.length;
      checkColumn(each);
      checkRows(each, cases < 8 ? 7 : 1);
    }
    assertTrue(cases > 60 && rows > 200_000, cases + " cases of " + rows + " rows");
  }

  private static void checkColumn(Case each) {
    Normalizer n = new Normalizer(each.plan, each.plan.maxLength());
    assertEquals(each.profileId, each.plan.profileId());
    NormalizedBatch batch = n.normalizeBatch(each.data, each.offsets);
    assertArrayEquals(each.status, batch.status());
    assertArrayEquals(each.outOffsets, batch.offsets());
    int end = each.outOffsets[each.status.length];
    assertArrayEquals(each.outData, Arrays.copyOf(batch.data(), end));
    FingerprintBatch keys = n.fingerprintBatch(each.data, each.offsets, KEY);
    assertArrayEquals(each.status, keys.status());
    assertArrayEquals(each.fingerprints, keys.fingerprints());
  }

  private static void checkRows(Case each, int step) {
    Normalizer n = new Normalizer(each.plan, each.plan.maxLength());
    for (int row = 0; row < each.status.length; row += step) {
      byte[] bytes = Arrays.copyOfRange(each.data, each.offsets[row], each.offsets[row + 1]);
      byte[] fingerprint = Arrays.copyOfRange(each.fingerprints, 16 * row, 16 * (row + 1));
      String expected = textOf(each, row);
      Status status = Status.of(each.status[row]);
      byte[] made = n.normalizeUtf8(bytes);
      assertEquals(status == Status.UNCHANGED, made == bytes);
      assertEquals(expected, made == null ? null : new String(made, StandardCharsets.ISO_8859_1));
      assertArrayEquals(expected == null ? null : fingerprint, n.fingerprintUtf8(bytes, KEY));
      String url = new String(bytes, StandardCharsets.UTF_8);
      if (!Arrays.equals(url.getBytes(StandardCharsets.UTF_8), bytes)) {
        continue;
      }
      assertEquals(new Result(expected, status), n.tryNormalize(url), url);
      if (expected != null) {
        assertEquals(expected, n.normalize(url));
        assertArrayEquals(fingerprint, n.fingerprint(url, KEY));
        continue;
      }
      UrlmillException error = assertThrows(UrlmillException.class, () -> n.normalize(url));
      assertEquals(status.name(), error.code());
      assertEquals(each.places[row], error.offset(), url);
    }
  }

  private static String textOf(Case each, int row) {
    if (Status.of(each.status[row]).isError()) {
      return null;
    }
    int begin = each.outOffsets[row];
    return new String(
        each.outData, begin, each.outOffsets[row + 1] - begin, StandardCharsets.ISO_8859_1);
  }

  private static Case nextCase() {
    return new Case(
        Plan.of(bytes()),
        new String(bytes(), StandardCharsets.US_ASCII),
        bytes(),
        ints(),
        bytes(),
        ints(),
        bytes(),
        bytes(),
        ints());
  }

  private static byte[] bytes() {
    byte[] frame = new byte[frames.getInt()];
    frames.get(frame);
    return frame;
  }

  private static int[] ints() {
    int[] numbers = new int[frames.getInt() / 4];
    frames.asIntBuffer().get(numbers);
    frames.position(frames.position() + 4 * numbers.length);
    return numbers;
  }
}
