package io.github.urlmill;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * Reads what the build wrote of the catalog of options and of the layout of plans: {@code tools/write-java-options.mjs}.
 */
final class OptionCatalog {
  private static final Properties ENTRIES = Release.properties("options.properties");

  /** The names of all options, also of those that Java refuses. */
  static final List<String> NAMES = list("names");

  private OptionCatalog() {}

  /** Returns the text of a key, or null. */
  static String text(String key) {
    return ENTRIES.getProperty(key);
  }

  /** Returns the number of a key that there is. */
  static int number(String key) {
    return Integer.parseInt(text(key));
  }

  /** Returns the items of a key, or null. */
  static List<String> list(String key) {
    String items = text(key);
    return items == null ? null : List.of(items.split(","));
  }

  /** Returns the texts of all keys that begin with a prefix, by the rest of their keys. */
  static Map<String, String> under(String prefix) {
    return ENTRIES.stringPropertyNames().stream()
        .filter(key -> key.startsWith(prefix))
        .collect(Collectors.toMap(key -> key.substring(prefix.length()), OptionCatalog::text));
  }
}
