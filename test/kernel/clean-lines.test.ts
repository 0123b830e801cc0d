import { describe, test } from "vitest";
import { ROWS } from "../../src/engine/wasm/kernel.ts";
import type { NormalizerOptions } from "../../src/options/catalog.generated.ts";

import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { BLOCK_BYTES, cleanLine, cleanLines, KernelLines } from "../shared/kernel-lines.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { randomRules, urlsForRules } from "../shared/random-rules.ts";

const STOPS = [
  ..."%#?/.();\\ '&=|\x00\x80\xe9AZ[^~\r\t\x7f",
  ..."%41 %7E %7e %2F %2f %C3%A9 %0 /. /.. /( // #a#b ?a&b ?b&a ?a#b #a?b #%2F #%41 ?a/./b ?id=1 ?b=1&a=2 ?a&a ?=&= ?a&&b ?utm_source=x ?v=1;jsessionid=2 ?cfid=1&cftoken=2 ?a=%41 ?a=%2F&b=( ?a=b=c?d=e ?a=1#/r ?b&a#!r?x;y #:~:text=a #utm_a=b #a/.b ?#".split(
    " ",
  ),
];

const plans: readonly { readonly name: string; readonly options: NormalizerOptions }[] = [
  { name: "safe", options: {} },
  { name: "crawl", options: { preset: "crawl" } },
  { name: "crawl with routes kept", options: { preset: "crawl", fragment: "keep-route" } },
  {
    name: "https in order, fragments kept",
    options: { allowedSchemes: ["https"], sortQuery: "name" },
  },
  { name: "sorted by value", options: { sortQuery: "name-value", fragment: "remove-text" } },
];

describe.each(sampleOf(plans, 2))("lines come out as from the exact path, $name", ({ options }) => {
  const lines = new KernelLines(options);

  test("of each length, from each offset of a block of 64 bytes", () => {
    const some = Array.from({ length: 140 }, (_, index) => cleanLine(10 + index)).join("");
    for (let offset = 0; offset < 64; offset++) lines.expectSame(cleanLine(10 + offset) + some);
  });

  test("with each kind of stop at each offset of a block of 64 bytes", () => {
    for (const stop of STOPS) {
      const some = Array.from(
        { length: atLength(66, 130) },
        (_, index) => `https://a.b/${"c".repeat(index)}${stop}d\n${cleanLine(40)}`,
      );
      lines.expectSame(some.join(""));
    }
  });

  test("with any two bytes after a percent sign", () => {
    const bytes = [..."/09:@AFGOPZ[`afgz~%\x7f\xe9"];
    for (const part of ["", "?b=", "#"]) {
      const some = bytes.flatMap((one) =>
        bytes.map((other) => `http://h/${part}%${one}${other}d\n`),
      );
      lines.expectSame(some.join(""));
    }
  });

  test("with a host of each length, and each byte after it", () => {
    for (const scheme of ["http", "https", "file"]) {
      for (const host of [
        "",
        "a.",
        "1.",
        "a.1",
        "l",
        "localhost",
        "a.b_",
        "A",
        "a%41",
        "a@b",
        "a:80",
      ]) {
        const ends = ["/", "", "?", "#", "?a", "#a", "/?", "/#", "\\", ":/", "/.", "/%41", "\r"];
        for (const after of sampleOf(ends, 2)) {
          const some = Array.from(
            { length: 40 },
            (_, index) => `${scheme}://${"x".repeat(index)}${host}${after}\n`,
          );
          lines.expectSame(some.join(""));
        }
      }
    }
  });

  test("across the end of a block of 4 KiB, and of the next one", () => {
    const line = `https://a.b/c%2Fd?e=f&g#h\n`;
    for (let before = BLOCK_BYTES - 45; before < BLOCK_BYTES + 5; before += atLength(3, 1)) {
      const some = cleanLines(before) + line + cleanLines(BLOCK_BYTES - 60) + line + line;
      lines.expectSame(some);
    }
  });

  test("longer than a block of 4 KiB", () => {
    for (const bytes of [-2, -1, 0, 1, 2, 63, 64, 65, BLOCK_BYTES, 2 * BLOCK_BYTES]) {
      const long = cleanLine(BLOCK_BYTES + bytes);
      lines.expectSame(long + cleanLine(50) + long + long.slice(0, -1));
      lines.expectSame(`${cleanLine(50)}${long.slice(0, -1)}?a#b\n${long}${cleanLines(100)}`);
    }
  });

  test("without the last LF, while the next bytes of the input look like its end", () => {
    const text = `${cleanLine(60)}https://a.b/c%2Fd?e=f#g\n${cleanLine(60)}`;
    for (let length = 0; length <= text.length; length += atLength(2, 1)) {
      lines.expectSame(text, true, length);
      lines.expectSame(text, false, length);
    }
  });

  test("ended by CR LF, some or all", () => {
    const some = linesOf(readCorpus()).filter((_, row) => row % 500 === 0);
    lines.expectSame(`${some.join("\r\n")}\r\n`);
    lines.expectSame(`${some.join("\r\n")}\r`);
    lines.expectSame(`${some.join("\n\r\n")}\r\r\n`);
    lines.expectSame(some.map((url, row) => url + (row % 3 === 0 ? "\r\n" : "\n")).join(""));
  });

  test("with a stop in every byte of a block", () => {
    for (const stop of ["%", "#", "?", "(", ";", "\0", "\x80", "/."]) {
      const full = stop.repeat((2 * BLOCK_BYTES) / stop.length);
      lines.expectSame(
        `${cleanLine(20)}${full}\n${cleanLine(20)}http://h/${full}\n${cleanLine(20)}`,
      );
    }
    lines.expectSame("\n".repeat(3 * BLOCK_BYTES));
    lines.expectSame(`http://h/${"%2F".repeat(BLOCK_BYTES)}\n${cleanLine(20)}`);
  });

  test("with more stops than there is room for, among rows whose copies lie after that room", () => {
    const dense = `http://h/${"%2F".repeat(BLOCK_BYTES / 8)}\n${"\n".repeat(2 * BLOCK_BYTES)}`;
    const tabs = `${cleanLine(30)}http://h/${"a\tb".repeat(BLOCK_BYTES)}\n${cleanLine(30)}`;
    lines.expectSame(tabs + dense + tabs);
  });

  test("where the call before left stops at bytes that end other lines now", () => {
    lines.expectSame(cleanLine(100));
    lines.expectSame(cleanLine(10).repeat(10));
    lines.expectSame(cleanLines(BLOCK_BYTES) + cleanLine(1_000));
    lines.expectSame(cleanLine(10).repeat(1_000));
  });

  test("of up to as many bytes as a URL may have", () => {
    for (const maxLength of [30, BLOCK_BYTES + 30]) {
      const limited = new KernelLines({ ...options, maxLength });
      const ends = ["", "?b", "?b&a", "#a", "%2F", "%41", "(", "/..", "\r"];
      const some = ends.map((end) => {
        const few = [-3, -2, -1, 0, 1, 2].map((more) =>
          cleanLine(1 + maxLength + more - end.length).replace("\n", `${end}\n`),
        );
        return few.join("");
      });
      limited.expectSame(some.join(""));
    }
  });

  test("real and hostile ones in any order, cut anywhere", () => {
    const random = new Random(41);
    const some = [
      ...sampleOf(linesOf(readCorpus()), 20),
      ...hostileUrls(42, atLength(1_000, 20_000)).map((url) => Buffer.from(url).toString("latin1")),
    ];
    for (let round = 0; round < atLength(6, 100, 300); round++) {
      const text = Array.from(
        { length: 200 },
        () => random.pick(some) + (random.chance(4) ? "\r\n" : "\n"),
      ).join("");
      lines.expectSame(text, random.chance(2), text.length - random.below(100));
    }
  });
});

test("a call takes as many lines as there is room for rows, and leaves the others", () => {
  const lines = new KernelLines({});
  lines.expectSame(cleanLine(10).repeat(ROWS - 1));
  lines.expectSame(cleanLine(10).repeat(ROWS));
  lines.expectSame(cleanLine(10).repeat(ROWS + 1));
  lines.expectSame(`${cleanLine(10).repeat(ROWS - 1)}HTTP://A\n${cleanLine(10)}`);
});

test("lines of sites with rules and of others come out as from the exact path", () => {
  const random = new Random(43);
  for (let round = 0; round < atLength(5, 70, 200); round++) {
    const rules = randomRules(random, 1 + random.below(20));
    const lines = new KernelLines({ preset: random.pick(["safe", "crawl"]), rules });
    const some = urlsForRules(random, 100).filter((url) => !/[\r\n]/.test(url));
    const text = some.map((url) => `${url}\n${random.chance(2) ? cleanLine(40) : ""}`).join("");
    lines.expectSame(Buffer.from(text).toString("latin1"));
  }
});
