// Memory: code points, 4 bytes each, on one side, bytes on the other, where it is told.
// RFC 3492, with the parameters of section 5.
import { isDigit, ZERO } from "./chars";

const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_N: u32 = 0x80;
const LARGEST: u64 = 0x7fffffff;
const LARGEST_CODE: u32 = 0x10ffff;
const HYPHEN: u8 = 0x2d;

/** Section 6.1. */
function adapt(delta: u32, points: u32, isFirst: bool): u32 {
  let rest = isFirst ? delta / DAMP : delta >> 1;
  rest += rest / points;
  let k: u32 = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest /= BASE - T_MIN;
  return k + ((BASE - T_MIN + 1) * rest) / (rest + SKEW);
}

function threshold(k: u32, bias: u32): u32 {
  if (k <= bias + T_MIN) return T_MIN;
  return k >= bias + T_MAX ? T_MAX : k - bias;
}

/**
 * Section 6.2: writes the code points of what stands behind `xn--`, which is ASCII in lower case and
 * given as code points too. Returns the end, at most `end - p` behind `out`, or 0 when it is no Punycode.
 */
export function decodePunycode(p: usize, end: usize, out: usize): usize {
  const start = out;
  let delimiter = end;
  while (delimiter > p && load<u32>(delimiter - 4) !== HYPHEN) delimiter -= 4;
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

/** Section 6.3: writes what stands behind `xn--` for the code points in `[p, end)`; returns the end. */
export function encodePunycode(p: usize, end: usize, out: usize): usize {
  const start = out;
  for (let at = p; at < end; at += 4) {
    const code = load<u32>(at);
    if (code < INITIAL_N) store<u8>(out++, <u8>code);
  }
  const basic = <u32>(out - start);
  if (basic > 0) store<u8>(out++, HYPHEN);
  const points = <u32>((end - p) >> 2);
  let n = INITIAL_N;
  let delta: u32 = 0;
  let bias = INITIAL_BIAS;
  let handled = basic;
  let next = smallestFrom(p, end, n);
  while (handled < points) {
    delta += (next - n) * (handled + 1);
    n = next;
    next = u32.MAX_VALUE;
    for (let at = p; at < end; at += 4) {
      const code = load<u32>(at);
      delta += <u32>(code < n);
      if (code > n) next = min(next, code);
      if (code !== n) continue;
      out = writeDelta(delta, bias, out);
      bias = adapt(delta, handled + 1, handled === basic);
      delta = 0;
      handled++;
    }
    delta++;
    n++;
  }
  return out;
}

function smallestFrom(p: usize, end: usize, n: u32): u32 {
  let smallest = u32.MAX_VALUE;
  for (; p < end; p += 4) {
    const code = load<u32>(p);
    if (code >= n) smallest = min(smallest, code);
  }
  return smallest;
}

function writeDelta(delta: u32, bias: u32, out: usize): usize {
  let q = delta;
  for (let k = BASE; ; k += BASE) {
    const t = threshold(k, bias);
    if (q < t) break;
    const over = q - t;
    q = over / (BASE - t);
    store<u8>(out++, digit(t + over - q * (BASE - t)));
  }
  store<u8>(out, digit(q));
  return out + 1;
}

function digit(value: u32): u8 {
  return <u8>(value < 26 ? value + 0x61 : value - 26 + 0x30);
}
