import { OWN_WORDS, SharedWords } from "../../threads/shared-words.ts";

/** Describes the memory of a progress, as plain data for workers. */
export interface ProgressMemory {
  readonly partitions: number;
  readonly slots: number;
  /** Bytes of one fingerprint. */
  readonly width: number;
  readonly slotRows: number;
  /** Says whether a chunk is claimed only after the one before it says how it begins. */
  readonly isChained: boolean;
  readonly words: SharedArrayBuffer;
  readonly totals: SharedArrayBuffer;
  readonly fingerprints: SharedArrayBuffer;
  readonly answers: SharedArrayBuffer;
}

/** Names the totals of all threads. */
export const TOTALS = [
  "lines",
  "located",
  "errors",
  "blocked",
  "tabbed",
  "duplicates",
  "keys",
  "bytesIn",
  "bytesOut",
  "errorBytes",
  "mapBytes",
  // Counted once, if the expected keys have no room.
  "expectedKeys",
  "keyCapacity",
] as const;
/** Holds the totals of all threads. */
export type RunTotals = Record<(typeof TOTALS)[number], number>;

/** Says how a chunk begins if its records may have line ends inside. */
export interface Beginning {
  /** The state of the search for ends of records (`EndSearch`) after the chunk before it. */
  readonly state: number;
  /** The number of bytes before the chunk that belong to its first record. */
  readonly bytesBefore: number;
}

/** Says how the first chunk of a file begins. */
export const AT_FILE_START: Beginning = { state: 0, bytesBefore: 0 };

// All threads share these words. After them are two words for each slot, and one for each partition of a slot.
const WRITTEN = OWN_WORDS;
const CUT = OWN_WORDS + 1;
const KERNEL_LESS = OWN_WORDS + 2;
// The last chunk of which it is known how it begins, and how that is.
const KNOWN = OWN_WORDS + 3;
const STATE = OWN_WORDS + 4;
const BYTES_BEFORE = OWN_WORDS + 5;
const FIRST_SLOT = OWN_WORDS + 6;
/** How the work was stopped. */
const BROKEN = 1;
const INTERRUPTED = 2;
const DOUBTFUL = 3;

/**
 * Shares the progress of threads through atomic words of shared memory. Chunks are claimed and written in order. In
 * between, a slot holds the fingerprints of a chunk, divided into partitions. One thread owns each partition. It adds the
 * fingerprints of all chunks to its set in order, so that the first line wins.
 */
export class SharedProgress extends SharedWords {
  readonly memory: ProgressMemory;
  readonly #totals: BigInt64Array;

  constructor(memory: ProgressMemory) {
    super(memory.words);
    this.memory = memory;
    this.#totals = new BigInt64Array(memory.totals);
  }

  /** Creates the memory for chunks of a size in bytes, with fingerprints of `width` bytes. */
  static allocate(
    partitions: number,
    slots: number,
    chunkBytes: number,
    width: number,
    isChained: boolean,
  ): ProgressMemory {
    // Each line has a fingerprint, an empty one too. The first line begins before its chunk, and the last of a file
    // may lack its LF.
    const slotRows = chunkBytes + 2;
    return {
      partitions,
      slots,
      width,
      slotRows,
      isChained,
      words: new SharedArrayBuffer(4 * (FIRST_SLOT + slots * (2 + partitions))),
      totals: new SharedArrayBuffer(8 * TOTALS.length),
      // The system commits memory only when it is written.
      fingerprints: new SharedArrayBuffer(slots * slotRows * width),
      answers: new SharedArrayBuffer(slots * slotRows),
    };
  }

  /**
   * Claims the next chunk of `count` and returns its number. Returns null after the last chunk, while no slot is free, and
   * while it is not known how a chained chunk begins.
   */
  claim(count: number): number | null {
    const known = this.memory.isChained ? Atomics.load(this.words, KNOWN) + 1 : count;
    return this.claimBelow(Math.min(count, known, this.written + this.memory.slots));
  }

  /** Returns how the chunk begins that is claimed last. Read it before `setNext`. */
  get beginning(): Beginning {
    const { words } = this;
    return { state: words[STATE] as number, bytesBefore: words[BYTES_BEFORE] as number };
  }

  /** Says how the chunk after the claimed one begins, and lets it be claimed. */
  setNext({ state, bytesBefore }: Beginning): void {
    this.words[STATE] = state;
    this.words[BYTES_BEFORE] = bytesBefore;
    Atomics.add(this.words, KNOWN, 1);
    this.raise();
  }

  /**
   * Gives the fingerprints of a chunk to the threads of their partitions. `ends`: the number of fingerprints up to the end
   * of each partition.
   */
  putFingerprints(chunk: number, fingerprints: Uint8Array, ends: Int32Array): void {
    const { partitions } = this.memory;
    this.#fingerprintsOf(chunk).set(fingerprints);
    this.words.set(ends, this.#slot(chunk) + 2);
    Atomics.store(this.words, this.#slot(chunk) + 1, partitions);
    Atomics.store(this.words, this.#slot(chunk), chunk + 1);
    this.raise();
  }

  /** Returns whether the fingerprints of a chunk are ready to be looked up. */
  isReady(chunk: number): boolean {
    return Atomics.load(this.words, this.#slot(chunk)) === chunk + 1;
  }

  /** Returns the fingerprints of one partition of a chunk, and the memory for its answers. */
  partition(chunk: number, partition: number): { fingerprints: Uint8Array; answers: Uint8Array } {
    const { width } = this.memory;
    const ends = this.#slot(chunk) + 2;
    const first = partition === 0 ? 0 : (this.words[ends + partition - 1] as number);
    const end = this.words[ends + partition] as number;
    return {
      fingerprints: this.#fingerprintsOf(chunk).subarray(first * width, end * width),
      answers: this.#answersOf(chunk).subarray(first, end),
    };
  }

  /** Marks the answers of one partition of a chunk as ready. */
  endPartition(chunk: number): void {
    Atomics.sub(this.words, this.#slot(chunk) + 1, 1);
    this.raise();
  }

  /** Returns the answers for all fingerprints of a chunk, or null if some are missing. */
  answers(chunk: number): Uint8Array | null {
    if (Atomics.load(this.words, this.#slot(chunk) + 1) !== 0) return null;
    const ends = this.#slot(chunk) + 2;
    return this.#answersOf(chunk).subarray(0, this.words[ends + this.memory.partitions - 1]);
  }

  /** Returns the number of written chunks. It is also the number of the next chunk to write. */
  get written(): number {
    return Atomics.load(this.words, WRITTEN);
  }

  /** Lets the next chunk be written. */
  endChunk(): void {
    Atomics.add(this.words, WRITTEN, 1);
    this.raise();
  }

  /** Ends the work of all threads at once, because it failed or starts again. */
  stop(): void {
    this.stopBy(BROKEN);
  }

  /** Ends the work of all threads before a record that is doubtful. */
  leave(): void {
    this.stopBy(DOUBTFUL);
  }

  /** Returns whether the work ended before a record that is doubtful. */
  get isLeft(): boolean {
    return this.stoppedBy === DOUBTFUL;
  }

  /** Ends the work of all threads after a whole line. */
  interrupt(): void {
    this.stopBy(INTERRUPTED, true);
  }

  /** Returns whether the work must end after a whole line. */
  get isInterrupted(): boolean {
    return this.stoppedBy === INTERRUPTED;
  }

  /** Notes that a line lacks its end. */
  cut(): void {
    Atomics.store(this.words, CUT, 1);
  }

  /** Returns whether a line lacks its end. */
  get isCut(): boolean {
    return Atomics.load(this.words, CUT) === 1;
  }

  /** Notes that a thread has no kernel, and returns how many have none. */
  lackKernel(): number {
    return Atomics.add(this.words, KERNEL_LESS, 1) + 1;
  }

  /** Adds to the totals. */
  count(done: Partial<RunTotals>): void {
    for (const [at, name] of TOTALS.entries()) {
      const more = done[name];
      if (more !== undefined) Atomics.add(this.#totals, at, BigInt(more));
    }
  }

  /** Returns the totals of all threads so far. */
  get totals(): RunTotals {
    const done = TOTALS.map((name, at) => [name, Number(Atomics.load(this.#totals, at))]);
    return Object.fromEntries(done) as RunTotals;
  }

  #slot(chunk: number): number {
    const { slots, partitions } = this.memory;
    return FIRST_SLOT + (chunk % slots) * (2 + partitions);
  }

  #fingerprintsOf(chunk: number): Uint8Array {
    const { slots, slotRows, width, fingerprints } = this.memory;
    return new Uint8Array(fingerprints, (chunk % slots) * slotRows * width, slotRows * width);
  }

  #answersOf(chunk: number): Uint8Array {
    const { slots, slotRows, answers } = this.memory;
    return new Uint8Array(answers, (chunk % slots) * slotRows, slotRows);
  }
}
