/** The word that says whether the answer is there. */
const STATE = 0;
const WAITING = 0;
const GIVEN = 1;
const REFUSED = 2;
/** Bytes of the words before the answer. */
const WORDS = 4;

/** Holds the answer of the set of keys to the lookups of a row group, in memory that a worker shares. */
export class SharedAnswer {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;

  /** `memory`: what `memoryFor` returned, or the memory of such an object on another thread. */
  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.#words = new Int32Array(memory, 0, 1);
  }

  static memoryFor(lookups: number): SharedArrayBuffer {
    return new SharedArrayBuffer(WORDS + lookups);
  }

  /** Gives a byte for each lookup. */
  give(answers: Uint8Array): void {
    new Uint8Array(this.memory, WORDS).set(answers);
    this.#end(GIVEN);
  }

  /** Says that there will be no answer, because the set has no room. */
  refuse(): void {
    this.#end(REFUSED);
  }

  /** Waits for the answer, and returns a byte for each lookup. Returns null if it was refused. */
  wait(): Uint8Array | null {
    Atomics.wait(this.#words, STATE, WAITING);
    return Atomics.load(this.#words, STATE) === GIVEN ? new Uint8Array(this.memory, WORDS) : null;
  }

  #end(state: number): void {
    Atomics.store(this.#words, STATE, state);
    Atomics.notify(this.#words, STATE);
  }
}
