import { describe, test } from "vitest";
import type { NormalizerOptions } from "../../src/options/catalog.generated.ts";

import { BLOCK_BYTES, cleanLine, cleanLines, KernelLines } from "../shared/kernel-lines.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

/** Names by how many of their first bytes are the same: the kernel compares four, then eight, then all. */
const NAMES = {
  "that differ in their first bytes": ["a", "b", "bb", "Z", "0", "_", "zz9", "q-", "~", "c", "cf"],
  "that share four bytes": ["item", "items", "item_", "itemA", "item1", "item.id", "Item", "itex"],
  "that share eight bytes": ["category", "category_id", "category1", "categoryA", "category.x"],
  "that are the same": ["same-name", "same-name", "same-nam"],
  "of which some are dropped": [
    "utm_source",
    "gclid",
    "ver",
    "vero_id",
    "",
    "cfid",
    "cftoken",
    "v",
  ],
  "of all kinds": ["a", "item", "items", "category_id", "utm_x", "%C3%A9", "x%2F", "", "a;b", "i"],
};

/** Parameters in any order, each with a value of some length. */
function pieces(random: Random, names: readonly string[], count: number): string {
  const some = Array.from({ length: count }, (_, at) => {
    const value = ["", "=", `=${at}`, `=${"v".repeat(random.below(40))}`, "=%2F", "=a=b"];
    return random.pick(names) + random.pick(value);
  });
  return some.join("&");
}

const plans: readonly { readonly name: string; readonly options: NormalizerOptions }[] = [
  { name: "crawl", options: { preset: "crawl" } },
  { name: "sorted by value", options: { sortQuery: "name-value" } },
  {
    name: "one of each name",
    options: { preset: "crawl", repeatedParams: "last", paramCase: "ignore" },
  },
];

describe.each(plans)("queries come out as from the exact path, $name", ({ options }) => {
  const lines = new KernelLines(options);

  test.each(Object.entries(NAMES))("with parameters %s, of each count", (_, names) => {
    const random = new Random(51);
    for (let count = 1; count < 70; count += atLength(3, 1)) {
      const some = Array.from(
        { length: atLength(3, 30) },
        () => `https://h.example/p?${pieces(random, names, count)}\n`,
      );
      lines.expectSame(some.join(""));
    }
  });

  test("with more parameters than are ranked", () => {
    const random = new Random(52);
    for (const names of Object.values(NAMES)) {
      lines.expectSame(`http://h/?${pieces(random, names, 300)}\n${cleanLine(20)}`);
    }
  });

  test("of one parameter, from each offset of a block of 64 bytes", () => {
    const names = [
      "v",
      "ver",
      "vero",
      "vero_id",
      "utm_",
      "id",
      "c",
      "cfid",
      "name-of-seventeen",
      "",
    ];
    for (const name of sampleOf(names, 3)) {
      for (const value of [
        "",
        "=",
        "=1",
        "==",
        "=a?b",
        "=/.",
        "=/(",
        "=%2F",
        "=%41",
        "=;",
        "#f",
        "#2F",
        "=1#E4",
      ]) {
        const some = Array.from(
          { length: 66 },
          (_, index) => `http://h/${"a".repeat(index)}?${name}${value}\n`,
        );
        lines.expectSame(some.join(""));
        lines.expectSame(some.join("").replaceAll("\n", "\r\n"));
        lines.expectSame(some.join("").slice(0, -1));
      }
    }
  });

  test("across the end of a block of 4 KiB", () => {
    const some = "http://h/p?b=1&utm_source=2&a=%2F\nhttp://h/p?v=1\nhttp://h/p?a&b&c#d\n";
    for (let before = BLOCK_BYTES - 85; before < BLOCK_BYTES + 5; before += atLength(3, 1)) {
      lines.expectSame(cleanLines(before) + some + cleanLine(50));
    }
  });
});

/** What options with a list of names to drop make of each name, one a line. */
function namesLeft(dropParams: readonly string[], names: readonly string[]): void {
  const lines = new KernelLines({ dropParams });
  const some = names.flatMap((name) => [`http://h/?${name}\n`, `http://h/?a=1&${name}=2\n`]);
  lines.expectSame(some.join(""));
}

test.each([
  [["a*"]],
  [["ab*"]],
  [["abc*"]],
  [["abcd*"]],
  [["abcde*"]],
  [["*a"]],
  [["a", "ab", "abc", "abcd", "abcde"]],
])("the parameters %j are dropped whatever follows their first bytes", (dropParams) => {
  const random = new Random(53);
  const letters = ["a", "b", "c", "d", "e", "A", "B", "1", "_", "!", "%C3%A9"];
  const names = Array.from({ length: 300 }, () =>
    Array.from({ length: random.below(7) }, (_, at) =>
      random.chance(3) ? random.pick(letters) : "abcdef"[at],
    ).join(""),
  );
  namesLeft(dropParams, names);
});
