package io.github.urlmill;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs scripts of Node on what the npm build made. */
final class Node {
  private Node() {}

  /** Runs a script of src/test/node with bytes as its input; returns its output. */
  static byte[] run(byte[] input, String script, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("node", "src/test/node/" + script));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (OutputStream out = process.getOutputStream()) {
      out.write(input);
    }
    try (InputStream in = process.getInputStream()) {
      byte[] output = in.readAllBytes();
      if (process.waitFor() != 0) {
        throw new IOException(script + " failed");
      }
      return output;
    } catch (InterruptedException error) {
      throw new IOException(error);
    }
  }

  static Path fixture(String name) {
    return Path.of("../test/fixtures", name);
  }

  /** Says whether tests repeat all that they can. */
  static boolean isLong() {
    return System.getenv("URLMILL_LONG") != null;
  }
}
