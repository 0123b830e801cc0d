/*
 * The action unwrap: the ruled URL becomes the one in the value of a parameter.
 *
 * Memory: reads the target, from which no parameter has been taken, and its parameters (params.ts). Writes the next target,
 * ruledText, normal and ruledAgain.
 */
import { ruledText } from "../memory";
import { note, reasons, resetReasons, UNTOLD } from "../reasons";
import { AMPERSAND, COLON, EQUALS, SEMICOLON, SLASH, toLower, tripletValue } from "../url/chars";
import { find, writeBytes } from "../url/component";
import { againStart, writeAgain, writeRuledUrl } from "./again";
import { isListedName, nameEnd, paramAt, paramCount, paramStart } from "./params";
import { nextTarget, readRuledUrl, targetEnd } from "./ruled-url";

/**
 * Moves to the URL in the first parameter with one of these names. Returns false, and leaves the URL as it is, if there is no
 * such parameter, its value is not an http or https URL, or that has more than `longest` bytes.
 */
export function unwrap(names: usize, longest: usize): bool {
  const value = firstValue(names);
  if (value === 0) return false;
  const text = nextTarget();
  const end = writeDecoded(value, find(value, targetEnd, AMPERSAND), text);
  if (!isWebText(text, end)) return false;
  const before = reasons;
  note(UNTOLD);
  // Reading may overwrite the ruled URL.
  const kept = writeRuledUrl(ruledText);
  const start = againStart();
  const stop = writeAgain(text, end);
  if (stop !== 0 && stop - start <= longest) {
    readRuledUrl(start, stop);
    return true;
  }
  resetReasons(before);
  readRuledUrl(start, writeBytes(ruledText, kept, start));
  return false;
}

/**
 * Returns where the value of the first parameter with one of these names begins, or 0. One that stands after a `;` does not
 * count.
 */
function firstValue(names: usize): usize {
  for (let i = 0; i < paramCount; i++) {
    const param = paramAt(i);
    if (load<u8>(paramStart(param) - 1) === SEMICOLON || !isListedName(param, names)) continue;
    const end = nameEnd(param);
    return end < targetEnd && load<u8>(end) === EQUALS ? end + 1 : 0;
  }
  return 0;
}

/** Writes text with the bytes of its triplets. */
function writeDecoded(p: usize, end: usize, out: usize): usize {
  while (p < end) {
    const value = tripletValue(p, end);
    store<u8>(out++, value < 0 ? load<u8>(p) : <u8>value);
    p += value < 0 ? 1 : 3;
  }
  return out;
}

/** Returns whether a text begins with `http://` or `https://`, in any case. */
function isWebText(p: usize, end: usize): bool {
  // "http", in the order of its bytes.
  if (end - p < 8 || (load<u32>(p) | 0x20202020) !== 0x70747468) return false;
  p += 4;
  if (toLower(load<u8>(p)) === 0x73) p++;
  return load<u8>(p) === COLON && load<u8>(p, 1) === SLASH && load<u8>(p, 2) === SLASH;
}
