package io.github.urlmill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanTest {
  private static final String MESSY = "HTTP://Example.com:80/%7e?utm_source=x&b&a=1#top";

  @Test
  void presetsDoWhatTheirNamesSay() {
    assertEquals(
        "http://example.com/~?utm_source=x&b&a=1#top",
        new Normalizer(Plan.preset("safe")).normalize(MESSY));
    assertEquals(
        "http://example.com/~?a=1&b", new Normalizer(Plan.preset("crawl")).normalize(MESSY));
  }

  @Test
  void anUnknownPresetIsNamedWithThoseThatThereAre() {
    UrlmillException error = assertThrows(UrlmillException.class, () -> Plan.preset("fast"));
    assertEquals("BAD_OPTION", error.code());
    assertEquals(
        "BAD_OPTION: preset: must be one of safe, crawl, c14n, aggressive, not fast",
        error.getMessage());
  }

  @Test
  void aPlanOfAnotherVersionIsRefusedWithBothVersions() {
    byte[] bytes = Plan.preset("crawl").bytes();
    bytes[0] = 5;
    UrlmillException error = assertThrows(UrlmillException.class, () -> Plan.of(bytes));
    assertEquals("BAD_OPTION", error.code());
    assertTrue(error.getMessage().contains("is of version 5, and this release reads 6, 7, 8, 9"));
  }

  @Test
  void bytesThatAreNotAPlanAreRefused() {
    for (byte[] bytes : new byte[][] {{}, {6, 0, 0, 0}, new byte[45], new byte[88]}) {
      UrlmillException error = assertThrows(UrlmillException.class, () -> Plan.of(bytes));
      assertEquals("BAD_OPTION", error.code());
    }
  }

  @Test
  void aDamagedPlanIsRefusedOrNormalizesToTheEnd() {
    Random random = new Random(43);
    int refused = 0;
    int count = Node.isLong() ? 20_000 : 500;
    for (int i = 0; i < count; i++) {
      byte[] bytes = Plan.preset(i % 2 == 0 ? "crawl" : "aggressive").bytes();
      for (int times = random.nextInt(3); times >= 0; times--) {
        // The first word is the version.
        int at = 4 + random.nextInt(random.nextBoolean() ? 60 : bytes.length - 4);
        bytes[at] = (byte) random.nextInt();
      }
      try {
        Normalizer n = new Normalizer(Plan.of(bytes));
        assertTrue(n.tryNormalize(MESSY).status().ordinal() <= Status.TOO_LONG.ordinal());
      } catch (UrlmillException error) {
        assertEquals("BAD_OPTION", error.code(), error.getMessage());
        refused++;
      }
    }
    assertTrue(refused > count / 10 && refused < count, refused + " of " + count);
  }

  @Test
  void aPlanIsReadFromAFileAndSurvivesSerialization(@TempDir Path folder)
      throws IOException, ClassNotFoundException {
    Plan plan = Plan.preset("aggressive");
    Path file = folder.resolve("a.plan");
    Files.write(file, plan.bytes());
    assertEquals(plan, Plan.read(file));
    assertEquals(plan, copyOf(plan));
    assertEquals(plan.hashCode(), copyOf(plan).hashCode());
    assertNotEquals(plan, Plan.preset("safe"));
  }

  @Test
  void aNormalizerSurvivesSerializationWithItsLimits() throws IOException, ClassNotFoundException {
    Plan plan = Plan.preset("crawl");
    for (Normalizer made : new Normalizer[] {new Normalizer(plan, 20), new Normalizer(plan, 20, 1)}) {
      Normalizer copy = copyOf(made);
      assertEquals(plan, copy.plan());
      assertEquals("http://a/", copy.normalize("HTTP://A#b"));
      assertEquals(Status.TOO_LONG, copy.tryNormalize("http://a.example/long").status());
    }
  }

  @SuppressWarnings("unchecked")
  private static <T> T copyOf(T object) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (T) in.readObject();
    }
  }
}
