package io.github.urlmill;

/** Writes texts in the form in which normalizing writes them. */
final class Written {
  private static final String UNRESERVED = OptionCatalog.text("bytes.unreserved");
  private static final String PATH = OptionCatalog.text("bytes.path");
  private static final String QUERY = OptionCatalog.text("bytes.query");

  private Written() {}

  /** Returns a text as normalizing writes it in a path. */
  static String inPath(String text) {
    return written(text, PATH);
  }

  /** Returns a text as normalizing writes it in the query of a special scheme. */
  static String inQuery(String text) {
    return written(text, QUERY);
  }

  private static String written(String text, String allowed) {
    byte[] bytes = Normalizer.utf8(text);
    StringBuilder out = new StringBuilder();
    for (int at = 0; at < bytes.length; at++) {
      int decoded = bytes[at] == '%' && at + 2 < bytes.length ? triplet(bytes, at) : -1;
      if (decoded < 0) {
        append(out, bytes[at] & 0xff, allowed);
      } else {
        append(out, decoded, UNRESERVED);
        at += 2;
      }
    }
    return out.toString();
  }

  /** Returns the byte that two hex digits stand for, or a number below 0. */
  private static int triplet(byte[] bytes, int at) {
    int high = Character.digit(bytes[at + 1] & 0xff, 16);
    int low = Character.digit(bytes[at + 2] & 0xff, 16);
    return high < 0 ? high : low < 0 ? low : 16 * high + low;
  }

  private static void append(StringBuilder out, int each, String allowed) {
    if (allowed.indexOf(each) >= 0) {
      out.append((char) each);
    } else {
      out.append(String.format("%%%02X", each));
    }
  }
}
