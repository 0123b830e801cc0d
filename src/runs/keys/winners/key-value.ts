const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** A whole number that two of them may need to be compared by all digits. */
const WHOLE = /^[+-]?\d{1,308}$/;
/** The most digits of a whole number that a double always holds. */
const SAFE_DIGITS = 15;
const ZERO = 0x30;
const NINE = 0x39;

/** Returns whether a text is a whole number as JavaScript writes it, so that its number stands for it. */
export function isPlainWhole(text: Buffer): boolean {
  if (text.length === 0 || text.length > SAFE_DIGITS) return false;
  if (text[0] === ZERO) return text.length === 1;
  return text.every((byte) => byte >= ZERO && byte <= NINE);
}

/** Returns the decimal number that a text is, or NaN: `007`, `-1.5`, `+2`, `.5` and `1e3` are numbers. */
export function numberIn(text: Buffer): number {
  const first = text[0] as number;
  // Digits, signs and the point are before ":".
  if (text.length === 0 || first > NINE) return Number.NaN;
  const written = text.toString("latin1");
  return NUMBER.test(written) ? Number(written) : Number.NaN;
}

/** Compares two numbers that are one as doubles, given their texts: by all digits if both are whole. */
export function compareDigits(text: Buffer, other: Buffer): number {
  const [one, two] = [text.toString("latin1"), other.toString("latin1")];
  if (!WHOLE.test(one) || !WHOLE.test(two)) return 0;
  const difference = BigInt(one) - BigInt(two);
  return difference === 0n ? 0 : difference > 0n ? 1 : -1;
}
