import { expect, test } from "vitest";
import { findMember } from "../../src/formats/json/json-member.ts";
import { expectEqual } from "../shared/equal.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const ROUNDS = atLength(500, 5_000);

const STRINGS = [
  "",
  "url",
  "u",
  '"',
  "\\",
  '\\"',
  "}",
  "{",
  "[",
  "]",
  ",",
  ":",
  "\n",
  "\u0001",
  "/",
  "a,b",
];

function randomValue(random: Random, depth: number): unknown {
  switch (random.below(depth > 3 ? 4 : 6)) {
    case 0:
      return random.pick([null, true, false]);
    case 1:
      return random.pick([0, -1.5, 1e30, 12345]);
    case 4:
      return Array.from({ length: random.below(4) }, () => randomValue(random, depth + 1));
    case 5:
      return randomObject(random, depth + 1);
    default:
      return random.pick(STRINGS);
  }
}

function randomObject(random: Random, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Array.from({ length: random.below(6) }, () => [
      random.pick(STRINGS),
      randomValue(random, depth),
    ]),
  );
}

test("finds each member of random objects where JSON.parse does, and nothing else changes", () => {
  const random = new Random(31);
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const object = randomObject(random, 0);
    const text = JSON.stringify(object, null, random.pick([undefined, 1, "\t"]));
    const escaped = random.chance(3)
      ? text
          .replaceAll("u", "\\u0075")
          .replaceAll("tr\\u0075e", "true")
          .replaceAll("n\\u0075ll", "null")
      : text;
    if (JSON.stringify(tryParse(escaped)) !== JSON.stringify(object)) continue;
    for (const name of STRINGS) {
      const member = findMember(escaped, name);
      expectEqual(member !== null, Object.hasOwn(object, name));
      if (member === null) continue;
      found++;
      const { from, to } = member;
      expectEqual(JSON.parse(escaped.slice(from, to)), object[name]);
      const replaced = JSON.parse(`${escaped.slice(0, from)}"K"${escaped.slice(to)}`);
      expectEqual(replaced, { ...object, [name]: "K" });
    }
  }
  expect(found).toBeGreaterThan(ROUNDS);
});

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
