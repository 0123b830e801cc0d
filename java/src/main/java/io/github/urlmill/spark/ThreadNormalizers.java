package io.github.urlmill.spark;

import io.github.urlmill.Normalizer;
import io.github.urlmill.Plan;
import java.util.Arrays;
import java.util.Objects;

/** Finds the normalizer of a thread by what a function of SQL was given: the name of a preset or the bytes of a plan. */
final class ThreadNormalizers {
  /** Normalizers that a thread keeps. Those of all threads with equal plans share their kernels. */
  private static final int KEPT = 4;

  private record Entry(Object given, Normalizer normalizer) {}

  /** The last that was asked for is the first. */
  private static final ThreadLocal<Entry[]> ENTRIES =
      ThreadLocal.withInitial(() -> new Entry[KEPT]);

  private ThreadNormalizers() {}

  static Normalizer of(Object given) {
    Entry[] entries = ENTRIES.get();
    Entry first = entries[0];
    // Spark hands out the same array for each row of a task, and a new string.
    if (first != null && (first.given == given || first.given.equals(given))) {
      return first.normalizer;
    }
    int at = 0;
    while (at < KEPT - 1 && entries[at] != null && !isSame(entries[at].given, given)) {
      at++;
    }
    Entry found = entries[at];
    Normalizer n =
        found != null && isSame(found.given, given) ? found.normalizer : made(planOf(given));
    System.arraycopy(entries, 0, entries, 1, at);
    entries[0] = new Entry(given, n);
    return n;
  }

  private static boolean isSame(Object one, Object other) {
    return one instanceof byte[] bytes && other instanceof byte[] others
        ? Arrays.equals(bytes, others)
        : Objects.equals(one, other);
  }

  private static Normalizer made(Plan plan) {
    return new Normalizer(plan, plan.maxLength());
  }

  private static Plan planOf(Object given) {
    return given instanceof byte[] bytes ? Plan.of(bytes) : Plan.preset(String.valueOf(given));
  }
}
