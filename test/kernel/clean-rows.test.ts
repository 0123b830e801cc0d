import { describe, test } from "vitest";
import type { NormalizerOptions } from "../../src/options/catalog.generated.ts";

import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { BLOCK_BYTES, cleanLine, KernelColumns } from "../shared/kernel-lines.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { randomRules, urlsForRules } from "../shared/random-rules.ts";

/** A clean row of so many bytes, 9 or more. */
const clean = (bytes: number): string => cleanLine(bytes + 1).slice(0, -1);

/** Rows that the loop over clean rows passes, mends or refuses under some options, and rows it leaves to others. */
const ROWS = [
  ..."http://h.example https://h.example http://h. http://h.1 http://1 http:// https:// https:/ http: h".split(
    " ",
  ),
  ...["", "x", "/x", ".x", "//", "localhost", "localhost/"].map((rest) => `file://${rest}`),
  ..."http://h/ http://h/p#f http://h/p? http://h/p?a http://h/p?b&a http://h/p?utm_source=x".split(
    " ",
  ),
  ..."http://h/p?a#f http://h/p?b&a#!r http://h/p?a=%2F http://h/%7e http://h/%2F http://h/%2".split(
    " ",
  ),
  ..."http://h/p?a=% http://h/( http://h/a(b http://h/. http://h/a/.. http://h?b&a http://h#f".split(
    " ",
  ),
  ...["/", "#", "?", ".", "&a", ";", "(", "2F", "F", "=", "%", "\n", "\r", "\r\n", " ", "\t", ""],
  ...[
    "http://h/a\n",
    "http://h/\r\n",
    "\nhttp://h/",
    "http://h/a\nhttp://h/b",
    "http://h\n",
    "http://h/\r",
  ],
  ...[
    "http://h/?a\n",
    "http://h/?b&a\n&c",
    "http://h/#a\n",
    "http://h/?a\r",
    "http://h/p?v=1;jsessionid=2",
  ],
  ...["ftp://h/p", "http://h:80/p", "HTTP://H", "http://h/\xc3\xa9", "http://\xe9/", "http://a~/"],
  `https://${"a".repeat(24)}`,
  `https://${"a".repeat(31)}.example`,
  `http://${"a.".repeat(16)}b/c`,
];

const plans: readonly { readonly name: string; readonly options: NormalizerOptions }[] = [
  { name: "safe", options: {} },
  { name: "crawl", options: { preset: "crawl" } },
  { name: "crawl with routes kept", options: { preset: "crawl", fragment: "keep-route" } },
  { name: "https alone, sorted", options: { allowedSchemes: ["https"], sortQuery: "name" } },
  { name: "sorted by value", options: { sortQuery: "name-value", fragment: "remove-text" } },
  { name: "aggressive", options: { preset: "aggressive" } },
  {
    name: "a rule for a site",
    options: { preset: "crawl", rules: "#urlmill-rules 1\nh.example\t*\tdrop a" },
  },
];

describe.each(sampleOf(plans, 3))(
  "rows of a column come out as from the exact path, $name",
  ({ options }) => {
    const columns = new KernelColumns(options);

    test("alone, repeated, and between clean ones", () => {
      for (const row of ROWS) {
        columns.expectSame([row]);
        columns.expectSame(Array(40).fill(row));
        columns.expectSame([clean(40), row, clean(700), row, row, clean(20)]);
      }
    });

    test("each after each other", () => {
      columns.expectSame(ROWS.flatMap((row) => ROWS.flatMap((other) => [row, other])));
    });

    test("where the bytes before and after the column could be part of its rows", () => {
      for (const row of ROWS) {
        for (const rest of ["/", "2F", "?a", "#", "\n", ".", "a", "a/"]) {
          columns.expectSame([row, row], rest, rest);
          columns.expectSame([clean(30), row], `http://h/${rest}`, rest);
        }
      }
    });

    test("that end at each byte of a text which goes on as the next row", () => {
      const text =
        "https://host.example/p/a(b%2F?b=1&utm_source=2&a=%2F&v=3#f%2Fhttp://h?a#b" +
        "file:///c/./d%7E\nhttp://1.2.3.a//..//?a;b;jsessionid=1&cfid=1&cftoken=2#!/r\r\n#:~:text=a";
      for (let first = 0; first <= text.length; first += atLength(3, 1)) {
        const rows = [clean(20)];
        for (let second = first; second <= text.length; second += 3) {
          rows.push(text.slice(0, first), text.slice(first, second), text.slice(second));
        }
        columns.expectSame(rows);
      }
    });

    test("of each length, from each offset of a block of 64 bytes", () => {
      const some = Array.from({ length: 140 }, (_, index) => clean(10 + index));
      for (let offset = 0; offset < 64; offset++) columns.expectSame([clean(10 + offset), ...some]);
    });

    test("with a host of each length", () => {
      for (const end of ["", ".", ".1", "/", "/?b&a", "#f", "~", "A"]) {
        const some = Array.from({ length: 70 }, (_, index) => `http://${"x".repeat(index)}${end}`);
        columns.expectSame(some);
      }
    });

    test("across the end of a block of 4 KiB, and of the next one", () => {
      const row = "https://a.b/c%2Fd?e=f&b#h";
      for (let before = BLOCK_BYTES - 60; before < BLOCK_BYTES + 5; before += atLength(4, 1)) {
        columns.expectSame([clean(before), row, clean(BLOCK_BYTES - 60), row, row, "", clean(20)]);
        columns.expectSame([
          clean(100),
          clean(before - 100),
          "",
          row,
          clean(BLOCK_BYTES - 50),
          row,
        ]);
      }
    });

    test("longer than a block of 4 KiB", () => {
      for (const bytes of [-2, -1, 0, 1, 2, 63, 64, 65, BLOCK_BYTES, 2 * BLOCK_BYTES]) {
        const long = clean(BLOCK_BYTES + bytes);
        columns.expectSame([long, clean(50), long, `${long}?b&a`, long, "", clean(50)]);
      }
    });

    test("with a stop in every byte of a block", () => {
      for (const stop of ["%", "#", "?", "(", ";", "\0", "\x80", "/.", "\n", "&"]) {
        const full = stop.repeat((2 * BLOCK_BYTES) / stop.length);
        columns.expectSame([clean(20), full, clean(20), `http://h/${full}`, clean(20)]);
        columns.expectSame([clean(20), ...full.slice(0, 300), clean(20)]);
      }
    });

    test("of up to as many bytes as a URL may have", () => {
      for (const maxLength of [30, BLOCK_BYTES + 30]) {
        const limited = new KernelColumns({ ...options, maxLength });
        for (const end of ["", "?b", "?b&a", "#a", "%2F", "%41", "(", "/..", "\n"]) {
          const some = [-2, -1, 0, 1, 2].map((more) => clean(maxLength + more - end.length) + end);
          limited.expectSame([clean(20), ...some, clean(20)]);
        }
        limited.expectSame([-2, -1, 0, 1].map((more) => `http://${"a".repeat(23 + more)}`));
      }
    });

    test("real and hostile ones in any order, cut anywhere", () => {
      const random = new Random(71);
      const some = [
        ...sampleOf(linesOf(readCorpus()), 20),
        ...hostileUrls(72, atLength(1_000, 20_000)).map((url) =>
          Buffer.from(url).toString("latin1"),
        ),
      ];
      for (let round = 0; round < atLength(3, 100, 300); round++) {
        const rows = Array.from({ length: 200 }, () => random.pick(some));
        columns.expectSame(rows);
        const cut = rows.flatMap((row) => {
          const at = random.below(row.length + 1);
          return random.chance(4) ? [row.slice(0, at), row.slice(at)] : [row];
        });
        columns.expectSame(cut);
      }
    });
  },
);

test("rows of sites with rules and of others come out as from the exact path", () => {
  const random = new Random(73);
  for (let round = 0; round < atLength(3, 70, 200); round++) {
    const rules = randomRules(random, 1 + random.below(20));
    const columns = new KernelColumns({ preset: random.pick(["safe", "crawl"]), rules });
    const some = urlsForRules(random, 100).map((url) => Buffer.from(url).toString("latin1"));
    columns.expectSame(some.flatMap((url) => (random.chance(2) ? [url, clean(40)] : [url])));
  }
});
