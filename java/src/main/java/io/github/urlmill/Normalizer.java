package io.github.urlmill;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Turns URLs into their canonical form. No result depends on an earlier call. Share one among all threads, platform or
 * virtual.
 *
 * <p>Each call uses a kernel of its own. Normalizers with equal plans share their kernels, as many as there are processors.
 * A call waits for a kernel while all are in use; a batch lends it to others every 16 KiB. A kernel starts when a call finds
 * no other free, and takes about 3 MB of heap. A call with a longer URL than 16 KiB takes 32 bytes more for each byte, of
 * which a kernel keeps up to 4 MB. An interrupted thread gets the same results, and stays interrupted.
 *
 * <p>What is serialized is the plan and the limits. There is nothing to close.
 *
 * <pre>{@code
 * Normalizer n = new Normalizer(Plan.preset("crawl"));
 * n.normalize("HTTP://Example.com/b?utm_source=x&a=1#top"); // "http://example.com/b?a=1"
 * }</pre>
 */
public final class Normalizer implements Serializable {
  private static final long serialVersionUID = 1;

  /** Bytes of the longest URL that passes, unless another limit is chosen. */
  public static final int MAX_LENGTH = Kernel.WINDOW_BYTES;

  /** Bytes of a key of fingerprints. */
  public static final int KEY_BYTES = 16;

  /** Bytes of a fingerprint. */
  public static final int FINGERPRINT_BYTES = Kernel.FINGERPRINT_BYTES;

  private static final int MOST_KERNELS = 1024;

  /** Bytes of the longest array that all virtual machines make. */
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  /** Stands for kernels that are shared. */
  private static final int SHARED = 0;

  private final Plan plan;
  private final int maxLength;
  private final int maxKernels;
  private final transient Kernels kernels;

  /**
   * Makes a normalizer for URLs of up to {@link #MAX_LENGTH} bytes. Node and Python let longer URLs pass, which have no key
   * here: to get the keys that they give, take {@code new Normalizer(plan, plan.maxLength())}. Throws {@code BAD_OPTION}
   * for a damaged plan.
   */
  public Normalizer(Plan plan) {
    this(plan, MAX_LENGTH);
  }

  /**
   * Makes a normalizer for URLs of up to {@code maxLength} bytes, or of what the plan allows, if that is less:
   * {@code plan.maxLength()} lets pass what Node and Python let pass. A longer URL is {@code TOO_LONG}. So is one that the
   * heap has no room for. Throws {@code BAD_OPTION} for a damaged plan, and for a length below 1.
   */
  public Normalizer(Plan plan, int maxLength) {
    this(plan, maxLength, SHARED, Kernels.of(plan));
  }

  /**
   * Makes a normalizer with kernels of its own, at most {@code maxKernels}: so many calls run at once. Takes and throws
   * otherwise what {@link #Normalizer(Plan, int)} takes and throws, and {@code BAD_OPTION} for a number that is not from 1
   * to 1,024.
   */
  public Normalizer(Plan plan, int maxLength, int maxKernels) {
    this(plan, maxLength, maxKernels, new Kernels(plan, checkKernels(maxKernels)));
  }

  private Normalizer(Plan plan, int maxLength, int maxKernels, Kernels kernels) {
    if (maxLength < 1) {
      throw UrlmillException.badOption("maxLength: must be 1 or more, not " + maxLength);
    }
    this.plan = plan;
    this.maxLength = Math.min(maxLength, plan.maxLength());
    this.maxKernels = maxKernels;
    this.kernels = kernels;
    try (Kernel kernel = kernels.lend()) {
      kernel.check();
    }
  }

  private Object readResolve() {
    return maxKernels == SHARED
        ? new Normalizer(plan, maxLength)
        : new Normalizer(plan, maxLength, maxKernels);
  }

  /** Returns the version of this package, such as {@code 0.1.0}. */
  public static String version() {
    return Release.VERSION;
  }

  /** Returns the plan. */
  public Plan plan() {
    return plan;
  }

  /**
   * Returns the canonical form of a URL, or the given object if that is in normal form. A lone surrogate is read as
   * U+FFFD. Throws a {@link UrlmillException} with the code and the place of what is wrong in the URL.
   */
  public String normalize(String url) {
    byte[] data = bytesOf(url);
    try (Kernel kernel = kernels.lend()) {
      int status = normalize(kernel, data);
      if (status > Status.CHANGED.ordinal()) {
        throw error(kernel, status, data, url);
      }
      return status == 0 ? url : kernel.output();
    }
  }

  /**
   * Normalizes a URL and reports an error as a status, without an exception.
   *
   * <pre>{@code
   * n.tryNormalize("http://1.2.3.256/"); // Result[url=null, status=BAD_IPV4]
   * }</pre>
   */
  public Result tryNormalize(String url) {
    byte[] data = bytesOf(url);
    try (Kernel kernel = kernels.lend()) {
      Status status = Status.of((byte) normalize(kernel, data));
      return switch (status) {
        case UNCHANGED -> new Result(url, status);
        case CHANGED -> new Result(kernel.output(), status);
        default -> new Result(null, status);
      };
    }
  }

  /**
   * Returns the canonical form of a URL in UTF-8: the given array if that is in normal form, and null for what is not a
   * URL. Bytes that are not UTF-8 are percent-encoded one by one.
   */
  public byte[] normalizeUtf8(byte[] url) {
    try (Kernel kernel = kernels.lend()) {
      int status = normalize(kernel, url);
      if (status == 0) {
        return url;
      }
      if (status > Status.CHANGED.ordinal()) {
        return null;
      }
      byte[] made = new byte[kernel.outputEnd(0)];
      kernel.copyOutput(made.length, made, 0);
      return made;
    }
  }

  /**
   * Returns the fingerprint of the canonical form of a URL in UTF-8, as {@link #fingerprint} does; null for what is not a
   * URL. Throws {@code BAD_OPTION} for a key of another length.
   */
  public byte[] fingerprintUtf8(byte[] url, byte[] key) {
    checkKey(key);
    try (Kernel kernel = kernels.lend()) {
      int status = fingerprint(kernel, url, key);
      return status > Status.CHANGED.ordinal() ? null : ownFingerprint(kernel);
    }
  }

  /**
   * Returns the fingerprint of a normal form: 16 bytes, SipHash-1-3 of it under a key of 16 bytes. Node and Python give the
   * same under the same key. Keep the key from whoever picks the URLs. Throws a {@link UrlmillException} as
   * {@link #normalize} does, and {@code BAD_OPTION} for a key of another length.
   */
  public byte[] fingerprint(String url, byte[] key) {
    checkKey(key);
    byte[] data = bytesOf(url);
    try (Kernel kernel = kernels.lend()) {
      int status = fingerprint(kernel, data, key);
      if (status > Status.CHANGED.ordinal()) {
        throw error(kernel, status, data, url);
      }
      return ownFingerprint(kernel);
    }
  }

  /** Returns a URL as UTF-8. One with more characters than the limit is cut: what is left is too long, too. */
  private byte[] bytesOf(String url) {
    return utf8(url.length() > maxLength ? url.substring(0, maxLength + 1) : url);
  }

  private int normalize(Kernel kernel, byte[] url) {
    return url.length > maxLength ? Status.TOO_LONG.ordinal() : kernel.normalize(url);
  }

  private int fingerprint(Kernel kernel, byte[] url, byte[] key) {
    return url.length > maxLength ? Status.TOO_LONG.ordinal() : kernel.fingerprint(url, key);
  }

  /** Returns the fingerprint of the only row of a kernel's last call. */
  private static byte[] ownFingerprint(Kernel kernel) {
    byte[] fingerprint = new byte[FINGERPRINT_BYTES];
    kernel.copyFingerprints(1, fingerprint, 0);
    return fingerprint;
  }

  /**
   * Normalizes a column of UTF-8 in the layout of Arrow's strings and of Spark's columns: row {@code i} has the bytes from
   * {@code offsets[i]} up to {@code offsets[i + 1]} of {@code data}. There is one offset more than rows; the first need
   * not be 0. Bytes that are not UTF-8 are percent-encoded one by one. Throws {@code BAD_COLUMN} for offsets that descend
   * or lie outside of the data, and {@code BATCH_TOO_LARGE} for a result of more than 2 GiB.
   */
  public NormalizedBatch normalizeBatch(byte[] data, int[] offsets) {
    int rows = checkColumn(data, offsets);
    byte[] status = new byte[rows];
    int[] ends = new int[rows + 1];
    byte[] out = new byte[roomFor(offsets[rows] - offsets[0], rows)];
    int written = 0;
    for (int row = 0; row < rows; ) {
      try (Kernel kernel = kernels.lend()) {
        int done = kernel.normalizeRows(data, offsets, row, rows, maxLength, null);
        if (done == Kernel.NO_ROOM) {
          status[row++] = (byte) Status.TOO_LONG.ordinal();
          ends[row] = written;
          continue;
        }
        int length = kernel.outputEnd(done - 1);
        out = withRoom(out, written, length);
        kernel.copyOutput(length, out, written);
        kernel.copyStatus(done, status, row);
        for (int i = 0; i < done; i++) {
          ends[row + i + 1] = written + kernel.outputEnd(i);
        }
        written += length;
        row += done;
      }
    }
    return new NormalizedBatch(out, ends, status);
  }

  /**
   * Fingerprints the normal forms of a column. Takes and throws what {@link #normalizeBatch} and {@link #fingerprint} take
   * and throw.
   */
  public FingerprintBatch fingerprintBatch(byte[] data, int[] offsets, byte[] key) {
    checkKey(key);
    int rows = checkColumn(data, offsets);
    if (rows > Integer.MAX_VALUE / FINGERPRINT_BYTES) {
      throw new UrlmillException("BATCH_TOO_LARGE", "fingerprints of " + rows + " rows are more than 2 GiB");
    }
    byte[] status = new byte[rows];
    byte[] fingerprints = new byte[FINGERPRINT_BYTES * rows];
    for (int row = 0; row < rows; ) {
      try (Kernel kernel = kernels.lend()) {
        int done = kernel.normalizeRows(data, offsets, row, rows, maxLength, key);
        if (done == Kernel.NO_ROOM) {
          status[row++] = (byte) Status.TOO_LONG.ordinal();
          continue;
        }
        kernel.copyStatus(done, status, row);
        kernel.copyFingerprints(done, fingerprints, FINGERPRINT_BYTES * row);
        row += done;
      }
    }
    return new FingerprintBatch(fingerprints, status);
  }

  private UrlmillException error(Kernel kernel, int status, byte[] data, String url) {
    int offset = data.length > maxLength ? maxLength : kernel.errorOffset(data);
    return UrlmillException.of(Status.of((byte) status), offset, url);
  }

  private static int checkKernels(int maxKernels) {
    if (maxKernels < 1 || maxKernels > MOST_KERNELS) {
      throw UrlmillException.badOption(
          "maxKernels: must be from 1 to " + MOST_KERNELS + ", not " + maxKernels);
    }
    return maxKernels;
  }

  /** Returns how many bytes to begin with: each normal form may be longer than its URL by a slash. */
  static int roomFor(int bytes, int rows) {
    return (int) Math.min((long) bytes + rows, MOST_BYTES);
  }

  private static byte[] withRoom(byte[] out, int written, int length) {
    long needed = (long) written + length;
    if (needed <= out.length) {
      return out;
    }
    if (needed > MOST_BYTES) {
      throw new UrlmillException("BATCH_TOO_LARGE", "the normal forms are more than 2 GiB");
    }
    return Arrays.copyOf(out, (int) Math.min(needed + needed / 2, MOST_BYTES));
  }

  private static int checkColumn(byte[] data, int[] offsets) {
    if (offsets.length == 0 || offsets[0] < 0) {
      throw new UrlmillException("BAD_COLUMN", "offsets: must begin with a number of 0 or more");
    }
    for (int row = 1; row < offsets.length; row++) {
      if (offsets[row] < offsets[row - 1]) {
        throw new UrlmillException("BAD_COLUMN", "offsets: descend at row " + (row - 1));
      }
    }
    int end = offsets[offsets.length - 1];
    if (end > data.length) {
      throw new UrlmillException(
          "BAD_COLUMN", "offsets: end at " + end + ", and there are " + data.length + " bytes");
    }
    return offsets.length - 1;
  }

  private static void checkKey(byte[] key) {
    if (key.length != KEY_BYTES) {
      throw UrlmillException.badOption("key: must be " + KEY_BYTES + " bytes");
    }
  }

  /** Returns a text as UTF-8, in which a lone surrogate is U+FFFD. Java would write `?`, which begins a query. */
  static byte[] utf8(String text) {
    byte[] data = text.getBytes(StandardCharsets.UTF_8);
    boolean isAscii =
        data.length == text.length() && text.equals(new String(data, StandardCharsets.ISO_8859_1));
    return isAscii ? data : withoutLoneSurrogates(text, data);
  }

  private static byte[] withoutLoneSurrogates(String text, byte[] data) {
    StringBuilder replaced = null;
    for (int at = 0; at < text.length(); at++) {
      char each = text.charAt(at);
      if (!Character.isSurrogate(each)) {
        continue;
      }
      if (Character.isSurrogatePair(each, at + 1 < text.length() ? text.charAt(at + 1) : 0)) {
        at++;
        continue;
      }
      if (replaced == null) {
        replaced = new StringBuilder(text);
      }
      replaced.setCharAt(at, '\ufffd');
    }
    return replaced == null ? data : replaced.toString().getBytes(StandardCharsets.UTF_8);
  }
}
