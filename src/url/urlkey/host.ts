import { fromByteString } from "../bytes.ts";
import { normalizeIpv4 } from "../host/ipv4.ts";
import { domainToAscii } from "../idna/domain-to-ascii.ts";
import { unescapeRepeatedly, writeEscaped } from "./escapes.ts";

const NOT_ASCII = /[^\0-\x7f]/;
/** Dots of international domains (RFC 3490 3.1). */
const DOTS = /[.\u3002\uff0e\uff61]/;
/** Bytes that a label may have (RFC 1035 2.3.4). */
const LONGEST_LABEL = 63;
const NUMBER = /^[0-9]+$/;
/** An address in one to four numbers, all octal if the first is. */
const ADDRESS = /^(?:[1-9][0-9]*(?:\.[0-9]+){0,3}|0[0-7]*(?:\.[0-7]+){0,3})$/;
const REPLACEMENT_BYTES = "\xef\xbf\xbd";
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Returns the host of a key before its labels are reversed; "" if nothing is left of it. */
export function writeHost(text: string): string {
  const decoded = unescapeRepeatedly(text);
  const ascii = NOT_ASCII.test(decoded) ? (toAscii(decoded) ?? decoded) : decoded;
  const host = withoutOuterDots(ascii.replaceAll("..", "."));
  return addressOf(host) ?? writeEscaped(host).toLowerCase();
}

function withoutOuterDots(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === ".") start++;
  while (end > start && text[end - 1] === ".") end--;
  return text.slice(start, end);
}

/** Returns an address as dotted decimal; null if the host is not one. A single number counts modulo 2^32. */
function addressOf(host: string): string | null {
  if (!ADDRESS.test(host) && !NUMBER.test(host)) return null;
  if (!NUMBER.test(host)) return normalizeIpv4(host);
  let value = 0;
  for (const digit of host) value = (Math.imul(value, 10) + Number(digit)) >>> 0;
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".");
}

/** Returns an international domain in ASCII, without bytes that are not UTF-8. Returns null if it is not one. */
function toAscii(bytes: string): string | null {
  if (bytes.includes(REPLACEMENT_BYTES)) return null;
  const text = decoder.decode(fromByteString(bytes)).replaceAll("\ufffd", "");
  if (text === "") return "";
  const labels = text.split(NOT_ASCII.test(text) ? DOTS : ".");
  const isAbsolute = labels.length > 1 && labels.at(-1) === "";
  if (isAbsolute) labels.pop();
  const written: string[] = [];
  for (const label of labels) {
    const kept = withoutDeviations(label);
    const ascii = NOT_ASCII.test(kept) ? domainToAscii(kept) : kept;
    if (ascii === null || ascii === "" || ascii.length > LONGEST_LABEL) return null;
    written.push(ascii);
  }
  return written.join(".") + (isAbsolute ? "." : "");
}

/** Writes the characters that IDNA of 2003 maps and UTS #46 keeps as IDNA of 2003 does (UTS #46, 6). */
function withoutDeviations(label: string): string {
  return label
    .replaceAll("\u00df", "ss")
    .replaceAll("\u03c2", "\u03c3")
    .replace(/[\u200c\u200d]/g, "");
}
