package io.github.urlmill;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import com.dylibso.chicory.runtime.ExportFunction;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.InvalidException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Runs one instance of the kernel with one plan (assembly/README.md, docs/kernel.md). One thread at a time may call it. An
 * instance that stopped is replaced at the next call.
 */
final class Kernel {
  /** The version of the kernel's interface that this class speaks. */
  static final int ABI_VERSION = 13;

  /** Bytes of input of one call: HotSpot compiles a function late that is entered once for many rows. */
  static final int WINDOW_BYTES = 1 << 14;

  /** Rows of one call at most. */
  static final int ROWS = 1 << 10;

  static final int FINGERPRINT_BYTES = 16;

  /** Says that nothing was done, because one URL is longer than there is memory for. */
  static final int NO_ROOM = -1;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);

  private final Supplier<Instance.Builder> code;
  private final byte[] plan;
  private final int maxLength;

  private Instance instance;
  private FlatMemory memory;
  private ExportFunction normalizeColumn;
  private ExportFunction fingerprintRows;
  private ExportFunction errorOffset;
  private int capacity = WINDOW_BYTES;

  private int inputStart;
  private int inOffsets;
  private int statusStart;
  private int outOffsets;
  private int outputStart;
  private int fingerprintKey;
  private int fingerprints;

  /**
   * Starts the kernel that the jar has compiled. A URL may have up to {@code maxLength} bytes. Throws {@code BAD_OPTION}
   * for a damaged plan.
   */
  Kernel(Plan plan, int maxLength) {
    this(
        plan,
        maxLength,
        () -> Instance.builder(KernelCode.load()).withMachineFactory(KernelCode::create));
  }

  /** Starts another kernel. */
  Kernel(Plan plan, int maxLength, Supplier<Instance.Builder> code) {
    this.code = code;
    this.plan = plan.shared();
    this.maxLength = Math.min(maxLength, plan.maxLength());
    guarded(() -> 0);
  }

  /** Returns the longest URL in bytes that passes. */
  int maxLength() {
    return maxLength;
  }

  /** Normalizes one URL, the first {@code length} bytes of {@code url}. Returns its status byte. */
  int normalize(byte[] url, int length) {
    if (!hasRoom(length)) {
      return Status.TOO_LONG.ordinal();
    }
    return guarded(() -> normalizeOne(url, length));
  }

  /** Does the same, and fingerprints the normal form under a key. */
  int fingerprint(byte[] url, int length, byte[] key) {
    if (!hasRoom(length)) {
      return Status.TOO_LONG.ordinal();
    }
    return guarded(
        () -> {
          int status = normalizeOne(url, length);
          fingerprint(1, key);
          return status;
        });
  }

  /** Returns where in a URL, in bytes, the error is that {@link #normalize} gave as status. */
  int errorOffset(byte[] url, int length) {
    if (length > maxLength || !hasRoom(length)) {
      return Math.min(maxLength, length);
    }
    return guarded(
        () -> {
          normalizeOne(url, length);
          return (int) errorOffset.apply()[0];
        });
  }

  /**
   * Normalizes rows of a column from {@code first} up to {@code end}, as many as fit, and fingerprints them unless
   * {@code key} is null. Returns how many were done: at least one, or {@link #NO_ROOM} if the first is too long.
   */
  int normalizeRows(byte[] data, int[] offsets, int first, int end, byte[] key) {
    int begin = offsets[first];
    if (!hasRoom(offsets[first + 1] - begin)) {
      return NO_ROOM;
    }
    int last = first + 1;
    while (last < end && last - first < ROWS && offsets[last + 1] - begin <= WINDOW_BYTES) {
      last++;
    }
    int rows = last - first;
    return guarded(
        () -> {
          memory.write(inputStart, data, begin, offsets[first + rows] - begin);
          for (int row = 0; row <= rows; row++) {
            setInt(inOffsets + 4 * row, offsets[first + row] - begin);
          }
          int done = (int) normalizeColumn.apply(rows)[0];
          if (key != null) {
            fingerprint(done, key);
          }
          return done;
        });
  }

  /** Copies the status bytes of the first rows of the last call. */
  void copyStatus(int rows, byte[] to, int at) {
    System.arraycopy(memory.bytes, statusStart, to, at, rows);
  }

  /** Copies the fingerprints of the first rows of the last call. */
  void copyFingerprints(int rows, byte[] to, int at) {
    System.arraycopy(memory.bytes, fingerprints, to, at, FINGERPRINT_BYTES * rows);
  }

  /** Returns where a row of the last call ends in its output. */
  int outputEnd(int row) {
    return (int) INTS.get(memory.bytes, outOffsets + 4 * (row + 1));
  }

  /** Copies the first bytes of the output of the last call. */
  void copyOutput(int length, byte[] to, int at) {
    System.arraycopy(memory.bytes, outputStart, to, at, length);
  }

  /** Returns what the last call made of its only row. */
  String output() {
    return new String(memory.bytes, outputStart, outputEnd(0), StandardCharsets.ISO_8859_1);
  }

  private int normalizeOne(byte[] url, int length) {
    memory.write(inputStart, url, 0, length);
    setInt(inOffsets, 0);
    setInt(inOffsets + 4, length);
    normalizeColumn.apply(1);
    return memory.bytes[statusStart];
  }

  private void fingerprint(int rows, byte[] key) {
    memory.write(fingerprintKey, key, 0, key.length);
    fingerprintRows.apply(rows, 0, 0);
  }

  private void setInt(int at, int value) {
    INTS.set(memory.bytes, at, value);
  }

  /** Says whether a URL of so many bytes fits. One within the limit gets the memory it needs, if the heap has it. */
  private boolean hasRoom(int length) {
    if (length <= capacity) {
      return length <= maxLength;
    }
    if (length > maxLength) {
      return false;
    }
    return guarded(() -> reserve(length) ? 1 : 0) == 1;
  }

  /** Runs a call. Throws {@code ENGINE_FAILED} if the kernel stops. */
  private int guarded(IntSupplier call) {
    try {
      if (instance == null) {
        start();
      }
      return call.getAsInt();
    } catch (UrlmillException error) {
      instance = null;
      throw error;
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError error) {
      instance = null;
      throw new UrlmillException(
          "ENGINE_FAILED",
          "the kernel stopped (" + error + "), so this call has no result; the next has a new kernel",
          error);
    }
  }

  private void start() {
    Instance made = code.get().withMemoryFactory(FlatMemory::new).build();
    checkVersion(made);
    instance = made;
    memory = (FlatMemory) made.memory();
    normalizeColumn = made.export("normalizeColumn");
    fingerprintRows = made.export("fingerprintRows");
    errorOffset = made.export("errorOffset");
    if (!reserve(capacity)) {
      throw new UrlmillException(
          "ENGINE_UNAVAILABLE", "no memory for a window of " + capacity + " bytes");
    }
  }

  private static void checkVersion(Instance made) {
    long version;
    try {
      version = made.exports().global("ABI_VERSION").getValue();
    } catch (InvalidException error) {
      throw new UrlmillException("ENGINE_FAILED", "this module is not a kernel of urlmill", error);
    }
    if (version != ABI_VERSION) {
      throw new UrlmillException(
          "ENGINE_FAILED",
          "the kernel has version " + version + " of the interface, not " + ABI_VERSION
              + ": kernel and classes are of different releases");
    }
  }

  /** Lays memory out for a window, and loads the plan. Returns false, and changes nothing, if the heap has no room. */
  private boolean reserve(int bytes) {
    if (instance.export("reserve").apply(plan.length, 0, bytes, ROWS)[0] == 0) {
      return false;
    }
    capacity = bytes;
    inputStart = address("inputStart");
    inOffsets = address("inOffsets");
    statusStart = address("statusStart");
    outOffsets = address("outOffsets");
    outputStart = address("outputStart");
    fingerprintKey = address("fingerprintKey");
    fingerprints = address("fingerprints");
    memory.write(address("planStart"), plan, 0, plan.length);
    if (instance.export("loadPlan").apply()[0] == 0) {
      throw UrlmillException.badOption("plan: the bytes are damaged");
    }
    instance.export("loadBase").apply(0);
    return true;
  }

  private int address(String name) {
    return (int) instance.exports().global(name).getValue();
  }
}
