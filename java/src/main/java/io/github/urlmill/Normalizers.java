package io.github.urlmill;

import java.io.Serializable;

/**
 * Gives each thread a normalizer of its own. Threads may share it, and it can be serialized, as functions of Spark and
 * Flink are: what is sent is the plan.
 */
public final class Normalizers implements Serializable {
  private static final long serialVersionUID = 1;

  private final Plan plan;
  private final int maxLength;
  private final transient ThreadLocal<Normalizer> ofThread;

  /** Lets pass what the plan lets pass, as Node and Python do, so that keys of all compare. */
  public Normalizers(Plan plan) {
    this(plan, plan.maxLength());
  }

  /** Takes what {@link Normalizer#Normalizer(Plan, int)} takes; a normalizer is made when a thread first asks. */
  public Normalizers(Plan plan, int maxLength) {
    this.plan = plan;
    this.maxLength = maxLength;
    this.ofThread = ThreadLocal.withInitial(() -> new Normalizer(plan, maxLength));
  }

  /** Returns the normalizer of the calling thread. */
  public Normalizer get() {
    return ofThread.get();
  }

  /** Returns the plan of all of them. */
  public Plan plan() {
    return plan;
  }

  private Object readResolve() {
    return new Normalizers(plan, maxLength);
  }
}
