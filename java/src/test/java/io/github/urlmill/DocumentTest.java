package io.github.urlmill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the blocks of Java in documents. An expression must have the value that stands after {@code //}. */
public class DocumentTest {
  private static final Pattern BLOCK = Pattern.compile("^```java\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern VALUE = Pattern.compile("^(.+); // (.+)$", Pattern.MULTILINE);

  @ParameterizedTest
  @ValueSource(strings = {"../docs/java.md", "README.md"})
  void blocksOfJavaRunAndGiveTheirValues(String document, @TempDir Path folder) throws Exception {
    List<String> blocks =
        BLOCK.matcher(Files.readString(Path.of(document))).results().map(found -> found.group(1)).toList();
    assertTrue(blocks.size() > 0);
    for (int at = 0; at < blocks.size(); at++) {
      run("Block" + at, blocks.get(at), folder);
    }
  }

  private static void run(String name, String block, Path folder) throws Exception {
    String imports = lines(block, true);
    String program =
        imports
            + "public class " + name + " { public static void run() throws Exception {\n"
            + VALUE.matcher(lines(block, false)).replaceAll(DocumentTest::compared)
            + "}}\n";
    Path file = folder.resolve(name + ".java");
    Files.writeString(file, program);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiles =
          compiler
              .getTask(
                  errors, files, null, List.of("-d", folder.toString()), null,
                  files.getJavaFileObjects(file))
              .call();
      assertTrue(compiles, errors + program);
    }
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      loader.loadClass(name).getMethod("run").invoke(null);
    }
  }

  private static String lines(String block, boolean areImports) {
    return Arrays.stream(block.split("\n"))
        .filter(line -> line.startsWith("import ") == areImports)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String compared(MatchResult found) {
    String value = found.group(2).replace("\\", "\\\\").replace("\"", "\\\"");
    return Matcher.quoteReplacement(
        "io.github.urlmill.DocumentTest.check(" + found.group(1) + ", \"" + value + "\");");
  }

  /** Is called by blocks. */
  public static void check(Object found, String expected) {
    String text = found instanceof String string ? '"' + string + '"' : Objects.toString(found);
    assertEquals(expected, text);
  }
}
