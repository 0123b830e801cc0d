import type { GatheredSite } from "./site-draft.ts";

/** Counts the UTF-16 units after which a block of texts ends: a string has a greatest length. */
const BLOCK = 1 << 24;

/** Holds texts, none of them empty, as few long ones: a message of a million short ones takes longer. */
interface PackedTexts {
  readonly blocks: readonly string[];
  /** Holds the length of each text, in UTF-16 units. */
  readonly lengths: Int32Array;
}

/** Holds what records say of a site, in a form that is cheap to send to another thread. */
export interface PackedSite extends Omit<GatheredSite, "targets" | "fingerprints"> {
  readonly targets: PackedTexts;
  /** Holds the fingerprints of all captures, one URL after the other. */
  readonly fingerprints: PackedTexts;
  readonly captures: Int32Array;
}

/** Packs what was gathered of a site. `unpackSite` gives it back. */
export function packSite({ targets, fingerprints, ...rest }: GatheredSite): PackedSite {
  const all: string[] = [];
  const captures = Int32Array.from(targets, (_, node) => {
    const known = fingerprints[node];
    if (known === undefined) return 0;
    if (typeof known === "string") return all.push(known) && 1;
    for (const fingerprint of known) all.push(fingerprint);
    return known.length;
  });
  return { ...rest, targets: packTexts(targets), fingerprints: packTexts(all), captures };
}

export function unpackSite({ targets, fingerprints, captures, ...rest }: PackedSite): GatheredSite {
  const all = unpackTexts(fingerprints);
  let from = 0;
  const byUrl = Array.from(captures, (count) => {
    from += count;
    return count === 0 ? undefined : count === 1 ? all[from - 1] : all.slice(from - count, from);
  });
  return { ...rest, targets: unpackTexts(targets), fingerprints: byUrl };
}

function packTexts(texts: readonly string[]): PackedTexts {
  const blocks: string[] = [];
  const lengths = new Int32Array(texts.length);
  for (let from = 0, to = 0; from < texts.length; from = to) {
    for (let units = 0; to < texts.length && units < BLOCK; to++) {
      const { length } = texts[to] as string;
      lengths[to] = length;
      units += length;
    }
    blocks.push(texts.slice(from, to).join(""));
  }
  return { blocks, lengths };
}

function unpackTexts({ blocks, lengths }: PackedTexts): string[] {
  const texts: string[] = [];
  for (const block of blocks) {
    for (let at = 0; at < block.length; ) {
      const length = lengths[texts.length] as number;
      texts.push(block.slice(at, at + length));
      at += length;
    }
  }
  return texts;
}
