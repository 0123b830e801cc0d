package io.github.urlmill;

import io.github.urlmill.PlanWriter.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Compiles options that need neither hosts nor rules. The bytes are those of Node: {@code src/compile/compile.ts} and
 * {@code src/plan/encode} do the same.
 */
final class PlanCompiler {
  private static final String ANY_NAME = "*";

  /** The options of the preset, and on top of them those of the caller. */
  private final Map<String, Object> options = new HashMap<>();

  /** Whether names of parameters are compared in lower case. */
  private final boolean folds;

  // Names as normalizing writes them. Null: the option is not set.
  private final List<String> schemes;
  private final List<String> files;
  private final List<String> kept;
  private final List<String> dropped;

  private final PlanWriter writer = new PlanWriter();

  private PlanCompiler(Map<String, Object> own) {
    String preset = (String) own.get("preset");
    OptionCatalog.under("preset." + preset + ".")
        .forEach((name, value) -> options.put(name, OptionValues.checked(name, value, preset)));
    options.putAll(own);
    folds = choice("case").equals("lower-path-query") || choice("paramCase").equals("ignore");
    options.put("paramCase", folds ? "ignore" : "keep");
    schemes = names("allowedSchemes", PlanCompiler::scheme);
    boolean dropsAll = dropsAll();
    files = names("directoryIndex", PlanCompiler::fileName);
    kept = dropsAll ? List.of() : names("keepParams", name -> pattern("keepParams", name));
    dropped = dropsAll ? List.of() : names("dropParams", name -> pattern("dropParams", name));
    checkScheme();
  }

  /**
   * Returns the plan of options that {@link OptionValues#checked} returned; {@code preset} must be one of them. Throws
   * {@code BAD_OPTION} for names that could never match, and for options that contradict each other.
   */
  static byte[] compile(Map<String, Object> options) {
    return new PlanCompiler(options).write();
  }

  private String choice(String name) {
    return (String) options.getOrDefault(name, OptionCatalog.list("values." + name).get(0));
  }

  private int choiceNumber(String name) {
    return OptionCatalog.list("values." + name).indexOf(choice(name));
  }

  private List<String> names(String option, Function<String, String> compile) {
    List<?> given = (List<?>) options.get(option);
    return given == null ? null : given.stream().map(name -> compile.apply((String) name)).toList();
  }

  private boolean dropsAll() {
    List<?> names = (List<?>) options.getOrDefault("dropParams", List.of());
    boolean dropsAll = names.contains(ANY_NAME);
    if (dropsAll && options.containsKey("keepParams")) {
      throw OptionValues.bad("dropParams", ANY_NAME, "no keepParams beside it");
    }
    return dropsAll;
  }

  /** Refuses a scheme that is written but does not pass: its URLs could not be normalized again. */
  private void checkScheme() {
    String scheme = choice("scheme");
    if (!scheme.equals("keep") && schemes != null && !schemes.contains(scheme)) {
      throw OptionValues.bad(
          "scheme",
          scheme,
          "one that the option allowedSchemes allows: " + String.join(", ", schemes));
    }
  }

  private static String scheme(String name) {
    if (!name.matches("[a-zA-Z][a-zA-Z0-9+.-]*")) {
      throw OptionValues.bad("allowedSchemes", name, "schemes such as \"http\", without a colon");
    }
    return lowerCase(name);
  }

  private static String fileName(String name) {
    String written = Written.inPath(name);
    if (List.of("", ".", "..").contains(written) || written.contains("/")) {
      throw OptionValues.bad("directoryIndex", name, "file names, which are one path segment each");
    }
    return lowerCase(written);
  }

  /** Returns a name, {@code prefix*} or {@code *suffix} as it is compared. */
  private String pattern(String option, String name) {
    String before = name.startsWith("*") ? "*" : "";
    String after = name.endsWith("*") ? "*" : "";
    if (name.length() > 1 && !before.isEmpty() && !after.isEmpty()) {
      throw OptionValues.bad(
          option, name, "names with * at their beginning or at their end, not at both");
    }
    String text = name.equals("*") ? "" : name.substring(before.length(), name.length() - after.length());
    if (text.isEmpty()) {
      throw OptionValues.bad(
          option,
          name,
          "parameter names that are not empty; * in dropParams removes all parameters");
    }
    String written = Written.inQuery(text);
    if (written.contains("&")) {
      throw OptionValues.bad(option, text, "no &: write it as %26, or it can never match");
    }
    if (written.contains("=")) {
      throw OptionValues.bad(
          option, name, "names without =: write it as %3D, or it can never match");
    }
    return before + (folds ? lowerCase(written) : written) + after;
  }

  private static String lowerCase(String ascii) {
    return ascii.toLowerCase(Locale.ROOT);
  }

  private byte[] write() {
    int header = writer.reserve(OptionCatalog.number("header.WORDS"));
    writer.set(header, "header.VERSION", OptionCatalog.number("plan.version"));
    int length = OptionCatalog.number("maxLength.default");
    writer.set(header, "header.MAX_LENGTH", (Integer) options.getOrDefault("maxLength", length));
    List<String> defaultSchemes = OptionCatalog.list("values.defaultScheme");
    writer.set(
        header,
        "header.DEFAULT_SCHEME",
        defaultSchemes.indexOf(options.getOrDefault("defaultScheme", "")) + 1);
    if (schemes != null) {
      writer.set(header, "header.SCHEMES", writer.table(exact(schemes), false));
    }
    writer.set(header, "header.PROFILE", writeProfile());
    return writer.bytes();
  }

  private int writeProfile() {
    int keptTable = kept == null ? 0 : writer.table(patterns(kept, 0), folds);
    int droppedTable = dropped == null ? 0 : writer.optionalTable(patterns(dropped, 0), folds);
    int listedTable = writer.optionalTable(listedNames(), true);
    int filesTable = files == null ? 0 : writer.optionalTable(exact(files), true);
    int at = writer.reserve(OptionCatalog.number("profile.WORDS"));
    OptionCatalog.under("bit.")
        .forEach((name, bit) -> writer.setBits(at, Integer.parseInt(bit), choiceNumber(name)));
    writer.set(at, "profile.KEEP_PARAMS", keptTable);
    writer.set(at, "profile.DROP_PARAMS", droppedTable);
    writer.set(at, "profile.LISTED_PARAMS", listedTable);
    writer.set(at, "profile.DIRECTORY_INDEX", filesTable);
    return at;
  }

  /** Returns the names of the package's lists, each with the number of its list. */
  private List<Entry> listedNames() {
    List<Entry> entries = new ArrayList<>();
    if (choice("sessionIds").equals("remove")) {
      entries.addAll(
          patterns(OptionCatalog.list("list.session"), OptionCatalog.number("listed.SESSION")));
    }
    if (choice("trackingParams").equals("remove")) {
      entries.addAll(
          patterns(OptionCatalog.list("list.tracking"), OptionCatalog.number("listed.TRACKING")));
    }
    return entries;
  }

  private static List<Entry> exact(List<String> names) {
    return names.stream().map(Entry::exact).toList();
  }

  private static List<Entry> patterns(List<String> names, int value) {
    return names.stream().map(name -> Entry.pattern(name, value)).toList();
  }
}
