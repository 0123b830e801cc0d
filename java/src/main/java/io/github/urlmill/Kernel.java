package io.github.urlmill;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import com.dylibso.chicory.runtime.ExportFunction;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.InvalidException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Runs one instance of the kernel with one plan (assembly/README.md, docs/kernel.md), for the call that {@link Kernels}
 * lent it to. The first call starts the instance. One that stopped is replaced at the next call.
 */
final class Kernel implements AutoCloseable {
  /** The version of the kernel's interface that this class speaks. */
  static final int ABI_VERSION = 13;

  /** Bytes of input of one call: HotSpot compiles a function late that is entered once for many rows. */
  static final int WINDOW_BYTES = 1 << 14;

  /** Rows of one call at most. */
  static final int ROWS = 1 << 10;

  static final int FINGERPRINT_BYTES = 16;

  /** Says that nothing was done, because one URL is longer than the limit, or than there is memory for. */
  static final int NO_ROOM = -1;

  /** Bytes of the longest URL for which a kernel keeps the memory after its call. */
  private static final int KEPT_BYTES = 8 * WINDOW_BYTES;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);

  private final Supplier<Instance.Builder> code;
  private final byte[] plan;
  private final Kernels owner;
  private final AtomicBoolean isLent = new AtomicBoolean();

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

  /** Makes a kernel of what the jar has compiled. */
  Kernel(Plan plan, Kernels owner) {
    this(
        plan,
        owner,
        () -> Instance.builder(KernelCode.load()).withMachineFactory(KernelCode::create));
  }

  /** Makes another kernel. */
  Kernel(Plan plan, Kernels owner, Supplier<Instance.Builder> code) {
    this.code = code;
    this.plan = plan.shared();
    this.owner = owner;
  }

  /** Takes the kernel for one call. Returns false if another call has it. */
  boolean tryLend() {
    return !isLent.get() && isLent.compareAndSet(false, true);
  }

  /** Gives the kernel back. It lets go of memory that a long URL took. */
  @Override
  public void close() {
    if (capacity > KEPT_BYTES) {
      stop();
    }
    isLent.set(false);
    owner.wakeNext();
  }

  /** Starts the instance, unless it runs. Throws {@code BAD_OPTION} for a damaged plan. */
  void check() {
    guarded(() -> 0);
  }

  /** Normalizes one URL. Returns its status byte. */
  int normalize(byte[] url) {
    if (!hasRoom(url.length)) {
      return Status.TOO_LONG.ordinal();
    }
    return guarded(() -> normalizeOne(url));
  }

  /** Does the same, and fingerprints the normal form under a key. */
  int fingerprint(byte[] url, byte[] key) {
    if (!hasRoom(url.length)) {
      return Status.TOO_LONG.ordinal();
    }
    return guarded(
        () -> {
          int status = normalizeOne(url);
          fingerprint(1, key);
          return status;
        });
  }

  /** Returns where in a URL, in bytes, the error is that {@link #normalize} gave as status. */
  int errorOffset(byte[] url) {
    if (!hasRoom(url.length)) {
      return url.length;
    }
    return guarded(
        () -> {
          normalizeOne(url);
          return (int) errorOffset.apply()[0];
        });
  }

  /**
   * Normalizes rows of a column from {@code first} up to {@code end}, as many as fit, and fingerprints them unless
   * {@code key} is null. Returns how many were done: at least one, or {@link #NO_ROOM} if the first is too long.
   */
  int normalizeRows(byte[] data, int[] offsets, int first, int end, int maxLength, byte[] key) {
    int begin = offsets[first];
    int length = offsets[first + 1] - begin;
    if (length > maxLength || !hasRoom(length)) {
      return NO_ROOM;
    }
    int last = first + 1;
    while (last < end
        && last - first < ROWS
        && offsets[last + 1] - begin <= WINDOW_BYTES
        && offsets[last + 1] - offsets[last] <= maxLength) {
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

  private int normalizeOne(byte[] url) {
    memory.write(inputStart, url, 0, url.length);
    setInt(inOffsets, 0);
    setInt(inOffsets + 4, url.length);
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

  /** Says whether a URL of so many bytes fits. The kernel gets the memory that it needs, if the heap has it. */
  private boolean hasRoom(int length) {
    return length <= capacity || guarded(() -> reserve(length) ? 1 : 0) == 1;
  }

  /** Runs a call. Throws {@code ENGINE_FAILED} if the kernel stops. */
  private int guarded(IntSupplier call) {
    try {
      if (instance == null) {
        start();
      }
      return call.getAsInt();
    } catch (UrlmillException error) {
      stop();
      throw error;
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError error) {
      stop();
      throw new UrlmillException(
          "ENGINE_FAILED",
          "the kernel stopped (" + error + "), so this call has no result; the next has a new kernel",
          error);
    }
  }

  /** Lets go of the instance and its memory. */
  private void stop() {
    instance = null;
    memory = null;
    normalizeColumn = null;
    fingerprintRows = null;
    errorOffset = null;
    capacity = WINDOW_BYTES;
  }

  private void start() {
    Instance made = made();
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

  /** Makes an instance. A class that failed to load for lack of memory fails again as long as the process lives. */
  private Instance made() {
    try {
      return code.get().withMemoryFactory(FlatMemory::new).build();
    } catch (OutOfMemoryError | LinkageError error) {
      throw new UrlmillException(
          "ENGINE_UNAVAILABLE", "the kernel cannot start (" + error + ")", error);
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
