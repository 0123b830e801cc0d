// Packs the data of code points into the texts that src/url/idna/unpack.ts reads: numbers in base 32, small
// ones in one character. Compressed, they take a third of the table.
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const LAST = 0x10ffff;
const MAPPED = 1;

/**
 * Returns the texts by name. `kindOf` returns the flags 0 to 17 of a code point, `mappingOf` the text that a
 * mapped one becomes. `pairs` are those of NFC: first, second, composite. `isOld` tells which code points
 * every platform knows. Their normalization forms never change (Unicode stability policy), so the platform
 * can be asked for them.
 */
export function pack({ kindOf, mappingOf, pairs, isOld }) {
  const runs = runsOf(kindOf);
  const counts = new Map();
  for (const { kind } of runs) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts.keys()].toSorted((a, b) => counts.get(b) - counts.get(a) || a - b);
  const texts = { lengths: "", singles: "", strings: "" };
  let shift = 0;
  for (let code = 0; code <= LAST; code++) {
    if ((kindOf(code) & 3) !== MAPPED) continue;
    const mapped = mappingOf(code);
    const codes = [...mapped].map((character) => character.codePointAt(0));
    const isNfkc = isOld(code) && String.fromCodePoint(code).normalize("NFKC") === mapped;
    texts.lengths += isNfkc ? digits(0) : digits(codes.length);
    if (isNfkc) continue;
    if (codes.length > 1) texts.strings += codes.map(digits).join("");
    else {
      texts.singles += signed(codes[0] - code - shift);
      shift = codes[0] - code;
    }
  }
  return {
    kinds: kinds.map(digits).join(""),
    runs: runs.map(({ kind }) => digits(kinds.indexOf(kind))).join(""),
    runLengths: runs.map(({ length }) => digits(length - 1)).join(""),
    ...texts,
    ...packPairs(pairs, isOld),
  };
}

/** Returns the runs of code points with equal flags. */
function runsOf(kindOf) {
  const runs = [];
  for (let code = 0; code <= LAST; code++) {
    const last = runs.at(-1);
    if (last?.kind === kindOf(code)) last.length++;
    else runs.push({ kind: kindOf(code), length: 1 });
  }
  return runs;
}

/**
 * Packs pairs by composite: the distance from the one before, and the parts of those that a platform may not
 * know.
 */
function packPairs(pairs, isOld) {
  const texts = { composites: "", parts: "" };
  let last = 0;
  for (const [first, second, composite] of pairs.toSorted((a, b) => a[2] - b[2])) {
    texts.composites += digits(2 * (composite - last) + (isOld(composite) ? 0 : 1));
    last = composite;
    if (!isOld(composite)) texts.parts += digits(first) + digits(second);
  }
  return texts;
}

function signed(value) {
  return digits(value < 0 ? -2 * value - 1 : 2 * value);
}

function digits(value) {
  const rest = value >>> 5;
  const digit = value & 31;
  return rest === 0 ? DIGITS[digit] : DIGITS[digit + 32] + digits(rest);
}
