package io.github.urlmill;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lends the kernels of one plan to calls of any threads, each to one call at a time. A kernel starts when a call finds no
 * other free. A call waits while as many as the limit are in use.
 */
final class Kernels {
  /** Has an entry for each plan that a normalizer has. */
  private static final Map<Plan, WeakReference<Kernels>> SHARED = new WeakHashMap<>();

  /** Keeps the entry alive, whose key it is. */
  private final Plan plan;

  private final Kernel[] kernels;
  private final AtomicInteger waiting = new AtomicInteger();
  private final Semaphore wakes = new Semaphore(0);

  /** Kernels before this one have been used. Calls take one of these if they can. */
  private volatile int used = 1;

  Kernels(Plan plan, int limit) {
    this.plan = plan;
    this.kernels = new Kernel[limit];
    for (int at = 0; at < limit; at++) {
      kernels[at] = new Kernel(plan, this);
    }
  }

  /** Returns the kernels that all normalizers with an equal plan share, as many as there are processors. */
  static Kernels of(Plan plan) {
    synchronized (SHARED) {
      WeakReference<Kernels> known = SHARED.get(plan);
      Kernels kernels = known == null ? null : known.get();
      if (kernels == null) {
        kernels = new Kernels(plan, Runtime.getRuntime().availableProcessors());
        SHARED.remove(plan);
        SHARED.put(plan, new WeakReference<>(kernels));
      }
      return kernels;
    }
  }

  /** Lends a kernel, which is given back by its {@code close}. An interrupted thread waits as any other. */
  Kernel lend() {
    Kernel kernel = find();
    return kernel == null ? await() : kernel;
  }

  /** Returns a kernel that no call uses, or null. Threads begin their search at different ones. */
  private Kernel find() {
    int begun = used;
    int first = Math.floorMod(Thread.currentThread().getId(), begun);
    for (int at = first; at < first + begun; at++) {
      Kernel kernel = kernels[at < begun ? at : at - begun];
      if (kernel.tryLend()) {
        return kernel;
      }
    }
    for (int at = begun; at < kernels.length; at++) {
      if (kernels[at].tryLend()) {
        used = at + 1;
        return kernels[at];
      }
    }
    return null;
  }

  private Kernel await() {
    // Counted before it looks again: whoever gives a kernel back after that look sees it.
    waiting.incrementAndGet();
    try {
      Kernel kernel;
      while ((kernel = find()) == null) {
        wakes.acquireUninterruptibly();
      }
      return kernel;
    } finally {
      waiting.decrementAndGet();
      wakeNext();
    }
  }

  /** Wakes a call that waits, if none is on its way. One that got a kernel wakes the next. */
  void wakeNext() {
    if (waiting.get() > 0 && wakes.availablePermits() == 0) {
      wakes.release();
    }
  }
}
