/** Counts the bytes of a length, of a reference and of each cell that is written. */
export const WORD = 4;

/** FlatBuffers align their widest numbers to so many bytes. */
const ALIGNMENT = 8;

/** Names a place in the bytes of another FlatBuffer. */
export interface OldPlace {
  readonly old: number;
}

/**
 * Writes parts of a FlatBuffer that come before the bytes of another one and point into them: a reference always points to what
 * comes later.
 */
export class FlatParts {
  /** Holds all parts; the first word points to the root. */
  readonly #words: number[] = [0];
  readonly #references: { readonly from: number; readonly old: number }[] = [];

  /** Appends a table and returns its offset. A cell of null is absent; 0 also stands for a reference that `point` sets. */
  table(cells: readonly (number | OldPlace | null)[]): number {
    const vtable = this.#end;
    const sizes = [2 * (2 + cells.length), WORD * (1 + cells.length)];
    const places = cells.map((cell, number) => (cell === null ? 0 : WORD * (1 + number)));
    const shorts = [...sizes, ...places];
    for (let at = 0; at < shorts.length; at += 2) {
      this.#append((shorts[at] as number) + 0x10000 * (shorts[at + 1] ?? 0));
    }
    const table = this.#end;
    this.#append(table - vtable);
    for (const cell of cells) this.#append(cell ?? 0);
    return table;
  }

  /** Appends a list and returns its offset. */
  list(items: readonly (number | OldPlace)[]): number {
    const list = this.#end;
    this.#append(items.length);
    for (const item of items) this.#append(item);
    return list;
  }

  /** Appends a text and returns its offset. */
  text(text: string): number {
    const bytes = Buffer.from(text);
    const start = this.#end;
    this.#append(bytes.length);
    // A zero ends it.
    const padded = Buffer.concat([bytes, Buffer.alloc(WORD - (bytes.length % WORD))]);
    for (let at = 0; at < padded.length; at += WORD) this.#append(padded.readUInt32LE(at));
    return start;
  }

  /** Lets the word at an offset refer to a part. */
  point(from: number, to: number): void {
    this.#words[from / WORD] = to - from;
  }

  /** Lets a cell of a table refer to a part. */
  pointCell(table: number, cell: number, to: number): void {
    this.point(table + WORD * (1 + cell), to);
  }

  /** Returns all parts, and the other FlatBuffer after them. */
  before(old: Uint8Array): Buffer {
    const start = Math.ceil(this.#end / ALIGNMENT) * ALIGNMENT;
    for (const { from, old: place } of this.#references) this.point(from, start + place);
    const parts = Buffer.alloc(start);
    const view = new DataView(parts.buffer, parts.byteOffset, start);
    for (const [at, word] of this.#words.entries()) view.setUint32(WORD * at, word, true);
    return Buffer.concat([parts, old]);
  }

  get #end(): number {
    return WORD * this.#words.length;
  }

  #append(word: number | OldPlace): void {
    if (typeof word === "object") this.#references.push({ from: this.#end, old: word.old });
    this.#words.push(typeof word === "object" ? 0 : word);
  }
}

/** Returns where a cell of a table is; null if it is absent. */
export function placeOf(bytes: Buffer, table: number, cell: number): number | null {
  const vtable = table - bytes.readInt32LE(table);
  const at = 2 * (2 + cell);
  const place = at < bytes.readUInt16LE(vtable) ? bytes.readUInt16LE(vtable + at) : 0;
  return place === 0 ? null : table + place;
}

/** Returns what a word refers to. */
export function targetOf(bytes: Buffer, place: number): number {
  return place + bytes.readUInt32LE(place);
}
