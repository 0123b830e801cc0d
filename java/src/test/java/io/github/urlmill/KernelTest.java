package io.github.urlmill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.Parser;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class KernelTest {
  /** HotSpot compiles no method with more bytes of code: it would be interpreted for ever. */
  private static final int HUGE_METHOD = 8000;

  private static final Kernels KERNELS = new Kernels(Plan.preset("safe"), 1);

  @Test
  void aKernelOfAnotherVersionIsRefusedWithBothVersions() {
    // A module with a memory and the global ABI_VERSION, 12.
    String exports = "02" + hex("ABI_VERSION") + "0300" + hex("memory") + "0200";
    byte[] module =
        HexFormat.of()
            .parseHex(
                "0061736d01000000" + "0503010001" + "0606017f00410c0b" + "0718" + exports);
    UrlmillException error =
        assertThrows(
            UrlmillException.class,
            () ->
                new Kernel(
                        Plan.preset("safe"), KERNELS, () -> Instance.builder(Parser.parse(module)))
                    .check());
    assertEquals("ENGINE_FAILED", error.code());
    assertTrue(
        error.getMessage().contains("has version 12 of the interface, not 13"),
        error.getMessage());
  }

  @Test
  void aKernelThatCannotStartHasACode() {
    for (Error cause : new Error[] {new OutOfMemoryError("x"), new NoClassDefFoundError("x")}) {
      Kernel kernel =
          new Kernel(
              Plan.preset("safe"),
              KERNELS,
              () -> {
                throw cause;
              });
      UrlmillException error = assertThrows(UrlmillException.class, kernel::check);
      assertEquals("ENGINE_UNAVAILABLE", error.code());
      assertEquals(cause, error.getCause());
    }
  }

  private static String hex(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    return String.format("%02x", bytes.length) + HexFormat.of().formatHex(bytes);
  }

  @Test
  void aKernelThatStopsIsReplacedAtTheNextCall() {
    // To read past the end of the array throws within the call, as a trap does.
    Kernel kernel = new Kernel(Plan.preset("safe"), KERNELS);
    byte[] url = "HTTP://A".getBytes(StandardCharsets.US_ASCII);
    int[] pastTheEnd = {0, url.length + 1};
    UrlmillException error =
        assertThrows(
            UrlmillException.class, () -> kernel.normalizeRows(url, pastTheEnd, 0, 1, 100, null));
    assertEquals("ENGINE_FAILED", error.code());
    assertEquals(1, kernel.normalize(url));
    assertEquals("http://a/", kernel.output());
  }

  @Test
  void noMethodIsTooLargeForHotSpotToCompile() throws IOException {
    int methods = 0;
    for (String name : new String[] {"KernelCodeMachineFuncGroup_0", "KernelCodeMachineMachineCall"}) {
      try (InputStream in = Kernel.class.getResourceAsStream(name + ".class")) {
        methods += checkMethods(new DataInputStream(in), name);
      }
    }
    assertTrue(methods > 100, methods + " methods");
  }

  /** Reads a class file up to its methods (JVMS 4.1); returns how many have code. */
  private static int checkMethods(DataInputStream in, String name) throws IOException {
    in.skipNBytes(8);
    String[] texts = new String[in.readUnsignedShort()];
    for (int at = 1; at < texts.length; at++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> texts[at] = in.readUTF();
        case 5, 6 -> {
          in.skipNBytes(8);
          at++;
        }
        case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
        case 15 -> in.skipNBytes(3);
        default -> in.skipNBytes(4);
      }
    }
    in.skipNBytes(6);
    in.skipNBytes(2L * in.readUnsignedShort());
    int count = 0;
    for (int fields = in.readUnsignedShort(); fields > 0; fields--) {
      in.skipNBytes(6);
      for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
        in.skipNBytes(2);
        in.skipNBytes(in.readInt());
      }
    }
    for (int methods = in.readUnsignedShort(); methods > 0; methods--) {
      in.skipNBytes(2);
      String method = texts[in.readUnsignedShort()];
      in.skipNBytes(2);
      for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
        String attribute = texts[in.readUnsignedShort()];
        int length = in.readInt();
        if (!attribute.equals("Code")) {
          in.skipNBytes(length);
          continue;
        }
        in.skipNBytes(4);
        int code = in.readInt();
        in.skipNBytes(length - 8);
        count++;
        assertTrue(code <= HUGE_METHOD, name + "." + method + " has " + code + " bytes");
      }
    }
    return count;
  }
}
