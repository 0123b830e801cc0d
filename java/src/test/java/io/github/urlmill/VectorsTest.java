package io.github.urlmill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The vectors of the Node suite through Java. */
class VectorsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @ValueSource(strings = {"safe", "crawl", "c14n", "aggressive"})
  void pairsThatAreOnePageBecomeEqual(String preset) throws IOException {
    Normalizer n = new Normalizer(Plan.preset(preset));
    JsonNode pairs = fixture("pairs.json").get("equal");
    assertTrue(pairs.size() > 10);
    for (JsonNode pair : pairs) {
      assertEquals(n.normalize(text(pair, "a")), n.normalize(text(pair, "b")), pair.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"safe", "crawl"})
  void pairsThatAreTwoPagesStayApart(String preset) throws IOException {
    Normalizer n = new Normalizer(Plan.preset(preset));
    JsonNode pairs = fixture("pairs.json").get("differ");
    assertTrue(pairs.size() > 10);
    for (JsonNode pair : pairs) {
      assertNotEquals(n.normalize(text(pair, "a")), n.normalize(text(pair, "b")), pair.toString());
    }
  }

  @Test
  void seedsHaveTheirExpectedFormUnderTheirOptions() throws IOException {
    JsonNode cases = fixture("seeds.json").get("cases");
    assertTrue(cases.size() > 30);
    ArrayNode options = JSON.createArrayNode();
    cases.forEach(each -> options.add(each.get("options")));
    byte[] written = Node.run(JSON.writeValueAsBytes(options), "write_plans.mjs");
    String[] plans = new String(written, StandardCharsets.US_ASCII).split("\n");
    for (int at = 0; at < cases.size(); at++) {
      Normalizer n = new Normalizer(Plan.of(Base64.getDecoder().decode(plans[at])));
      JsonNode each = cases.get(at);
      String expected = text(each, "expected");
      assertEquals(expected, n.normalize(text(each, "input")), each.toString());
      assertEquals(expected, n.normalize(expected), each.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"toascii.json", "IdnaTestV2.json"})
  void internationalHostsAreWrittenAsThePlatformTestsSay(String name) throws IOException {
    Normalizer n = new Normalizer(Plan.preset("safe"));
    int count = 0;
    for (JsonNode each : fixture("wpt/" + name)) {
      // With no host at all, the URL Standard takes what follows for one.
      if (!each.isObject() || text(each, "input").isEmpty()) {
        continue;
      }
      // The files are of Unicode 17.0 and refuse U+3E8AC, which came with 18.0.
      if (text(each, "input").codePoints().anyMatch(code -> code == 0x3E8AC)) {
        continue;
      }
      count++;
      JsonNode output = each.get("output");
      String expected = output.isNull() ? null : "https://" + output.textValue() + "/x";
      String url = "https://" + encoded(text(each, "input")) + "/x";
      assertEquals(expected, n.tryNormalize(url).url(), each.toString());
    }
    assertTrue(count > 80);
  }

  @Test
  void platformTestsThatFailHaveNoNormalForm() throws IOException {
    Normalizer n = new Normalizer(Plan.preset("safe"));
    int count = 0;
    for (JsonNode each : fixture("wpt/urltestdata.json")) {
      // Those with a base fail by it, and Java takes none.
      if (!each.isObject() || !each.path("failure").asBoolean() || each.path("base").isTextual()) {
        continue;
      }
      String url = text(each, "input");
      if (url.strip().toLowerCase(Locale.ROOT).matches("(?s)(https?|wss?|ftp|file):.*")) {
        count++;
        assertEquals(null, n.tryNormalize(url).url(), url);
      }
    }
    assertTrue(count > 100, count + " cases");
  }

  private static JsonNode fixture(String name) throws IOException {
    return JSON.readTree(Node.fixture(name).toFile());
  }

  private static String text(JsonNode node, String name) {
    return node.get(name).textValue();
  }

  /** Percent-encodes all bytes but letters and digits, so that nothing in a host ends it. */
  private static String encoded(String host) {
    StringBuilder out = new StringBuilder();
    // A lone surrogate is U+FFFD in URLs, and `?` in Java's bytes.
    String text = host.replaceAll("[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]", "\ufffd");
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      int code = each & 0xff;
      boolean isPlain = code < 0x80 && (Character.isLetterOrDigit(code) || "-._~".indexOf(code) >= 0);
      out.append(isPlain ? String.valueOf((char) code) : String.format("%%%02X", code));
    }
    return out.toString();
  }
}
