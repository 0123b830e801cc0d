package io.github.urlmill;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.runtime.TrapException;

/**
 * Is what the kernel's bytecode calls: for each access to memory, each global, each comparison. It stands in for the class of
 * this name that Chicory's compiler writes, which asks at each turn of a loop whether the thread is interrupted, and
 * compares by a call that no compiler inlines on Java 17. It is short, because HotSpot stops inlining into a method that
 * reaches 8,000 bytes.
 */
final class KernelCodeMachineShaded {
  private KernelCodeMachineShaded() {}

  /** Does nothing: each call of the kernel ends. */
  public static void checkInterruption() {}

  public static int i32_ge_u(int a, int b) {
    return a + Integer.MIN_VALUE >= b + Integer.MIN_VALUE ? 1 : 0;
  }

  public static long readGlobal(int index, Instance instance) {
    return instance.global(index).getValue();
  }

  public static void writeGlobal(long value, int index, Instance instance) {
    instance.global(index).setValue(value);
  }

  public static byte memoryReadByte(int base, int offset, Memory memory) {
    return ((FlatMemory) memory).bytes[address(base, offset)];
  }

  public static short memoryReadShort(int base, int offset, Memory memory) {
    return (short) FlatMemory.SHORTS.get(((FlatMemory) memory).bytes, address(base, offset));
  }

  public static int memoryReadInt(int base, int offset, Memory memory) {
    return (int) FlatMemory.INTS.get(((FlatMemory) memory).bytes, address(base, offset));
  }

  public static long memoryReadLong(int base, int offset, Memory memory) {
    return (long) FlatMemory.LONGS.get(((FlatMemory) memory).bytes, address(base, offset));
  }

  public static void memoryWriteByte(int base, byte value, int offset, Memory memory) {
    ((FlatMemory) memory).bytes[address(base, offset)] = value;
  }

  public static void memoryWriteShort(int base, short value, int offset, Memory memory) {
    FlatMemory.SHORTS.set(((FlatMemory) memory).bytes, address(base, offset), value);
  }

  public static void memoryWriteInt(int base, int value, int offset, Memory memory) {
    FlatMemory.INTS.set(((FlatMemory) memory).bytes, address(base, offset), value);
  }

  public static void memoryWriteLong(int base, long value, int offset, Memory memory) {
    FlatMemory.LONGS.set(((FlatMemory) memory).bytes, address(base, offset), value);
  }

  public static void memoryCopy(int to, int from, int size, Memory memory) {
    memory.copy(to, from, size);
  }

  public static void memoryFill(int from, byte value, int size, Memory memory) {
    memory.fill(value, from, from + size);
  }

  public static int memoryPages(Memory memory) {
    return memory.pages();
  }

  public static int memoryGrow(int size, Memory memory) {
    return memory.grow(size);
  }

  public static long[] callIndirect(long[] args, int type, int function, Instance instance) {
    if (instance.functionType(function) != type) {
      throw throwIndirectCallTypeMismatch();
    }
    return instance.getMachine().call(function, args);
  }

  public static RuntimeException throwCallStackExhausted(StackOverflowError error) {
    throw error;
  }

  public static RuntimeException throwIndirectCallTypeMismatch() {
    return new TrapException("indirect call type mismatch");
  }

  public static RuntimeException throwTrapException() {
    throw new TrapException("unreachable");
  }

  public static RuntimeException throwUnknownFunction(int index) {
    throw new TrapException("unknown function " + index);
  }

  /** Addresses of WebAssembly are unsigned. One past 2 GiB is negative here, so the access throws. */
  private static int address(int base, int offset) {
    return base < 0 ? base : base + offset;
  }
}
