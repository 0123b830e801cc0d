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

test.each([
  [
    "http://a/?size=42&color=red&utm_x=1",
    "http://a/?color=red&size=42",
    "http://a/?size=42&color=red[&utm_x=1]",
  ],
  ["http://a/?b=2&a=1&a=1", "http://a/?a=1&b=2", "http://a/?b=2&a=1[&a=1]"],
  ["http://a/é?q", "http://a/%C3%A9?q", "http://a/[é]?q"],
])("a parameter that stands elsewhere is not marked: %s beside %s", (text, other, expected) => {
  expect(marked(text, other)).toBe(expected);
});

test("pieces together are the text, and the other has no fewer of any word than is not marked", () => {
  const url = fc.string({ unit: fc.constantFrom("a", "b", "/", "?", "&", "=", "#", "%41", "é") });
  const words = (text: string): string[] => text.match(/%[0-9a-f]{2}|[a-z0-9_-]+|[\s\S]/giu) ?? [];
  fc.assert(
    fc.property(url, url, (text, other) => {
      const pieces = differingPieces(text, other);
      expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      const left = words(other);
      for (const word of pieces
        .filter(({ isShared }) => isShared)
        .flatMap((piece) => words(piece.text))) {
        expect(left).toContain(word);
        left.splice(left.indexOf(word), 1);
      }
    }),
  );
});

test("nothing is marked in a URL whose parameters stand in another order", () => {
  const params = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}=[0-9]{0,2}$/), { minLength: 1 });
  fc.assert(
    fc.property(params, (given) => {
      const url = (list: readonly string[]): string => `http://a/?${list.join("&")}`;
      expect(marked(url(given), url(given.toSorted()))).toBe(url(given));
    }),
  );
});

test("texts of very many pieces are compared as a whole", () => {
  const long = "/a".repeat(1000);
  expect(marked(long, `${long}/b`)).toBe(`[${long}]`);
});
