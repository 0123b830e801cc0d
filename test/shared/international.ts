import { Random } from "./random.ts";

const RANGES: readonly (readonly [number, number])[] = [
  [0x61, 0x7a],
  [0x30, 0x39],
  [0x41, 0x5a],
  [0xa0, 0x24f],
  [0x300, 0x36f],
  [0x370, 0x52f],
  [0x5d0, 0x5ea],
  [0x600, 0x6ff],
  [0x900, 0xdff],
  [0x1100, 0x11ff],
  [0x1c80, 0x1c8a],
  [0x1e00, 0x1fff],
  [0x2000, 0x206f],
  [0x2100, 0x218b],
  [0x3040, 0x30ff],
  [0x4e00, 0x4eff],
  [0xa640, 0xa7ff],
  [0xac00, 0xad00],
  [0xf900, 0xfaff],
  [0xfb00, 0xfdff],
  [0xfe00, 0xffff],
  [0x10000, 0x10fff],
  [0x11000, 0x11fff],
  [0x16d40, 0x16d6f],
  [0x1d100, 0x1d7ff],
  [0x1e000, 0x1e94b],
  [0x1f000, 0x1f9ff],
  [0x20000, 0x200ff],
  [0x2f800, 0x2fa1f],
  [0xe0000, 0xe01ef],
];
const SPECIAL = [
  "-",
  "xn--",
  "xn--zca",
  "xn--a",
  "\u200c",
  "\u200d",
  "\u094d",
  "\u0338",
  "ß",
  "ς",
  "。",
  "．",
  "\u00ad",
  "<",
  "=",
  "％",
  "İ",
  "ﷺ",
  "١",
  "א",
];

/**
 * Returns domains of mixed labels: scripts, marks, joiners, digits, dots, right and wrong Punycode.
 */
export function internationalDomains(seed: number, count: number): string[] {
  const random = new Random(seed);
  const character = (): string => {
    if (random.chance(6)) return random.pick(SPECIAL);
    const [first, last] = random.pick(RANGES);
    const code = first + random.below(last - first + 1);
    return code >= 0xd800 && code <= 0xdfff ? "a" : String.fromCodePoint(code);
  };
  const label = (): string => {
    const size = random.below(6);
    const [first, last] = random.pick(RANGES);
    const one = () => String.fromCodePoint(first + random.below(last - first + 1));
    const isMixed = random.chance(2);
    return Array.from({ length: 1 + size }, () => (isMixed ? character() : one())).join("");
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + random.below(3) }, label).join(random.pick([".", ".", "。"])),
  );
}
