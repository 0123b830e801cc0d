import { FOR_ALL_BELOW, FOR_HOST, HAS_BELOW } from "./host-bits.ts";
import { hashHost } from "./host-hash.ts";

/** The most bytes of a host. */
export const LONGEST_HOST = 65535;

/** Words of a slot: the hash, and the place of the entry in `texts`; 0 if the slot is empty. */
const SLOT = 2;
/** Slots of an empty table, as a power of two. */
const FIRST_BITS = 10;
/** Bytes before the text of an entry: its bits, and the length of the text. */
const HEAD = 3;
/** The share of slots that may be full. */
const FULL = 0.7;
/** Entries for each word of the filter, at the most. */
const PER_WORD = 4;
/** Where the table begins in shared memory. The static data of the list kernel are before it. */
const BEGIN = 65536;
const PAGE = 65536;
/** The most pages that a memory can have. */
const MOST_PAGES = 65536;

/** Holds the hosts of lists in memory that threads share. Places are in bytes. */
export interface HostTableMemory {
  readonly buffer: SharedArrayBuffer;
  /** The same memory, for the list kernel. Null if the kernel does not run. */
  readonly memory: WebAssembly.Memory | null;
  readonly slotsAt: number;
  /** The number of slots, as a power of two. */
  readonly slotBits: number;
  /** Three bits of a word for each entry, so that most hosts need no look into the slots. */
  readonly filterAt: number;
  /** The words of the filter, as a power of two. */
  readonly wordBits: number;
  /** The entries: bits, length in two bytes, text. */
  readonly textsAt: number;
  /** Says whether one of the hosts is a single label, such as `localhost` or a top-level domain. */
  readonly hasLabels: boolean;
}

export class HostTableBuilder {
  #slotBits = FIRST_BITS;
  #slots = new Uint32Array(SLOT << FIRST_BITS);
  #texts = Buffer.alloc(1 << 12);
  // The first place is 1, because 0 is an empty slot.
  #end = 1;
  #count = 0;
  #hasLabels = false;

  /** Adds the bits of an entry for a host, a byte string. */
  add(host: string, bits: number): void {
    const base = baseStart(host);
    if (base < 0) this.#hasLabels = true;
    if (base > 0) this.#add(host.slice(base), HAS_BELOW);
    this.#add(host, bits);
  }

  #add(host: string, bits: number): void {
    const hash = hashHost(host, 0, host.length);
    const slot = this.#slotOf(hash, host);
    const place = this.#slots[slot + 1] as number;
    if (place !== 0) {
      this.#texts[place] = (this.#texts[place] as number) | bits;
      return;
    }
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = this.#append(host, bits);
    if (++this.#count > FULL * 2 ** this.#slotBits) this.#grow();
  }

  /** Returns where the slot of a host begins. It is empty if the host is not there. */
  #slotOf(hash: number, host: string): number {
    const slots = this.#slots;
    let slot = firstSlot(hash, this.#slotBits);
    for (; slots[slot + 1] !== 0; slot = nextSlot(slot, slots.length)) {
      if (slots[slot] === hash && this.#hasText(slots[slot + 1] as number, host)) break;
    }
    return slot;
  }

  #hasText(place: number, host: string): boolean {
    if (this.#texts.readUInt16LE(place + 1) !== host.length) return false;
    const start = place + HEAD;
    return this.#texts.toString("latin1", start, start + host.length) === host;
  }

  #append(host: string, bits: number): number {
    const place = this.#end;
    this.#end += HEAD + host.length;
    if (this.#end > this.#texts.length) {
      const texts = Buffer.alloc(2 * this.#end);
      texts.set(this.#texts);
      this.#texts = texts;
    }
    this.#texts[place] = bits;
    this.#texts.writeUInt16LE(host.length, place + 1);
    this.#texts.write(host, place + HEAD, "latin1");
    return place;
  }

  #grow(): void {
    const before = this.#slots;
    const slots = new Uint32Array(2 * before.length);
    this.#slotBits++;
    for (let at = 0; at < before.length; at += SLOT) {
      if (before[at + 1] === 0) continue;
      let slot = firstSlot(before[at] as number, this.#slotBits);
      while (slots[slot + 1] !== 0) slot = nextSlot(slot, slots.length);
      slots[slot] = before[at] as number;
      slots[slot + 1] = before[at + 1] as number;
    }
    this.#slots = slots;
  }

  /** Returns the table. Nothing may be added afterwards. `hasKernel`: whether the list kernel reads it. */
  finish(hasKernel: boolean): HostTableMemory {
    const wordBits = Math.ceil(Math.log2(Math.max(2, this.#count / PER_WORD)));
    const filterAt = BEGIN + this.#slots.byteLength;
    const textsAt = filterAt + 4 * 2 ** wordBits;
    const { buffer, memory } = allocate(textsAt + this.#end, hasKernel);
    new Uint32Array(buffer, BEGIN, this.#slots.length).set(this.#slots);
    new Uint8Array(buffer, textsAt).set(this.#texts.subarray(0, this.#end));
    const filter = new Uint32Array(buffer, filterAt, 2 ** wordBits);
    for (let at = 0; at < this.#slots.length; at += SLOT) {
      if (this.#slots[at + 1] === 0) continue;
      const hash = this.#slots[at] as number;
      const word = filterWord(hash, wordBits);
      filter[word] = (filter[word] as number) | filterBits(hash);
    }
    const slotBits = this.#slotBits;
    const hasLabels = this.#hasLabels;
    return { buffer, memory, slotsAt: BEGIN, slotBits, filterAt, wordBits, textsAt, hasLabels };
  }
}

/** Returns memory that threads share, for the list kernel if the platform has it. */
function allocate(
  bytes: number,
  hasKernel: boolean,
): Pick<HostTableMemory, "buffer"> & { memory: WebAssembly.Memory | null } {
  const memory = hasKernel ? kernelMemory(Math.ceil(bytes / PAGE)) : null;
  if (memory === null) return { buffer: new SharedArrayBuffer(bytes), memory };
  return { buffer: memory.buffer as unknown as SharedArrayBuffer, memory };
}

function kernelMemory(initial: number): WebAssembly.Memory | null {
  try {
    return new WebAssembly.Memory({ initial, maximum: MOST_PAGES, shared: true });
  } catch (error) {
    // The platform has no address space for it. JavaScript finds the same.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Finds hosts in JavaScript. The twin is assembly/lists/hosts.ts. */
export class HostTable {
  readonly #slotBits: number;
  readonly #slots: Uint32Array;
  readonly #wordBits: number;
  readonly #filter: Uint32Array;
  readonly #texts: Buffer;

  constructor({ buffer, slotsAt, slotBits, filterAt, wordBits, textsAt }: HostTableMemory) {
    this.#slotBits = slotBits;
    this.#slots = new Uint32Array(buffer, slotsAt, SLOT * 2 ** slotBits);
    this.#wordBits = wordBits;
    this.#filter = new Uint32Array(buffer, filterAt, 2 ** wordBits);
    this.#texts = Buffer.from(buffer, textsAt);
  }

  /**
   * Returns the bits of all entries for a host, a byte string: of itself and of the hosts above it, of which only
   * BELOW counts.
   */
  bitsOf(host: string): number {
    let bits = this.#bitsOfEnding(host, 0) & FOR_HOST;
    for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) {
      bits |= this.#bitsOfEnding(host, dot + 1) & FOR_ALL_BELOW;
    }
    return bits;
  }

  #bitsOfEnding(host: string, start: number): number {
    if (start === host.length) return 0;
    const hash = hashHost(host, start, host.length);
    if (!this.#mayHave(hash)) return 0;
    const slots = this.#slots;
    let slot = firstSlot(hash, this.#slotBits);
    for (; slots[slot + 1] !== 0; slot = nextSlot(slot, slots.length)) {
      const place = slots[slot + 1] as number;
      if (slots[slot] !== hash || !this.#isText(place, host, start)) continue;
      return this.#texts[place] as number;
    }
    return 0;
  }

  /** Returns whether a hash may be of an entry. Wrong for few of a hundred hashes. */
  #mayHave(hash: number): boolean {
    const bits = filterBits(hash);
    return ((this.#filter[filterWord(hash, this.#wordBits)] as number) & bits) === bits;
  }

  #isText(place: number, host: string, start: number): boolean {
    if (this.#texts.readUInt16LE(place + 1) !== host.length - start) return false;
    const text = place + HEAD;
    return this.#texts.toString("latin1", text, text + host.length - start) === host.slice(start);
  }
}

/** Returns where the last two labels of a host begin; -1 if it has only one. */
function baseStart(host: string): number {
  const dot = host.lastIndexOf(".");
  return dot <= 0 ? dot : host.lastIndexOf(".", dot - 1) + 1;
}

/** Returns where the first slot for a hash begins. */
function firstSlot(hash: number, slotBits: number): number {
  return (Math.imul(hash, 0x85ebca6b) >>> (32 - slotBits)) * SLOT;
}

function nextSlot(slot: number, words: number): number {
  return slot + SLOT === words ? 0 : slot + SLOT;
}

function filterWord(hash: number, wordBits: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - wordBits);
}

/** Returns the three bits of a hash in its word. */
function filterBits(hash: number): number {
  return (1 << (hash >>> 1)) | (1 << (hash >>> 6)) | (1 << (hash >>> 11));
}
