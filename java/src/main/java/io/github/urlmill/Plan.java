package io.github.urlmill;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Holds what the options of a normalizer compile to. A {@link #builder} compiles options here. Those that need rules or hosts
 * are compiled by the command {@code urlmill plan} and by the Python package: {@code Normalizer(...).plan}. A plan is never
 * changed, so threads may share it, and it can be serialized.
 *
 * <pre>{@code
 * Plan plan = Plan.builder("crawl").with("www", "remove").with("dropParams", List.of("ref", "s_*")).build();
 * new Normalizer(plan).normalize("http://www.example.com/?id=1&ref=x"); // "http://example.com/?id=1"
 * }</pre>
 */
public final class Plan implements Serializable {
  private static final long serialVersionUID = 1;
  private static final int HEADER_BYTES = 44;

  private final byte[] bytes;

  private Plan(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns the plan of a preset: {@code safe}, {@code crawl}, {@code c14n} or {@code aggressive}. Throws
   * {@code BAD_OPTION} for another name.
   */
  public static Plan preset(String name) {
    if (!Release.PRESETS.contains(name)) {
      throw UrlmillException.badOption(
          "preset: must be one of " + String.join(", ", Release.PRESETS) + ", not " + name);
    }
    return new Plan(Release.plan(name));
  }

  /**
   * Returns a builder of a plan whose options begin with those of a preset: {@code safe}, {@code crawl}, {@code c14n} or
   * {@code aggressive}. Throws {@code BAD_OPTION} for another name.
   */
  public static Builder builder(String preset) {
    return new Builder().with("preset", preset);
  }

  /**
   * Returns the plan with these bytes, which are what {@code urlmill plan} writes. Throws {@code BAD_OPTION} for anything
   * else, and for a plan of another version: the message names both. What else is damaged is found by
   * {@link Normalizer}.
   */
  public static Plan of(byte[] bytes) {
    return new Plan(checked(bytes.clone()));
  }

  /** Returns the plan in a file, as {@link #of} does. */
  public static Plan read(Path file) throws IOException {
    return new Plan(checked(Files.readAllBytes(file)));
  }

  private static byte[] checked(byte[] bytes) {
    if (bytes.length < HEADER_BYTES || bytes.length % 4 != 0) {
      throw UrlmillException.badOption("plan: these bytes are not what `urlmill plan` writes");
    }
    int version = word(bytes, 0);
    if (!Release.PLANS.contains(version)) {
      String known = String.join(", ", Release.PLANS.stream().map(String::valueOf).toList());
      throw UrlmillException.badOption(
          "plan: is of version " + Integer.toUnsignedString(version) + ", and this release reads " + known
              + ": make it anew with `urlmill plan` of the same release");
    }
    return bytes;
  }

  private static int word(byte[] bytes, int index) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(4 * index);
  }

  /** Returns a copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns the bytes themselves, for readers within the package. */
  byte[] shared() {
    return bytes;
  }

  /** Returns the longest URL in bytes that the plan lets pass, in and out. */
  public int maxLength() {
    int length = word(bytes, 1);
    return length < 0 ? Integer.MAX_VALUE : length;
  }

  /**
   * Returns a short name for everything that a result depends on besides the input: that of Node and Python for equal
   * options. Store it with keys that outlive the process; keys of two ids do not compare.
   */
  public String profileId() {
    long hash = 0xcbf29ce484222325L;
    hash = fnv(Release.PROFILE.getBytes(StandardCharsets.US_ASCII), hash);
    return String.format("%016x", fnv(bytes, hash));
  }

  private static long fnv(byte[] bytes, long hash) {
    for (byte each : bytes) {
      hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
    }
    return hash;
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    checked(bytes);
  }

  /** Says whether the other is a plan with the same bytes: equal plans give equal normal forms. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Plan plan && Arrays.equals(bytes, plan.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /**
   * Compiles options to a plan. Names and values are those of Node, and so are the bytes of the plan. It takes all options
   * that change results, except {@code hostAliases}, {@code sites}, {@code defaultParams}, {@code rules},
   * {@code pageAliases} and {@code accept}. {@code docs/options.md} describes them. A builder is for one thread.
   */
  public static final class Builder {
    private final Map<String, Object> options = new HashMap<>();

    private Builder() {}

    /**
     * Sets an option, in place of an earlier value. Each value can also be a text, as on the command line, so that it can come
     * from a file of configuration:
     *
     * <ul>
     *   <li>a choice: {@code with("fragment", "keep")}
     *   <li>true or false: {@code with("wwwDigits", true)} or {@code "true"}
     *   <li>a length in bytes: {@code with("maxLength", 2048)} or {@code "2048"}
     *   <li>names: {@code with("dropParams", List.of("ref", "s_*"))} or {@code "ref,s_*"}
     *   <li>{@code with("directoryIndex", true)}, {@code "keep"}, or names of files
     * </ul>
     *
     * <p>Throws {@code BAD_OPTION} for an option that is unknown or cannot be compiled here, and for a value that the option
     * cannot have. The message says what is expected, or the command that writes the plan.
     */
    public Builder with(String name, Object value) {
      String preset = (String) options.get("preset");
      options.put(name, OptionValues.checked(name, value, preset));
      return this;
    }

    /** Sets options by their names, each as {@link #with(String, Object)} does. */
    public Builder with(Map<String, ?> options) {
      options.forEach((name, value) -> with(name, value));
      return this;
    }

    /**
     * Returns the plan of the options. Throws {@code BAD_OPTION} for names that could never match, and for options that
     * contradict each other: {@code scheme} must be one of {@code allowedSchemes}, and {@code dropParams} with {@code *} goes
     * without {@code keepParams}.
     */
    public Plan build() {
      return new Plan(PlanCompiler.compile(options));
    }
  }
}
