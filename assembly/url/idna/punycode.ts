/*
 * Punycode (RFC 3492, with the parameters of section 5).
 * Memory: reads and writes code points, 4 bytes each, or bytes, between the pointers it is given. KEYS and
 * SORTED are static data, 4 bytes for each code point of a label. BIASES and RECIPROCALS are filled when the
 * module starts, because divisions would take much of the time.
 */
import { LONGEST_DOMAIN } from "../../memory";
import { HYPHEN, isDigit, ZERO } from "../chars";

const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_N: u32 = 0x80;
const LARGEST: u64 = 0x7fffffff;
const LARGEST_CODE: u32 = 0x10ffff;

/** Bits of an index below LONGEST_DOMAIN. A code point, which has 21 bits, fits above them. */
const INDEX_BITS: u32 = 11;
const LARGEST_INDEX: u32 = LONGEST_DOMAIN - 1;
const KEYS: usize = memory.data(4 * LONGEST_DOMAIN, 16);
const SORTED: usize = memory.data(4 * LONGEST_DOMAIN, 16);

/** The largest delta that section 6.1 does not scale down. */
const LARGEST_SCALED: u32 = ((BASE - T_MIN) * T_MAX) >> 1;
/** The last term of section 6.1 for each delta up to LARGEST_SCALED, one byte each. */
const BIASES: usize = memory.data(456, 16);
/** For each divisor below BASE, 2^37 / divisor rounded up, 8 bytes: exact for dividends below 2^30. */
const RECIPROCALS: usize = memory.data(8 * 36, 16);

for (let delta: u32 = 0; delta <= LARGEST_SCALED; delta++) {
  store<u8>(BIASES + <usize>delta, <u8>(((BASE - T_MIN + 1) * delta) / (delta + SKEW)));
}
for (let divisor: u32 = 1; divisor < BASE; divisor++) {
  store<u64>(RECIPROCALS + ((<usize>divisor) << 3), ((<u64>1) << 37) / <u64>divisor + 1);
}

/** Adapts the bias (section 6.1). */
function adapt(delta: u32, points: u32, isFirst: bool): u32 {
  let rest = isFirst ? delta / DAMP : delta >> 1;
  rest += rest / points;
  let k: u32 = 0;
  for (; rest > LARGEST_SCALED; k += BASE) rest /= BASE - T_MIN;
  return k + <u32>load<u8>(BIASES + <usize>rest);
}

function threshold(k: u32, bias: u32): u32 {
  if (k <= bias + T_MIN) return T_MIN;
  return k >= bias + T_MAX ? T_MAX : k - bias;
}

/**
 * Writes the code points of the text after `xn--` (section 6.2). That text is ASCII in lower case, given as
 * code points too. Returns the end, at most `end - p` after `out`, or 0 if it is not Punycode.
 */
export function decodePunycode(p: usize, end: usize, out: usize): usize {
  const start = out;
  let delimiter = end;
  while (delimiter > p && load<u32>(delimiter - 4) !== HYPHEN) delimiter -= 4;
  // At the start a hyphen would be a digit, and no digit is one.
  if (delimiter === p + 4) return 0;
  if (delimiter > p) {
    memory.copy(out, p, delimiter - 4 - p);
    out += delimiter - 4 - p;
  }
  p = delimiter;
  let n = INITIAL_N;
  let i: u64 = 0;
  let bias = INITIAL_BIAS;
  while (p < end) {
    const before = i;
    let weight: u64 = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = p < end ? digitOf(load<u32>(p)) : -1;
      p += 4;
      if (digit < 0) return 0;
      i += <u64>digit * weight;
      if (i > LARGEST) return 0;
      const t = threshold(k, bias);
      if (<u32>digit < t) break;
      weight *= <u64>(BASE - t);
      if (weight > LARGEST) return 0;
    }
    const points = <u32>((out - start) >> 2) + 1;
    bias = adapt(<u32>(i - before), points, before === 0);
    n += <u32>i / points;
    if (n > LARGEST_CODE) return 0;
    i = <u64>(<u32>i % points);
    const at = start + ((<usize>i) << 2);
    memory.copy(at + 4, at, out - at);
    store<u32>(at, n);
    out += 4;
    i++;
  }
  return out;
}

function digitOf(code: u32): i32 {
  if (code - 0x61 < 26) return <i32>(code - 0x61);
  return code < 0x80 && isDigit(<u8>code) ? <i32>(code - ZERO) + 26 : -1;
}

/**
 * Writes the text after `xn--` for the code points in `[p, end)`, at most LONGEST_DOMAIN (section 6.3).
 * Returns the end. It counts where the decoder will insert each code point, and does not search for the
 * place.
 */
export function encodePunycode(p: usize, end: usize, out: usize): usize {
  const start = out;
  for (let at = p; at < end; at += 4) {
    const code = load<u32>(at);
    if (code < INITIAL_N) store<u8>(out++, <u8>code);
  }
  const basic = <u32>(out - start);
  if (basic > 0) store<u8>(out++, HYPHEN);
  const sortedEnd = sortExtended(p, end);
  let n = INITIAL_N;
  let i: u32 = 0;
  let bias = INITIAL_BIAS;
  let handled = basic;
  for (let at = SORTED; at < sortedEnd; at += 4) {
    const key = load<u32>(at);
    const code = key >> INDEX_BITS;
    const place = countUpTo(code, p, p + ((<usize>(key & LARGEST_INDEX)) << 2));
    const delta = (code - n) * (handled + 1) + place - i;
    out = writeDelta(delta, bias, out);
    bias = adapt(delta, handled + 1, handled === basic);
    n = code;
    i = place + 1;
    handled++;
  }
  return out;
}

/**
 * Writes SORTED: each code point that is not basic, above its index. The decoder inserts code points in the
 * order of these numbers. Returns the end.
 */
function sortExtended(p: usize, end: usize): usize {
  let keysEnd = KEYS;
  for (let at = p; at < end; at += 4) {
    const code = load<u32>(at);
    if (code < INITIAL_N) continue;
    store<u32>(keysEnd, (code << INDEX_BITS) | <u32>((at - p) >> 2));
    keysEnd += 4;
  }
  for (let at = KEYS; at < keysEnd; at += 4) {
    const key = load<u32>(at);
    store<u32>(SORTED + ((<usize>countUpTo(key - 1, KEYS, keysEnd)) << 2), key);
  }
  return SORTED + (keysEnd - KEYS);
}

/** Returns how many numbers in `[p, end)` are `limit` or below. */
function countUpTo(limit: u32, p: usize, end: usize): u32 {
  let count: u32 = 0;
  for (; p < end; p += 4) count += <u32>(load<u32>(p) <= limit);
  return count;
}

function writeDelta(delta: u32, bias: u32, out: usize): usize {
  let q = delta;
  for (let k = BASE; ; k += BASE) {
    const t = threshold(k, bias);
    if (q < t) break;
    const over = q - t;
    q = <u32>((<u64>over * load<u64>(RECIPROCALS + ((<usize>(BASE - t)) << 3))) >> 37);
    store<u8>(out++, digit(t + over - q * (BASE - t)));
  }
  store<u8>(out, digit(q));
  return out + 1;
}

function digit(value: u32): u8 {
  return <u8>(value < 26 ? value + 0x61 : value - 26 + 0x30);
}
