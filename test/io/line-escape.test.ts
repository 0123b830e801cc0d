import { expect, test } from "vitest";
import {
  escapeColumn,
  escapeLine,
  LineEscaper,
  unescapeColumn,
  unescapeLine,
} from "../../src/io/text/line-escape.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const byteString = (text: string): string => Buffer.from(text).toString("latin1");
/** Whether a terminal could obey it, or a reader of lines break at it. */
const isSafe = (bytes: string): boolean => {
  const text = Buffer.from(bytes, "latin1").toString();
  return !/[^\P{Cc}\t]|[\p{Cf}\p{Zl}\p{Zp}\ufffd]/u.test(text) && byteString(text) === bytes;
};

test("every byte comes back, alone and between others", () => {
  for (let code = 0; code < 256; code++) {
    const byte = String.fromCharCode(code);
    for (const bytes of [
      byte,
      `a${byte}b`,
      `\xc3${byte}`,
      `\xe2${byte}\xae`,
      `\\${byte}`,
      `\\x${byte}0`,
    ]) {
      const escaped = escapeLine(bytes);
      expect(isSafe(escaped)).toBe(true);
      expect(unescapeLine(escaped)).toBe(bytes);
    }
  }
});

test("every hidden character is escaped byte by byte, and no other character is", () => {
  // Gathered: a million calls of expect take ten seconds.
  const wrong: number[] = [];
  for (
    let code = 0;
    code < 0x110000;
    code += code < atLength(0x3000, 0x20000) ? 1 : atLength(97, 1)
  ) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const bytes = byteString(character);
    const escaped = escapeLine(bytes);
    const isHidden = /[^\P{Cc}\t]|[\p{Cf}\p{Zl}\p{Zp}]/u.test(character);
    const isRight = isHidden
      ? /^(\\x[0-9a-f]{2})+$/.test(escaped) && unescapeLine(escaped) === bytes
      : escaped === (character === "\\" ? "\\\\" : bytes);
    if (!isRight) wrong.push(code);
  }
  expect(wrong).toEqual([]);
});

test("random bytes come back, and pieces are escaped as the whole", () => {
  const random = new Random(51);
  const parts = [
    "\\",
    "\\x",
    "\x1b",
    "\n",
    "\xc3",
    "\xa9",
    "\u00c3\u00a9",
    "\xe2\x80\xae",
    "\xf0\x9f",
    "\x98\x80",
    "a",
    "\t",
    "\xff",
  ];
  for (let round = 0; round < atLength(500, 20_000); round++) {
    const bytes = Array.from({ length: random.below(12) }, () => random.pick(parts)).join("");
    const escaped = escapeLine(bytes);
    expect(isSafe(escaped)).toBe(true);
    expect(unescapeLine(escaped)).toBe(bytes);
    const escaper = new LineEscaper();
    let joined = "";
    for (let at = 0; at < bytes.length; ) {
      const end = at + 1 + random.below(3);
      joined += escaper.take(Buffer.from(bytes.slice(at, end), "latin1"), false).toString("latin1");
      at = end;
    }
    joined += escaper.take(new Uint8Array(0), true).toString("latin1");
    expect(joined).toBe(escaped);
  }
});

test("a column has no TAB and no line end, and every text comes back", () => {
  for (let code = 0; code < 0x3000; code += atLength(code < 0x300 ? 1 : 29, 1)) {
    const text = `a${String.fromCharCode(code)}\\x09b`;
    const escaped = escapeColumn(text);
    expect(escaped).not.toMatch(/\p{Cc}/u);
    expect(unescapeColumn(escaped)).toBe(text);
  }
  expect(escapeColumn("cls:plain text")).toBe("cls:plain text");
  expect(escapeColumn("cls:\u00e9\t\\")).toBe("cls:\u00e9\\x09\\\\");
});
