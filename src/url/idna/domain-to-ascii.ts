import { DOT } from "../chars.ts";
import { isValidLabel, satisfiesBidi } from "./label.ts";
import { toNfc } from "./nfc.ts";
import { decodePunycode, encodePunycode } from "./punycode.ts";
import { DISALLOWED, IGNORED, isRightToLeft, MAPPED, statusOf, unicodeTable } from "./table.ts";

/**
 * Limits the code points of an international domain, mapped and in NFC. DNS allows 253 bytes. The time of
 * Punycode grows with the square of the length, so a host of a megabyte must be refused.
 */
const LONGEST_DOMAIN = 2048;
/** Begins a label that is Punycode (RFC 3490 5). */
const ACE_PREFIX = "xn--";

/**
 * Maps a domain by UTS #46 "ToASCII" as the URL Standard uses it (CheckBidi, CheckJoiners; not
 * CheckHyphens, not UseSTD3ASCIIRules, not Transitional_Processing, not VerifyDnsLength). Returns
 * null if it fails. The result can hold ASCII that no host may have.
 */
export function domainToAscii(domain: string): string | null {
  const mapped = mapCodes(domain);
  if (mapped === null || mapped.length > LONGEST_DOMAIN) return null;
  const composed = toNfc(mapped);
  if (composed.length > LONGEST_DOMAIN) return null;
  const written: string[] = [];
  const decoded: (readonly number[])[] = [];
  for (const label of splitLabels(composed)) {
    const codes = decodeLabel(label);
    if (codes === null || !isValidLabel(codes)) return null;
    decoded.push(codes);
    written.push(isAscii(label) ? asText(label) : `xn--${encodePunycode(label)}`);
  }
  if (decoded.some((codes) => codes.some(isRightToLeft)) && !decoded.every(satisfiesBidi))
    return null;
  return written.join(".");
}

/** Step 1, "Map". Returns null if a code point is disallowed or the domain too long. */
function mapCodes(domain: string): number[] | null {
  const codes: number[] = [];
  for (const character of domain) {
    if (codes.length > LONGEST_DOMAIN) return null;
    const code = character.codePointAt(0) as number;
    const status = statusOf(code);
    if (status === DISALLOWED) return null;
    if (status === MAPPED) {
      for (const mapped of unicodeTable().mapping(code))
        codes.push(mapped.codePointAt(0) as number);
    } else if (status !== IGNORED) {
      codes.push(code);
    }
  }
  return codes;
}

/** Step 3, "Break": splits at U+002E; mapping has turned the other dots into it. */
function splitLabels(codes: readonly number[]): number[][] {
  const labels: number[][] = [[]];
  for (const code of codes) {
    if (code === DOT) labels.push([]);
    else labels.at(-1)?.push(code);
  }
  return labels;
}

/** Step 4: decodes a label that begins with `xn--`. Returns null if it is not valid or decodes to ASCII. */
function decodeLabel(label: readonly number[]): readonly number[] | null {
  for (let at = 0; at < ACE_PREFIX.length; at++)
    if (label[at] !== ACE_PREFIX.charCodeAt(at)) return label;
  if (!isAscii(label)) return null;
  const decoded = decodePunycode(asText(label.slice(4)));
  return decoded === null || isAscii(decoded) ? null : decoded;
}

function isAscii(codes: readonly number[]): boolean {
  return codes.every((code) => code < 0x80);
}

function asText(codes: readonly number[]): string {
  let text = "";
  for (const code of codes) text += String.fromCodePoint(code);
  return text;
}

/**
 * Writes a host for people to read: each `xn--` label as the characters that it encodes, if `domainToAscii`
 * would write that label. The result is never a key.
 */
export function domainToUnicode(host: string): string {
  if (!host.includes("xn--")) return host;
  const labels = host.split(".").map((label) => {
    if (!label.startsWith("xn--") || domainToAscii(`${label}.`) === null) return label;
    const codes = decodePunycode(label.slice(4)) as number[];
    return asText(codes);
  });
  return labels.join(".");
}
