import { describe, test } from "vitest";
import { ROWS } from "../../src/engine/wasm/kernel.ts";
import type { NormalizerOptions } from "../../src/options/catalog.generated.ts";

import { BLOCK_BYTES, cleanLine, cleanLines, KernelLines } from "../shared/kernel-lines.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

/** Lines that the loop over clean lines mends or refuses itself under some options, and lines it leaves to others. */
const LINES = [
  "http://h.example",
  "https://a-host-of-more-than-thirty-two-bytes.example",
  "http://h/p#f",
  "http://h/p?",
  "http://h/p?b&a",
  "http://h/p?utm_source=x",
  "http://h/p?a=1&utm_source=x#!r",
  "file:///etc/hosts",
  "file:///p?b&a#f",
  "file:///p?a",
  "file:///p/./q",
  "file:///%41",
  "file://h/p",
  "file://localhost/p",
  "file://h",
  "file:",
  "ftp://h/p",
  "http://h:80/p",
  "HTTP://H",
  "http://h?b&a",
  "http://h#f",
  "http://h/%7e",
  "http://h/é",
  "",
];

const plans: readonly { readonly name: string; readonly options: NormalizerOptions }[] = [
  { name: "safe", options: {} },
  { name: "crawl", options: { preset: "crawl" } },
  {
    name: "crawl with file",
    options: { preset: "crawl", allowedSchemes: ["http", "https", "file"] },
  },
  { name: "https alone", options: { allowedSchemes: ["https"] } },
  {
    name: "a rule for a site",
    options: { preset: "crawl", rules: "#urlmill-rules 1\nh.example\t*\tdrop a" },
  },
];

describe.each(sampleOf(plans, 2))("lines come out as from the exact path, $name", ({ options }) => {
  const lines = new KernelLines(options);

  test("alone, repeated, and between clean ones", () => {
    for (const line of LINES) {
      lines.expectSame(`${line}\n`);
      lines.expectSame(line);
      lines.expectSame(`${line}\n`.repeat(40));
      lines.expectSame(`${cleanLine(40)}${line}\n${cleanLine(700)}${line}\r\n${cleanLine(20)}`);
    }
  });

  test("each after each other", () => {
    const some = LINES.flatMap((line) => LINES.map((other) => `${line}\n${other}\n`));
    lines.expectSame(some.join(""));
  });

  test("across the end of a block of 4 KiB", () => {
    const some = LINES.slice(0, 12).join("\n");
    for (let before = BLOCK_BYTES - 320; before < BLOCK_BYTES + 5; before += atLength(9, 3)) {
      lines.expectSame(`${cleanLines(before)}${some}\n${cleanLine(30)}`);
    }
  });

  test("as the last that there is room for, and the first that there is not", () => {
    for (const line of sampleOf(LINES.slice(0, 10), 3)) {
      lines.expectSame(`${cleanLine(10).repeat(ROWS - 1)}${line}\n${line}\n`);
    }
  });

  test("of as many bytes as a URL may have", () => {
    for (const line of sampleOf(LINES.slice(0, 10), 3)) {
      for (const more of [-1, 0, 1, 2]) {
        const limited = new KernelLines({ ...options, maxLength: line.length + more });
        limited.expectSame(`${line}\n${cleanLine(10)}${line}\n`);
      }
    }
  });

  test("in any order, cut anywhere", () => {
    const random = new Random(61);
    for (let round = 0; round < atLength(8, 40); round++) {
      const some = Array.from({ length: 150 }, () => `${random.pick(LINES)}\n`);
      const text = some.join("");
      lines.expectSame(text, random.chance(2), text.length - random.below(60));
    }
  });
});
