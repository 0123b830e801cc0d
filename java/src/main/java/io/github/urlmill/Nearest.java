package io.github.urlmill;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Finds what a mistyped option or value most likely means, by the edits of {@code src/base/nearest.ts}. */
final class Nearest {
  /** The most edits of a mistyped name. With more edits, it is another word. */
  private static final int MAX_EDITS = 2;

  /** The longest name that may be mistyped. A longer one comes from a stranger, and comparing it takes long. */
  private static final int LONGEST_NAME = 100;

  private Nearest() {}

  /** Returns {@code ; did you mean x?}, or an empty text if no value is near. */
  static String suggestion(String typed, List<String> names) {
    int found = nearest(typed, names);
    return found < 0 ? "" : "; did you mean " + names.get(found) + "?";
  }

  /** Does the same for names of options, whose case, {@code -} and {@code _} do not count. */
  static String optionSuggestion(String typed, List<String> names) {
    int found = nearest(letters(typed), names.stream().map(Nearest::letters).toList());
    return found < 0 ? "" : "; did you mean " + names.get(found) + "?";
  }

  private static String letters(String name) {
    return name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
  }

  private static int nearest(String typed, List<String> names) {
    int found = -1;
    double least = Math.min(MAX_EDITS + 1, typed.length() / 2.0);
    for (int at = 0; at < names.size() && typed.length() <= LONGEST_NAME; at++) {
      int edits = edits(typed, names.get(at));
      if (edits < least) {
        found = at;
        least = edits;
      }
    }
    return found;
  }

  /** Returns the number of characters to insert, delete, replace or swap with the next (optimal string alignment). */
  private static int edits(String a, String b) {
    int[] before = new int[0];
    int[] above = IntStream.rangeClosed(0, b.length()).toArray();
    for (int row = 1; row <= a.length(); row++) {
      int[] line = new int[b.length() + 1];
      line[0] = row;
      for (int column = 1; column <= b.length(); column++) {
        int changed = above[column - 1] + (a.charAt(row - 1) == b.charAt(column - 1) ? 0 : 1);
        line[column] = Math.min(Math.min(above[column], line[column - 1]) + 1, changed);
        boolean isSwapped =
            row > 1
                && column > 1
                && a.charAt(row - 1) == b.charAt(column - 2)
                && a.charAt(row - 2) == b.charAt(column - 1);
        if (isSwapped) {
          line[column] = Math.min(line[column], before[column - 2] + 1);
        }
      }
      before = above;
      above = line;
    }
    return above[b.length()];
  }
}
