import { expect, test } from "vitest";
import { differences } from "../../bench/peers/differences.mjs";

test("outputs that are equal in each line have no differences", () => {
  const lines = ["http://a/", "", "http://b/"];
  expect(differences({ node: lines, bun: [...lines], ada: [...lines] })).toEqual([]);
});

test("one byte is a difference, with its line and the names that have each result", () => {
  expect(
    differences({
      node: ["http://a/", "http://b/^"],
      ada: ["http://a/", "http://b/%5E"],
      bun: ["http://a/", "http://b/%5E"],
    }),
  ).toEqual([
    {
      line: 2,
      results: [
        ["http://b/^", ["node"]],
        ["http://b/%5E", ["ada", "bun"]],
      ],
    },
  ]);
});

test("a URL that only one output refuses is a difference", () => {
  const [difference] = differences({ node: ["http://a/"], ada: [""] });
  expect(difference?.results).toEqual([
    ["http://a/", ["node"]],
    ["", ["ada"]],
  ]);
});

test.each(["first", "second"])("a line that the %s output lacks is a difference", (short) => {
  const outputs = { first: ["x", "y"], second: ["x", "y"], [short]: ["x"] };
  const [difference, ...more] = differences(outputs);
  expect(difference?.line).toBe(2);
  expect(difference?.results).toContainEqual([null, [short]]);
  expect(more).toEqual([]);
});

test("one output alone differs from nothing", () => {
  expect(differences({ purell: ["http://a"] })).toEqual([]);
});
