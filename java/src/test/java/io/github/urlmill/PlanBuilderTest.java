package io.github.urlmill;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanBuilderTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void plansProfileIdsAndErrorsAreThoseOfNode(@TempDir Path folder) throws IOException {
    int count = Node.isLong() ? 50_000 : 5_000;
    Path file = folder.resolve("plans.jsonl");
    Node.run(new byte[0], "write_option_plans.mjs", String.valueOf(count), "63", file.toString());
    int made = 0;
    int refused = 0;
    for (String line : Files.readAllLines(file)) {
      JsonNode each = JSON.readTree(line);
      if (each.has("plan")) {
        made++;
        checkPlan(each, line);
      } else {
        refused++;
        checkError(each, line);
      }
    }
    assertTrue(made > count / 2 && refused > count / 10, made + " made, " + refused + " refused");
  }

  private static void checkPlan(JsonNode each, String line) {
    Plan plan = planOf(each);
    assertArrayEquals(Base64.getDecoder().decode(each.get("plan").asText()), plan.bytes(), line);
    assertEquals(each.get("profileId").asText(), plan.profileId(), line);
  }

  private static void checkError(JsonNode each, String line) {
    UrlmillException error = assertThrows(UrlmillException.class, () -> planOf(each), line);
    assertEquals(each.get("code").asText(), error.code(), line);
    assertEquals(each.get("code").asText() + ": " + each.get("message").asText(), error.getMessage());
  }

  @SuppressWarnings("unchecked")
  private static Plan planOf(JsonNode each) {
    Map<String, Object> options = JSON.convertValue(each.get("options"), LinkedHashMap.class);
    return Plan.builder((String) options.get("preset")).with(options).build();
  }

  @Test
  void presetsCompileToThePlansInTheJar() {
    for (String preset : Release.PRESETS) {
      assertEquals(Plan.preset(preset), Plan.builder(preset).build());
    }
  }

  @Test
  void optionsChangeWhatAPresetDoes() {
    Plan plan =
        Plan.builder("crawl")
            .with("www", "remove")
            .with("wwwDigits", true)
            .with("fragment", "keep")
            .with("dropParams", List.of("ref", "s_*"))
            .build();
    assertEquals(
        "http://example.com/?id=1#top",
        new Normalizer(plan).normalize("http://www2.example.com/?ref=x&s_a=1&id=1&utm_id=2#top"));
  }

  @Test
  void theLastValueOfAnOptionCountsAndABuilderCanGoOn() {
    Plan.Builder builder = Plan.builder("safe").with("fragment", "remove");
    Plan first = builder.build();
    assertEquals(Plan.preset("safe"), builder.with("fragment", "keep").build());
    assertEquals(first, Plan.builder("safe").with("fragment", "remove").build());
    assertEquals(Plan.preset("crawl"), builder.with("preset", "crawl").with("fragment", "remove").build());
  }

  @Test
  void textsAreReadAsOnTheCommandLine() {
    Map<String, Object> typed =
        Map.of(
            "wwwDigits", true,
            "maxLength", 2048,
            "dropParams", List.of("ref", "s_*"),
            "directoryIndex", true);
    Map<String, String> texts =
        Map.of(
            "wwwDigits", "true",
            "maxLength", "2048",
            "dropParams", "ref, s_*",
            "directoryIndex", "true");
    assertEquals(
        Plan.builder("safe").with(typed).build(), Plan.builder("safe").with(texts).build());
    assertEquals(
        Plan.builder("safe").with("directoryIndex", List.of("a.php", "b.php")).build(),
        Plan.builder("safe").with("directoryIndex", "a.php,b.php").build());
    assertEquals(Plan.preset("safe"), Plan.builder("safe").with("directoryIndex", "keep").build());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rules|--rules FILE",
        "pageAliases|--page-aliases FILE",
        "accept|--accept fetched",
        "sites|--sites JSON",
        "hostAliases|--host-aliases FROM=TO",
        "defaultParams|--default-params N=V"
      })
  void anOptionThatJavaDoesNotCompileIsRefusedWithTheCommandThatDoes(String name, String flag) {
    UrlmillException error = refusal("crawl", name, Map.of());
    assertEquals(
        "BAD_OPTION: option " + name + " cannot be set in Java: run `urlmill plan --preset crawl " + flag
            + " -o my.plan`, and load that file with Plan.read",
        error.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "trailingSlashs, trailingSlash",
    "drop_params, dropParams",
    "sort-query, sortQuery",
    "www_digit, wwwDigits"
  })
  void anUnknownOptionIsRefusedWithTheNearestName(String typed, String name) {
    assertEquals(
        "BAD_OPTION: there is no option \"" + typed + "\"; did you mean " + name + "?",
        refusal("safe", typed, "keep").getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"removeAnchors", "engine", "module", ""})
  void anOptionWithoutANearNameIsRefusedWithAllNames(String typed) {
    String message = refusal("safe", typed, "keep").getMessage();
    assertTrue(
        message.startsWith("BAD_OPTION: there is no option \"" + typed + "\"; there are preset, "),
        message);
  }

  @Test
  void aFormerNameIsRefusedWithTheNewOne() {
    assertEquals(
        "BAD_OPTION: there is no option \"schemes\"; it is allowedSchemes now",
        refusal("safe", "schemes", "http").getMessage());
  }

  @Test
  void valuesOfOtherTypesAreRefused() {
    for (Object value : new Object[] {null, 1, List.of(1), Map.of("a", "b"), new String[] {"a"}}) {
      assertEquals("BAD_OPTION", refusal("safe", "dropParams", value).code());
      assertEquals("BAD_OPTION", refusal("safe", "fragment", value).code());
    }
    assertEquals(
        "BAD_OPTION: option preset cannot be \"crawll\": expected safe, crawl, c14n, aggressive; did you mean crawl?",
        assertThrows(UrlmillException.class, () -> Plan.builder("crawll")).getMessage());
    assertThrows(UrlmillException.class, () -> Plan.builder(null));
  }

  private static UrlmillException refusal(String preset, String name, Object value) {
    Plan.Builder builder = Plan.builder(preset);
    return assertThrows(UrlmillException.class, () -> builder.with(name, value));
  }
}
