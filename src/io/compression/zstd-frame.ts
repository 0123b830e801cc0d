import { damaged } from "../io-error.ts";

/** Frames of RFC 8878, section 3.1. Finds where each frame ends, which no decoder here reports. */

const FRAME_MAGIC = 0xfd2fb528;
/** Begins a skippable frame, whose last four bits are free. */
const SKIPPABLE_MAGIC = 0x184d2a50;
const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;
const LARGEST_BLOCK = 1 << 17;
/** Limits the window of a frame, as the zstd command does. This bounds the memory. */
const LARGEST_WINDOW = 1 << 27;

type Part = "magic" | "descriptor" | "header" | "block" | "checksum" | "skippable";

/**
 * Follows one frame through its bytes without decoding them. Throws for bytes that the format does not allow,
 * for dictionaries, and for windows over 128 MiB.
 */
export class ZstdFrame {
  /** Counts the bytes of the content, if the frame says so. */
  contentSize: number | null = null;
  /** Holds the lower half of the content's XXH64, if the frame has it. */
  checksum: number | null = null;
  isDone = false;
  isSkippable = false;
  #part: Part = "magic";
  /** The bytes of the current part so far, and the size of the part. */
  #held: number[] = [];
  #need = 4;
  /** Bytes to skip before the next part. */
  #skip = 0;
  #hasChecksum = false;
  #isLastBlock = false;
  #descriptor = 0;

  /**
   * Takes bytes from `at` on. Returns where it stopped, which is after the frame or at the end of the bytes.
   */
  take(bytes: Uint8Array, at: number): number {
    let position = at;
    while (!this.isDone && position < bytes.length) {
      if (this.#skip > 0) {
        const passed = Math.min(this.#skip, bytes.length - position);
        position += passed;
        this.#skip -= passed;
        if (this.#skip === 0) this.#endContent();
        continue;
      }
      this.#held.push(bytes[position++] as number);
      if (this.#held.length === this.#need) this.#endPart();
    }
    return position;
  }

  #endPart(): void {
    const held = Buffer.from(this.#held);
    this.#held = [];
    switch (this.#part) {
      case "magic":
        this.#readMagic(held.readUInt32LE());
        break;
      case "descriptor":
        this.#readDescriptor(held[0] as number);
        break;
      case "header":
        this.#readHeader(held);
        break;
      case "block":
        this.#readBlock(held.readUIntLE(0, 3));
        break;
      case "checksum":
        this.checksum = held.readUInt32LE();
        this.isDone = true;
        break;
      case "skippable":
        this.#skip = held.readUInt32LE();
        this.isDone = this.#skip === 0;
    }
  }

  #readMagic(magic: number): void {
    this.isSkippable = (magic & ~0xf) >>> 0 === SKIPPABLE_MAGIC;
    if (!this.isSkippable && magic !== FRAME_MAGIC)
      throw damaged("a frame has a wrong magic number");
    this.#expect(this.isSkippable ? "skippable" : "descriptor", this.isSkippable ? 4 : 1);
  }

  #readDescriptor(descriptor: number): void {
    if ((descriptor & 0x08) !== 0) throw damaged("a reserved bit is set");
    this.#descriptor = descriptor;
    this.#hasChecksum = (descriptor & 0x04) !== 0;
    const { window, dictionary, content } = this.#sizes();
    // A frame without any of these has its content's size in one byte, so there is always at least one byte.
    this.#expect("header", window + dictionary + content);
  }

  /** Returns the bytes of each field of the header. */
  #sizes(): { window: number; dictionary: number; content: number } {
    const isSingle = (this.#descriptor & 0x20) !== 0;
    return {
      window: isSingle ? 0 : 1,
      dictionary: [0, 1, 2, 4][this.#descriptor & 3] as number,
      content: [isSingle ? 1 : 0, 2, 4, 8][this.#descriptor >> 6] as number,
    };
  }

  #readHeader(header: Buffer): void {
    const { window, dictionary, content } = this.#sizes();
    if (dictionary > 0 && header.readUIntLE(window, dictionary) !== 0) {
      throw new Error("its compressed data take a dictionary; compress it without one");
    }
    const at = window + dictionary;
    if (content === 8) this.contentSize = Number(header.readBigUInt64LE(at));
    else if (content > 0)
      this.contentSize = header.readUIntLE(at, content) + (content === 2 ? 256 : 0);
    const bytes = window === 0 ? (this.contentSize as number) : windowSize(header[0] as number);
    if (bytes > LARGEST_WINDOW) {
      throw new Error(
        "its compressed data take a window of more than 128 MiB; compress it with less",
      );
    }
    this.#expect("block", 3);
  }

  #readBlock(header: number): void {
    const type = (header >> 1) & 3;
    if (type === RESERVED_BLOCK) throw damaged("a block is of an unknown type");
    const bytes = header >> 3;
    if (bytes > LARGEST_BLOCK) throw damaged("a block is too long");
    this.#isLastBlock = (header & 1) === 1;
    this.#skip = type === RLE_BLOCK ? 1 : bytes;
    if (this.#skip === 0) this.#endContent();
  }

  /** Chooses what comes after the content of a block, or of a skippable frame. */
  #endContent(): void {
    if (this.isSkippable) this.isDone = true;
    else if (!this.#isLastBlock) this.#expect("block", 3);
    else if (this.#hasChecksum) this.#expect("checksum", 4);
    else this.isDone = true;
  }

  #expect(part: Part, bytes: number): void {
    this.#part = part;
    this.#need = bytes;
  }
}

/** Returns the size of a window by its descriptor: an exponent and eighths. */
function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}
