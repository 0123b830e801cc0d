import { describe, expect, test } from "vitest";
import { isError, Status } from "../../src/base/status.ts";
import { writeRow } from "../../src/engine/js/row.ts";
import { isNormal } from "../../src/engine/js/scan.ts";
import { Kernel } from "../../src/engine/wasm/kernel.ts";
import { decodePlan } from "../../src/plan/decode/decode.ts";
import { parseBase } from "../../src/url/base.ts";
import { toColumn } from "../shared/columns.ts";
import { KERNEL, planFor } from "../shared/engine-parts.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { optionUrls } from "../shared/random-options.ts";

const plan = planFor();
const loaded = decodePlan(plan);
const base = parseBase("https://h/a/b?q");

/** Mostly normal URLs with one thing in them that may not be, at every place in a 16-byte block. */
function nearlyNormal(count: number): string[] {
  const random = new Random(16);
  const parts = [
    "/.",
    "%7E",
    "%7e",
    "%2F",
    "%2f",
    "'",
    "#",
    "##",
    "?",
    "//",
    "\\",
    "%",
    "..",
    "A",
    "-",
    "é",
    "\x80",
    "[",
    "/..",
    "%00",
  ];
  const heads = [
    "http://",
    "https://",
    "file://",
    "file:///",
    "http://1",
    "https://a.b-c_d.",
    "http://xn--",
    "ftp://",
    "HTTP://",
  ];
  return Array.from({ length: count }, () => {
    const host =
      "abcdefghijklmnopqrstuvwx".slice(0, random.below(24)) +
      random.pick(["", ".com", ".0", ".0x1", ".1a", "."]);
    const path = "/0123456789abcdefghijklmnopqrstuvwxyz".slice(0, 1 + random.below(36));
    const rest = path + random.pick(parts) + "tail".slice(random.below(5));
    return random.pick(heads) + host + (random.chance(9) ? random.pick(parts) : "") + rest;
  });
}

const real = sampleOf(linesOf(readCorpus()), 40);
const inputs = [
  ...real,
  ...hostileUrls(99, atLength(1_000, 20_000)),
  ...nearlyNormal(atLength(1_000, 50_000)),
];

describe("the fast path says yes only to what the exact path would not change", () => {
  test("in JavaScript", () => {
    const yes = inputs.filter(isNormal);
    expect(yes.filter((url) => writeRow(url, null, loaded) !== url)).toEqual([]);
    expect(yes.filter((url) => writeRow(url, base, loaded) !== url)).toEqual([]);
  });

  test("in the kernel", () => {
    // A space in front keeps a row from the fast path and changes nothing else.
    const fast = run(inputs).status;
    const exact = run(inputs.map((url) => ` ${url}`));
    const wrong = inputs.filter((url, row) => {
      const unchanged = !isError(exact.status[row] as number) && exact.outputs[row] === url;
      return (fast[row] === Status.UNCHANGED) !== unchanged;
    });
    expect(wrong).toEqual([]);
  });
});

/** Queries of few names, in and out of order, listed, empty, repeated, with a shared beginning. */
function queries(count: number): string[] {
  const random = new Random(17);
  const names = ["a", "b", "id", "utm_source", "UTM_x", "gclid", "category_id", "category_ix", ""];
  const more = ["CFID", "cftoken", "PHPSESSID", "x%41", "%C3%A9", "é", "a;b", "q?", "z/."];
  const tails = ["", "", "", "#", "#x", "#!r", "#a#b", "#%zz"];
  return Array.from({ length: count }, () => {
    const pieces = Array.from({ length: random.below(random.chance(20) ? 45 : 6) }, () => {
      const name = random.pick(random.chance(5) ? more : names);
      return name + random.pick(["", "=", "=1", "=%2F", "==", "=value-of-some-length"]);
    });
    const path = random.pick(["", "/", "/p", "/p;jsessionid=1", "/p/./q", "/p;v=1/index.html"]);
    return `http://h.example${path}?${pieces.join("&")}${random.pick(tails)}`;
  });
}

// Under rules the kernel's exact path ends in its fast one, so the JavaScript engine's tells what is right.
test.each(["safe", "crawl", "c14n", "aggressive"] as const)(
  "lines come out of the fast paths as the exact path of the other engine writes them, preset %s",
  (preset) => {
    const bytes = planFor({ preset });
    const kernel = new Kernel(bytes, 1 << 16, KERNEL);
    const decoded = decodePlan(bytes);
    const rows = [
      ...inputs,
      ...queries(atLength(1_000, 20_000)),
      ...optionUrls(18, atLength(1_000, 20_000)),
    ].filter((row) => !/[\n\r]/.test(row));
    const wrong: string[] = [];
    for (let first = 0; first < rows.length; first += 200) {
      const some = rows.slice(first, first + 200).map(toBytes);
      const { status, outputs } = linesOfKernel(kernel, some);
      for (const [row, url] of some.entries()) {
        const written = writeRow(url, null, decoded);
        const isUrl = typeof written === "string";
        const expected = isUrl ? written : "";
        const code = !isUrl
          ? Status[written.code]
          : written === url
            ? Status.UNCHANGED
            : Status.CHANGED;
        if (outputs[row] !== expected || status[row] !== code) wrong.push(url);
      }
    }
    expect(wrong).toEqual([]);
  },
);

/** As the byte string that Buffer makes of it. */
function toBytes(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}

function linesOfKernel(
  kernel: Kernel,
  rows: readonly string[],
): { status: number[]; outputs: string[] } {
  const bytes = Buffer.from(`${rows.join("\n")}\n`, "latin1");
  kernel.input.set(bytes);
  expect(kernel.normalizeLines(bytes.length, true)).toBe(rows.length);
  const outputs = Buffer.from(kernel.output).toString("latin1").split("\n").slice(0, -1);
  return { status: [...kernel.status.subarray(0, rows.length)], outputs };
}

test("nine of ten real URLs take the fast path, in both engines", () => {
  expect(real.filter(isNormal).length).toBeGreaterThan(0.9 * real.length);
});

/** Rows one at a time, which scan.ts looks at; of more rows at a time clean.ts passes most before it is asked. */
function run(rows: readonly string[]): { status: Uint8Array; outputs: string[] } {
  const kernel = new Kernel(plan, 1 << 16, KERNEL);
  const status = new Uint8Array(rows.length);
  const outputs: string[] = [];
  for (let first = 0; first < rows.length; first++) {
    const { data, offsets } = toColumn(rows.slice(first, first + 1));
    kernel.input.set(data);
    kernel.inOffsets.set(offsets);
    const done = kernel.normalizeColumn(offsets.length - 1);
    expect(done).toBe(offsets.length - 1);
    status.set(kernel.status.subarray(0, done), first);
    const output = Buffer.from(kernel.output).toString("latin1");
    for (let row = 0; row < done; row++) {
      outputs.push(output.slice(kernel.outOffsets[row], kernel.outOffsets[row + 1]));
    }
  }
  return { status, outputs };
}
