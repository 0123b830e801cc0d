package io.github.urlmill;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Checks names and values of options, and reads values that are texts as the command line reads them. */
final class OptionValues {
  private OptionValues() {}

  /**
   * Returns the value of an option as the compiler takes it: a String for a choice, an Integer for a length, and a List for
   * names. Throws {@code BAD_OPTION} for an option that is unknown or needs the command line, and for a value that it cannot
   * have.
   *
   * @param preset the preset that the options begin with, for the message
   */
  static Object checked(String name, Object value, String preset) {
    String flag = OptionCatalog.text("flag." + name);
    if (flag != null) {
      throw UrlmillException.badOption(
          "option " + name + " cannot be set in Java: run `urlmill plan --preset " + preset + " " + flag
              + " -o my.plan`, and load that file with Plan.read");
    }
    if (!OptionCatalog.NAMES.contains(name)) {
      throw UrlmillException.badOption("there is no option " + shown(name) + hint(name));
    }
    List<String> choices = OptionCatalog.list("values." + name);
    if (choices != null) {
      return choice(name, value, choices);
    }
    Object read =
        switch (OptionCatalog.text("kind." + name)) {
          case "bytes" -> length(value);
          case "names" -> names(value);
          case "fileNames" -> fileNames(value);
          default -> null;
        };
    if (read == null) {
      throw bad(name, value, OptionCatalog.text("expects." + name));
    }
    return read;
  }

  /** Returns the error for a value that an option cannot have. */
  static UrlmillException bad(String name, Object value, String expected) {
    return UrlmillException.badOption(
        "option " + name + " cannot be " + shown(value) + ": expected " + expected);
  }

  private static String choice(String name, Object value, List<String> choices) {
    String text = String.valueOf(value);
    if (!choices.contains(text)) {
      throw bad(name, value, String.join(", ", choices) + Nearest.suggestion(text, choices));
    }
    return text;
  }

  private static Integer length(Object value) {
    String digits = String.valueOf(value);
    // Nine digits fit an int.
    int length = digits.matches("[0-9]{1,9}") ? Integer.parseInt(digits) : 0;
    return length < 1 || length > OptionCatalog.number("maxLength.largest") ? null : length;
  }

  /** Returns the names in a list, or in a text with commas between them; null for anything else. */
  private static List<String> names(Object value) {
    if (value instanceof String text) {
      return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }
    boolean areNames =
        value instanceof Collection<?> items && items.stream().allMatch(String.class::isInstance);
    return areNames ? ((Collection<?>) value).stream().map(String.class::cast).toList() : null;
  }

  private static List<String> fileNames(Object value) {
    if (Boolean.TRUE.equals(value) || "true".equals(value)) {
      return OptionCatalog.list("list.directoryIndex");
    }
    return "keep".equals(value) ? List.of() : names(value);
  }

  private static String hint(String name) {
    String now = OptionCatalog.text("formerly." + name);
    if (now != null) {
      return "; it is " + now + " now";
    }
    String suggestion = Nearest.optionSuggestion(name, OptionCatalog.NAMES);
    return suggestion.isEmpty()
        ? "; there are " + String.join(", ", OptionCatalog.NAMES)
        : suggestion;
  }

  /** Returns a value as JSON, for a message. */
  private static String shown(Object value) {
    if (value instanceof Collection<?> items) {
      return items.stream().map(OptionValues::shown).collect(Collectors.joining(",", "[", "]"));
    }
    return value instanceof String text
        ? '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"'
        : String.valueOf(value);
  }
}
