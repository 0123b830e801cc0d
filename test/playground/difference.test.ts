import fc from "fast-check";
import { expect, test } from "vitest";
import { differingPieces } from "../../playground/difference.ts";

/** What is marked in a text, in brackets. */
function marked(text: string, other: string): string {
  return differingPieces(text, other)
    .map((piece) => (piece.isShared ? piece.text : `[${piece.text}]`))
    .join("");
}

test.each([
  ["http://a/?b=1&utm_x=2", "http://a/?b=1", "http://a/?b=1[&utm_x=2]"],
  ["HTTP://A.b/", "http://a.b/", "[HTTP]://[A].b/"],
  ["http://a/x/%7eb", "http://a/x/~b", "http://a/x/[%7e]b"],
  ["http://a/1013", "http://a/1023", "http://a/[1013]"],
  ["http://a", "http://a/", "http://a"],
  ["http://a/b", "http://a/b", "http://a/b"],
  ["", "http://a/", ""],
])("%s beside %s is %s", (text, other, expected) => {
  expect(marked(text, other)).toBe(expected);
});

test("pieces together are the text, and those that are shared are in the other in the same order", () => {
  const url = fc.string({ unit: fc.constantFrom("a", "b", "/", "?", "&", "=", "%41", "é") });
  fc.assert(
    fc.property(url, url, (text, other) => {
      const pieces = differingPieces(text, other);
      expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      let at = 0;
      for (const piece of pieces.filter(({ isShared }) => isShared)) {
        for (const character of piece.text) {
          at = other.indexOf(character, at) + 1;
          expect(at).toBeGreaterThan(0);
        }
      }
    }),
  );
});

test("texts of very many pieces are compared as a whole", () => {
  const long = "/a".repeat(1000);
  expect(marked(long, `${long}/b`)).toBe(`[${long}]`);
});
