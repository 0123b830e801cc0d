/*
 * Makes the table of table.ts from the texts that tools/pack-unicode.mjs writes. A text is a list of numbers,
 * five bits in each character, the low bits first. A character in the second half of DIGITS means that more
 * characters of the number follow.
 */

/** Holds a packed table. */
export interface PackedTable {
  /**
   * The distinct flags 0 to 17. Then `runs` says which of them each run of code points has, and `runLengths`
   * its length less 1.
   */
  readonly kinds: string;
  readonly runs: string;
  readonly runLengths: string;
  /** The number of code points that each mapped one becomes; 0 if that is its NFKC. */
  readonly lengths: string;
  /**
   * The target of each code point mapped to one: its distance, as the difference from the distance before.
   */
  readonly singles: string;
  /** The targets of each code point mapped to several. */
  readonly strings: string;
  /**
   * The composites of NFC: twice the difference from the one before, plus 1 if `parts` has the two code
   * points that it is made of.
   */
  readonly composites: string;
  readonly parts: string;
}

const LAST = 0x10ffff;
const MAPPED = 1;
/** Code points in a leaf, leaves in a middle block. */
const LEAF = 16;
const MIDDLE = 64;
const IN_STRINGS = 1 << 18;

/** Returns the bytes of a table, laid out as table.ts says. */
export function unpackTable(packed: PackedTable): Uint8Array<ArrayBuffer> {
  const pairs = readPairs(packed);
  const { ids, records, strings } = readCodePoints(packed, derivedFlags(pairs));
  const [leaves, leafIndex] = share(ids, LEAF);
  const [middles, middleIndex] = share(leafIndex, MIDDLE);
  const byParts = pairs.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const places = new Map(byParts.map((pair, place) => [pair[2], place]));
  return joinParts([
    Uint16Array.from(middleIndex),
    Uint16Array.from(middles),
    Uint16Array.from(leaves),
    Uint32Array.from(records),
    Uint16Array.from(strings),
    Uint32Array.from(byParts.flat()),
    Uint16Array.from(pairs, (pair) => places.get(pair[2]) as number),
  ]);
}

type Pair = [first: number, second: number, composite: number];

/*
 * Normalization forms of assigned characters never change (Unicode stability policy). So the platform is
 * asked for those of characters in Unicode 13, which it must know. If it does not, the hash of the table
 * differs.
 */
function readPairs({ composites, parts }: PackedTable): Pair[] {
  const nextComposite = numbersOf(composites);
  const nextPart = numbersOf(parts);
  const pairs: Pair[] = [];
  let composite = 0;
  for (let step = nextComposite(); step >= 0; step = nextComposite()) {
    composite += step >> 1;
    if ((step & 1) === 1) pairs.push([nextPart(), nextPart(), composite]);
    else {
      const characters = [...String.fromCodePoint(composite).normalize("NFD")];
      const second = characters.pop() as string;
      pairs.push([codeOf(characters.join("").normalize("NFC")), codeOf(second), composite]);
    }
  }
  return pairs;
}

function codeOf(text: string): number {
  return text.codePointAt(0) as number;
}

/** Computes flags 19 to 22 of valid code points from the other flags and from the pairs. */
interface Derived {
  /** Returns all flags of a code point: `flags`, and flags 19 to 22. */
  readonly flagsOf: (code: number, flags: number) => number;
  /** Marks the code points whose flags do not follow from their other flags alone. */
  readonly isSpecial: Uint8Array;
}

function derivedFlags(pairs: readonly Pair[]): Derived {
  const parts = new Map(pairs.map(([first, , composite]) => [composite, first]));
  const seconds = new Set(pairs.map(([, second]) => second));
  const firstOf = (code: number): number => {
    const part = parts.get(code);
    return part === undefined ? code : firstOf(part);
  };
  const isSpecial = new Uint8Array(LAST + 1);
  for (const [, second, composite] of pairs) isSpecial[second] = isSpecial[composite] = 1;
  isSpecial.fill(1, 0x1161, 0x11c3);
  isSpecial.fill(1, 0x200c, 0x200e);
  const flagsOf = (code: number, flags: number): number => {
    const isJamo = (code >= 0x1161 && code <= 0x1175) || (code >= 0x11a8 && code <= 0x11c2);
    const composes = isJamo || seconds.has(firstOf(code));
    const bidi = (flags >> 6) & 15;
    const isRightToLeft = bidi >= 2 && bidi <= 4;
    const isJoiner = code === 0x200c || code === 0x200d;
    const hasContext = composes || ((flags >> 10) & 0xff) !== 0 || (flags & 4) !== 0 || isJoiner;
    return (
      flags |
      (Number(composes) << 19) |
      (Number(isRightToLeft) << 20) |
      (Number(parts.has(code)) << 21) |
      (Number(hasContext) << 22)
    );
  };
  return { flagsOf, isSpecial };
}

interface CodePoints {
  /** The record of each code point. */
  readonly ids: Uint16Array;
  readonly records: readonly number[];
  readonly strings: readonly number[];
}

function readCodePoints(
  { kinds, runs, runLengths, lengths, singles, strings: texts }: PackedTable,
  { flagsOf, isSpecial }: Derived,
): CodePoints {
  const ids = new Uint16Array(LAST + 1);
  const records: number[] = [];
  const recordIds = new Map<number, number>();
  const idOf = (flags: number, value: number): number => {
    const key = flags * 2 ** 32 + value;
    const known = recordIds.get(key);
    if (known !== undefined) return known;
    recordIds.set(key, recordIds.size);
    return (records.push(flags, value) >> 1) - 1;
  };
  const mapping = mappings(lengths, singles, texts);
  const nextKind = numbersOf(kinds);
  const flagsOfKind: number[] = [];
  for (let kind = nextKind(); kind >= 0; kind = nextKind()) flagsOfKind.push(kind);
  const nextRun = numbersOf(runs);
  const nextLength = numbersOf(runLengths);
  for (let start = 0; start <= LAST; ) {
    const kind = flagsOfKind[nextRun()] as number;
    const end = start + nextLength() + 1;
    const status = kind & 3;
    if (status > MAPPED) ids.fill(idOf(kind, 0), start, end);
    let plain = -1;
    for (let code = start; code < end && status <= MAPPED; code++) {
      if (status === MAPPED) ids[code] = idOf(...mapping.next(code, kind));
      else if (isSpecial[code] === 1) ids[code] = idOf(flagsOf(code, kind), 0);
      else {
        if (plain < 0) plain = idOf(flagsOf(code, kind), 0);
        ids[code] = plain;
      }
    }
    start = end;
  }
  return { ids, records, strings: mapping.strings };
}

/** Reads what mapped code points become, in their order, as flags and value of a record. */
function mappings(lengths: string, singles: string, texts: string) {
  const nextLength = numbersOf(lengths);
  const nextSingle = numbersOf(singles);
  const nextOfText = numbersOf(texts);
  const strings: number[] = [];
  const offsets = new Map<string, number>();
  let shift = 0;
  const next = (code: number, flags: number): [flags: number, value: number] => {
    const length = nextLength();
    if (length === 1) {
      shift += signed(nextSingle());
      return [flags, shift >>> 0];
    }
    const text =
      length === 0
        ? String.fromCodePoint(code).normalize("NFKC")
        : String.fromCodePoint(...Array.from({ length }, nextOfText));
    if ([...text].length === 1) return [flags, (codeOf(text) - code) >>> 0];
    const offset = offsets.get(text) ?? strings.length;
    if (!offsets.has(text)) {
      offsets.set(text, offset);
      for (let at = 0; at < text.length; at++) strings.push(text.charCodeAt(at));
    }
    return [flags | IN_STRINGS, ((offset << 8) | text.length) >>> 0];
  };
  return { strings, next };
}

/**
 * Cuts values into blocks and stores equal blocks once. Returns the blocks, and which block is at each place.
 */
function share(values: ArrayLike<number>, size: number): [blocks: number[], index: number[]] {
  const blocks: number[] = [];
  const known = new Map<string, number>();
  const index: number[] = [];
  const isSame = (at: number, block: number): boolean => {
    for (let i = 0; i < size; i++) if (values[at + i] !== blocks[block * size + i]) return false;
    return true;
  };
  for (let at = 0; at < values.length; at += size) {
    let block = index.at(-1);
    if (block === undefined || !isSame(at, block)) {
      const key = Array.from({ length: size }, (_, i) => values[at + i]).join();
      block = known.get(key);
      if (block === undefined) {
        block = known.size;
        known.set(key, block);
        for (let i = 0; i < size; i++) blocks.push(values[at + i] as number);
      }
    }
    index.push(block);
  }
  return [blocks, index];
}

/** Joins parts at multiples of 4, after a header of their offsets and lengths. */
function joinParts(parts: readonly (Uint16Array | Uint32Array)[]): Uint8Array<ArrayBuffer> {
  const header = new Uint32Array(2 * parts.length);
  let end = header.byteLength;
  for (const [index, { byteLength }] of parts.entries()) {
    header.set([end, byteLength], 2 * index);
    end += (byteLength + 3) & ~3;
  }
  const bytes = new Uint8Array(end);
  bytes.set(new Uint8Array(header.buffer));
  for (const [index, { buffer }] of parts.entries()) {
    bytes.set(new Uint8Array(buffer), header[2 * index]);
  }
  return bytes;
}

/** Returns a hash (FNV-1a by words) that tells one table from another. */
export function hashOf(bytes: Uint8Array<ArrayBuffer>): number {
  let hash = 0x811c9dc5;
  for (const word of new Uint32Array(bytes.buffer)) hash = Math.imul(hash ^ word, 0x01000193);
  return hash >>> 0;
}

/** Returns a function that returns the numbers of a text, one at each call, then -1. */
function numbersOf(text: string): () => number {
  let at = 0;
  return () => {
    if (at === text.length) return -1;
    let value = 0;
    for (let bit = 0; ; bit += 5) {
      const digit = digitOf(text.charCodeAt(at++));
      value |= (digit & 31) << bit;
      if (digit < 32) return value;
    }
  };
}

/** Returns the value of a character: A to Z, a to z, 0 to 9, + and /. */
function digitOf(code: number): number {
  if (code >= 0x61) return code - 71;
  if (code >= 0x41) return code - 65;
  if (code >= 0x30) return code + 4;
  return code === 0x2b ? 62 : 63;
}

function signed(value: number): number {
  return value & 1 ? -(value + 1) / 2 : value / 2;
}
