package io.github.urlmill;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes a plan: little-endian 32-bit words, one after the other. {@code src/plan/layout.ts} describes the layout. Addresses
 * are bytes from the beginning of the plan.
 */
final class PlanWriter {
  private static final int EXACT = OptionCatalog.number("entryKind.EXACT");
  private static final int PREFIX = OptionCatalog.number("entryKind.PREFIX");
  private static final int SUFFIX = OptionCatalog.number("entryKind.SUFFIX");

  /** A name of a table, with the number of its kind and a value. */
  record Entry(String name, int kind, int value) {
    static Entry exact(String name) {
      return new Entry(name, EXACT, 0);
    }

    /** Returns the entry of {@code name}, {@code prefix*} or {@code *suffix}. */
    static Entry pattern(String name, int value) {
      if (name.endsWith("*")) {
        return new Entry(name.substring(0, name.length() - 1), PREFIX, value);
      }
      boolean isSuffix = name.startsWith("*");
      return new Entry(isSuffix ? name.substring(1) : name, isSuffix ? SUFFIX : EXACT, value);
    }
  }

  private int[] words = new int[64];
  private int length;

  /** Returns the address of so many new words, which are 0. */
  int reserve(int count) {
    int at = 4 * length;
    length += count;
    if (length > words.length) {
      words = Arrays.copyOf(words, 2 * length);
    }
    return at;
  }

  /** Writes a field of a part, such as {@code table.MASK}. */
  void set(int part, String field, int value) {
    words[part / 4 + OptionCatalog.number(field)] = value;
  }

  /** Sets bits of a part, counted from its beginning. */
  void setBits(int part, int bit, int value) {
    words[part / 4 + bit / 32] |= value << bit % 32;
  }

  byte[] bytes() {
    ByteBuffer plan = ByteBuffer.allocate(4 * length).order(ByteOrder.LITTLE_ENDIAN);
    plan.asIntBuffer().put(words, 0, length);
    return plan.array();
  }

  /** Writes a table as {@link #table} does; returns 0 if it has no entry. */
  int optionalTable(List<Entry> entries, boolean ignoresCase) {
    return entries.isEmpty() ? 0 : table(entries, ignoresCase);
  }

  /** Writes a table and returns its address. An entry that stands twice is written once. */
  int table(List<Entry> given, boolean ignoresCase) {
    Map<String, Entry> entries = new TreeMap<>();
    given.forEach(entry -> entries.put(entry.kind + " " + entry.name, entry));
    int slots = 1 << 32 - Integer.numberOfLeadingZeros(2 * entries.size());
    int at = reserve(OptionCatalog.number("table.WORDS") + slots);
    int longest = 0;
    int prefixes = 0;
    int suffixes = 0;
    for (Entry entry : entries.values()) {
      int size = entry.name.length();
      int lengthBit = 1 << Math.min(size, 32) - 1;
      longest = Math.max(longest, size);
      prefixes |= entry.kind == PREFIX ? lengthBit : 0;
      suffixes |= entry.kind == SUFFIX ? lengthBit : 0;
      write(entry, at, slots);
    }
    set(at, "table.MASK", slots - 1);
    set(at, "table.IGNORE_CASE", ignoresCase ? 1 : 0);
    set(at, "table.PREFIX_LENGTHS", prefixes);
    set(at, "table.SUFFIX_LENGTHS", suffixes);
    set(at, "table.LONGEST", longest);
    return at;
  }

  private void write(Entry entry, int table, int slots) {
    int hash = hash(entry);
    int at = reserve(OptionCatalog.number("entry.WORDS"));
    set(at, "entry.HASH", hash);
    set(at, "entry.KIND", entry.kind);
    set(at, "entry.VALUE", entry.value);
    set(at, "entry.LENGTH", entry.name.length());
    int characters = reserve((entry.name.length() + 3) / 4);
    for (int byteAt = 0; byteAt < entry.name.length(); byteAt++) {
      setBits(characters, 8 * byteAt, entry.name.charAt(byteAt));
    }
    int first = table / 4 + OptionCatalog.number("table.WORDS");
    int slot = hash & slots - 1;
    while (words[first + slot] != 0) {
      slot = slot + 1 & slots - 1;
    }
    words[first + slot] = at;
  }

  /** Returns the hash of a name, from its last byte on for a suffix (FNV-1a, 32 bits). */
  private static int hash(Entry entry) {
    CharSequence name =
        entry.kind == SUFFIX ? new StringBuilder(entry.name).reverse() : entry.name;
    return name.chars().reduce(0x811c9dc5, (hash, each) -> (hash ^ each) * 0x01000193);
  }
}
