package io.github.urlmill;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import com.dylibso.chicory.runtime.ConstantEvaluators;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.wasm.types.ActiveDataSegment;
import com.dylibso.chicory.wasm.types.DataSegment;
import com.dylibso.chicory.wasm.types.MemoryLimits;
import com.dylibso.chicory.wasm.types.PassiveDataSegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Keeps the memory of a kernel in one array, which the host reads and writes in place. Those of Chicory keep pages of 64
 * KiB: two loads and two checks for each access. An access outside of the array throws, which ends the instance.
 */
final class FlatMemory implements Memory {
  static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, LITTLE_ENDIAN);
  static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);
  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);

  private final MemoryLimits limits;
  private DataSegment[] segments = {};

  /** All of the memory; another array after it grew. */
  byte[] bytes;

  FlatMemory(MemoryLimits limits) {
    this.limits = limits;
    this.bytes = new byte[Memory.bytes(limits.initialPages())];
  }

  @Override
  public int pages() {
    return bytes.length / PAGE_SIZE;
  }

  /** Grows by so many pages; returns how many there were, or -1, and changes nothing, if the heap has no room. */
  @Override
  public int grow(int size) {
    int before = pages();
    if (size < 0 || size > maximumPages() - before) {
      return -1;
    }
    if (size > 0) {
      try {
        bytes = Arrays.copyOf(bytes, Memory.bytes(before + size));
      } catch (OutOfMemoryError error) {
        return -1;
      }
    }
    return before;
  }

  @Override
  public int initialPages() {
    return limits.initialPages();
  }

  @Override
  public int maximumPages() {
    return Math.min(limits.maximumPages(), RUNTIME_MAX_PAGES);
  }

  @Override
  public void initialize(Instance instance, DataSegment[] dataSegments) {
    segments = dataSegments;
    for (DataSegment each : dataSegments) {
      if (each instanceof ActiveDataSegment active) {
        long[] start =
            ConstantEvaluators.computeConstantValue(instance, active.offsetInstructions());
        write((int) start[0], active.data(), 0, active.data().length);
      }
    }
  }

  @Override
  public void initPassiveSegment(int segment, int to, int from, int size) {
    write(to, segments[segment].data(), from, size);
  }

  @Override
  public void drop(int segment) {
    segments[segment] = PassiveDataSegment.EMPTY;
  }

  @Override
  public void write(int at, byte[] data, int from, int size) {
    System.arraycopy(data, from, bytes, at, size);
  }

  @Override
  public byte[] readBytes(int at, int size) {
    byte[] read = new byte[size];
    System.arraycopy(bytes, at, read, 0, size);
    return read;
  }

  @Override
  public byte read(int at) {
    return bytes[at];
  }

  @Override
  public void writeByte(int at, byte value) {
    bytes[at] = value;
  }

  @Override
  public short readShort(int at) {
    return (short) SHORTS.get(bytes, at);
  }

  @Override
  public void writeShort(int at, short value) {
    SHORTS.set(bytes, at, value);
  }

  @Override
  public long readU16(int at) {
    return readShort(at) & 0xffffL;
  }

  @Override
  public int readInt(int at) {
    return (int) INTS.get(bytes, at);
  }

  @Override
  public void writeI32(int at, int value) {
    INTS.set(bytes, at, value);
  }

  @Override
  public long readLong(int at) {
    return (long) LONGS.get(bytes, at);
  }

  @Override
  public void writeLong(int at, long value) {
    LONGS.set(bytes, at, value);
  }

  @Override
  public float readFloat(int at) {
    return Float.intBitsToFloat(readInt(at));
  }

  @Override
  public long readF32(int at) {
    return readInt(at);
  }

  @Override
  public void writeF32(int at, float value) {
    writeI32(at, Float.floatToRawIntBits(value));
  }

  @Override
  public double readDouble(int at) {
    return Double.longBitsToDouble(readLong(at));
  }

  @Override
  public long readF64(int at) {
    return readLong(at);
  }

  @Override
  public void writeF64(int at, double value) {
    writeLong(at, Double.doubleToRawLongBits(value));
  }

  @Override
  public void zero() {
    Arrays.fill(bytes, (byte) 0);
  }

  @Override
  public void fill(byte value, int from, int to) {
    Arrays.fill(bytes, from, to, value);
  }

  @Override
  public void copy(int to, int from, int size) {
    System.arraycopy(bytes, from, bytes, to, size);
  }

  @Override
  public boolean shared() {
    return false;
  }

  // The kernel shares no memory, so nothing waits for it.

  @Deprecated
  @Override
  @SuppressWarnings("removal")
  public Object lock(int address) {
    throw new UnsupportedOperationException();
  }

  @Deprecated
  @Override
  @SuppressWarnings("removal")
  public int waitOn(int address, int expected, long timeout) {
    throw new UnsupportedOperationException();
  }

  @Deprecated
  @Override
  @SuppressWarnings("removal")
  public int waitOn(int address, long expected, long timeout) {
    throw new UnsupportedOperationException();
  }

  @Deprecated
  @Override
  @SuppressWarnings("removal")
  public int notify(int address, int maxThreads) {
    throw new UnsupportedOperationException();
  }
}
