// Packs what is known of code points to the texts that src/url/idna/unpack.ts reads: numbers in base 32, small ones in
// one character, which compress to a third of the table.
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const LAST = 0x10ffff;
const MAPPED = 1;

/**
 * Returns the texts by name. `kindOf` gives the flags 0 to 17 of a code point, `mappingOf` what a mapped one becomes;
 * `pairs` are those of NFC: first, second, composite.
 */
export function pack({ kindOf, mappingOf, pairs }) {
  const runs = runsOf(kindOf);
  const counts = new Map();
  for (const { kind } of runs) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts.keys()].toSorted((a, b) => counts.get(b) - counts.get(a) || a - b);
  const texts = { lengths: "", singles: "", strings: "" };
  let shift = 0;
  for (let code = 0; code <= LAST; code++) {
    if ((kindOf(code) & 3) !== MAPPED) continue;
    const codes = [...mappingOf(code)].map((character) => character.codePointAt(0));
    texts.lengths += digits(codes.length - 1);
    if (codes.length > 1) texts.strings += codes.map(digits).join("");
    else if (isCompatibilityIdeograph(code)) checkPlatform(code, codes[0]);
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
    ...packPairs(pairs),
  };
}

/** Runs of code points with equal flags. */
function runsOf(kindOf) {
  const runs = [];
  for (let code = 0; code <= LAST; code++) {
    const last = runs.at(-1);
    if (last?.kind === kindOf(code)) last.length++;
    else runs.push({ kind: kindOf(code), length: 1 });
  }
  return runs;
}

/** Pairs by composite, each number as the difference from the one before. */
function packPairs(pairs) {
  const texts = { firsts: "", seconds: "", composites: "" };
  let [first, second, composite] = [0, 0, 0];
  for (const pair of pairs.toSorted((a, b) => a[2] - b[2])) {
    texts.firsts += signed(pair[0] - first);
    texts.seconds += signed(pair[1] - second);
    texts.composites += digits(pair[2] - composite);
    [first, second, composite] = pair;
  }
  return texts;
}

function isCompatibilityIdeograph(code) {
  return (code >= 0xf900 && code <= 0xfad9) || (code >= 0x2f800 && code <= 0x2fa1d);
}

/** Ideographs for compatibility become the same ones everywhere: NFC of assigned characters never changes. */
function checkPlatform(code, mapped) {
  if (String.fromCodePoint(code).normalize("NFC").codePointAt(0) !== mapped) {
    throw new Error(`U+${code.toString(16)} is not what this platform makes of it in NFC`);
  }
}

function signed(value) {
  return digits(value < 0 ? -2 * value - 1 : 2 * value);
}

function digits(value) {
  const rest = value >>> 5;
  const digit = value & 31;
  return rest === 0 ? DIGITS[digit] : DIGITS[digit + 32] + digits(rest);
}
