// RFC 3492, with the parameters of section 5.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_N = 0x80;
const LARGEST = 0x7fffffff;
const LARGEST_CODE = 0x10ffff;

/** Adapts the bias (section 6.1). */
function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / points);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

function threshold(k: number, bias: number): number {
  return Math.min(T_MAX, Math.max(T_MIN, k - bias));
}

/**
 * Returns the code points of the text after `xn--`, which is in lower case (RFC 3492 6.2); null if it is not
 * Punycode.
 */
export function decodePunycode(text: string): number[] | null {
  const delimiter = text.lastIndexOf("-");
  // At the start a hyphen would be a digit, and no digit is one.
  if (delimiter === 0) return null;
  const codes = Array.from(text.slice(0, Math.max(0, delimiter)), (character) =>
    character.charCodeAt(0),
  );
  let n = INITIAL_N;
  let i = 0;
  let bias = INITIAL_BIAS;
  for (let at = delimiter + 1; at < text.length; ) {
    const before = i;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(text.charCodeAt(at++));
      if (digit < 0) return null;
      i += digit * weight;
      if (i > LARGEST) return null;
      const t = threshold(k, bias);
      if (digit < t) break;
      weight *= BASE - t;
      if (weight > LARGEST) return null;
    }
    const points = codes.length + 1;
    bias = adapt(i - before, points, before === 0);
    n += Math.floor(i / points);
    if (n > LARGEST_CODE) return null;
    i %= points;
    codes.splice(i++, 0, n);
  }
  return codes;
}

function digitOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : -1;
}

/** Returns the text after `xn--` for these code points (RFC 3492 6.3). */
export function encodePunycode(codes: readonly number[]): string {
  let written = "";
  /** The smallest code point that is not encoded yet. */
  let next = LARGEST;
  for (const code of codes) {
    if (code < INITIAL_N) written += String.fromCharCode(code);
    else next = Math.min(next, code);
  }
  const basic = written.length;
  if (basic > 0) written += "-";
  let n = INITIAL_N;
  let delta = 0;
  let bias = INITIAL_BIAS;
  for (let handled = basic; handled < codes.length; ) {
    delta += (next - n) * (handled + 1);
    n = next;
    next = LARGEST;
    for (const code of codes) {
      if (code < n) delta++;
      else if (code > n) next = Math.min(next, code);
      else {
        written += encodeDelta(delta, bias);
        bias = adapt(delta, handled + 1, handled === basic);
        delta = 0;
        handled++;
      }
    }
    delta++;
    n++;
  }
  return written;
}

function encodeDelta(delta: number, bias: number): string {
  let written = "";
  let q = delta;
  for (let k = BASE; ; k += BASE) {
    const t = threshold(k, bias);
    if (q < t) return written + digit(q);
    const rest = (q - t) % (BASE - t);
    written += digit(t + rest);
    q = (q - t - rest) / (BASE - t);
  }
}

function digit(value: number): string {
  return String.fromCharCode(value < 26 ? value + 0x61 : value - 26 + 0x30);
}
