import { expect, test } from "vitest";
import { visible, visibleJson } from "../../src/io/text/visible.ts";

/** Every control, format character and separator that a terminal could obey. */
const HIDDEN = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter(
    (character) =>
      character !== "\t" && /[\p{Cc}\p{Bidi_Control}\p{Cf}\p{Zl}\p{Zp}]/u.test(character),
  );

test("every hidden character is written by its code point", () => {
  expect(visible("a\x1b[2Jb\u009b2Jc\x7fd\u202ee\u2066f\nâ\u{e0001}")).toBe(
    "a\\u{1b}[2Jb\\u{9b}2Jc\\u{7f}d\\u{202e}e\\u{2066}f\\u{a}â\\u{e0001}",
  );
  expect(HIDDEN.length).toBeGreaterThan(150);
  for (const character of HIDDEN) expect(visible(character)).toMatch(/^\\u\{[0-9a-f]+\}$/);
});

test("a text without hidden characters stays as it is", () => {
  for (const text of ["", "http://a/?b", "a\tb", "日本語 ünï 🎉", "\\u{1b}"])
    expect(visible(text)).toBe(text);
});

test("JSON means the same and has no hidden character", () => {
  const text = HIDDEN.join("x");
  const json = visibleJson({ text });
  expect(json).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(json)).toEqual({ text });
});
