package io.github.urlmill;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;

/** Reads what the build wrote beside the classes: versions and the plans of the presets. */
final class Release {
  private static final Properties VERSIONS = properties("versions.properties");

  /** The version of the package. */
  static final String VERSION = VERSIONS.getProperty("urlmill");

  /** The versions of plans that this release reads. */
  static final List<Integer> PLANS =
      List.of(VERSIONS.getProperty("plans").split(",")).stream().map(Integer::valueOf).toList();

  /** What a profile id depends on besides the plan. */
  static final String PROFILE = VERSIONS.getProperty("spec") + " " + VERSIONS.getProperty("unicode") + " ";

  static final List<String> PRESETS = List.of(VERSIONS.getProperty("presets").split(","));

  private Release() {}

  /** Returns the plan of a preset that {@link #PRESETS} has. */
  static byte[] plan(String preset) {
    return read("plans/" + preset + ".plan");
  }

  /** Returns what a file of properties has that the build wrote. */
  static Properties properties(String name) {
    Properties properties = new Properties();
    try (InputStream in = Release.class.getResourceAsStream(name)) {
      properties.load(in);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    return properties;
  }

  private static byte[] read(String name) {
    try (InputStream in = Release.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
