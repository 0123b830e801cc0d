import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Lane, type LaneWork } from "../../src/cli/direct/lane.ts";
import type { LaneTotals } from "../../src/cli/direct/lane-counts.ts";
import { Ledger } from "../../src/cli/direct/ledger.ts";
import { Tally } from "../../src/cli/tally.ts";
import { compileKernel } from "../../src/engine/wasm/instance.ts";
import { createNormalizer } from "../../src/index.ts";
import { escapeLine } from "../../src/io/line-escape.ts";
import { plainFile } from "../../src/io/plain-file.ts";
import { compileOptions } from "../../src/options/compile.ts";
import { type NormalizerOptions, resolveOptions } from "../../src/options/options.ts";
import { encodePlan } from "../../src/plan/encode.ts";
import { statusName } from "../../src/status.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const folder = mkdtempSync(join(tmpdir(), "urlmill-lanes-"));
afterAll(() => rmSync(folder, { recursive: true }));

const MAX_LENGTH = 3000;
const OPTIONS: NormalizerOptions = { preset: "crawl", maxLength: MAX_LENGTH };

interface Case {
  readonly lists: readonly string[];
  readonly dedupes: boolean;
  readonly onError: "keep" | "empty";
  readonly threads: number;
  readonly chunkBytes: number;
  readonly bits?: 128 | 64;
  readonly options?: NormalizerOptions;
}

/** What lanes write that take turns by chance, and what they count. */
function runLanes(seed: number, { lists, threads, chunkBytes, ...rest }: Case) {
  const { dedupes, onError, bits = 128, options = OPTIONS } = rest;
  const held = 2;
  const files = lists.map((list, at) => {
    const name = join(folder, `list-${at}`);
    writeFileSync(name, list, "latin1");
    return plainFile(name) as NonNullable<ReturnType<typeof plainFile>>;
  });
  const out = join(folder, "out");
  const fd = openSync(out, "w");
  const errors = join(folder, "errors");
  const errorsFd = openSync(errors, "w");
  const rows = Math.ceil(chunkBytes / 3) + 2;
  const key = Uint8Array.from({ length: 16 }, (_, at) => at);
  const keys = { fingerprintKey: key, bits, engine: "auto", maxBytes: 1 << 26 } as const;
  const work: LaneWork = {
    plan: encodePlan(compileOptions(resolveOptions(options))),
    module: compileKernel(),
    maxLength: options.maxLength ?? MAX_LENGTH,
    onError,
    files,
    threads,
    chunkBytes,
    held,
    counts: true,
    output: { fd, name: out, skip: 0 },
    errors: { fd: errorsFd, name: errors, skip: 0 },
    ledger: Ledger.allocate(threads, held * threads, rows, bits / 8),
    keys: dedupes ? keys : null,
  };
  const lanes = Array.from({ length: threads }, (_, number) => new Lane(work, number));
  const random = new Random(seed);
  let idle = 0;
  while (lanes.some(({ isDone }) => !isDone)) {
    idle = random.pick(lanes).step() ? 0 : idle + 1;
    if (idle > 1000) throw new Error("every lane waits for another");
  }
  const tally = new Tally();
  for (const lane of lanes) {
    lane.close();
    tally.addCounts(lane.totals as LaneTotals);
  }
  closeSync(fd);
  closeSync(errorsFd);
  return {
    text: readFileSync(out, "latin1"),
    errorList: readFileSync(errors, "latin1"),
    totals: new Ledger(work.ledger).totals,
    counts: { changed: tally.changed, errorsByCode: tally.errorsByCode, rules: tally.rules },
  };
}

/** The same, line by line, by the engine in JavaScript. */
function runByLine({ lists, dedupes, onError, options = OPTIONS }: Case) {
  const normalizer = createNormalizer({ ...options, engine: "js" });
  const seen = new Set<string>();
  let text = "";
  let lines = 0;
  let errors = 0;
  let errorList = "";
  let changed = 0;
  const errorsByCode: Record<string, number> = {};
  const rules: Record<string, number> = {};
  const addTo = (counts: Record<string, number>, name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const list of lists) {
    const all = list.replace(/^\xef\xbb\xbf/, "").split("\n");
    if (all.at(-1) === "") all.pop();
    for (const line of all) {
      lines++;
      const content = line.replace(/\r$/, "");
      const { bytes, status } = normalizer.normalizeLines(Buffer.from(`${content}\n`, "latin1"));
      const key = Buffer.from(bytes).toString("latin1");
      const kept = dedupes ? `${line}\n` : `${content}\n`;
      if (status[0] === 1) {
        changed++;
        const { steps } = normalizer.explainBytes(content);
        for (const rule of new Set(steps.map((step) => step.rule))) addTo(rules, rule);
      }
      if ((status[0] as number) > 1) {
        errors++;
        const code = statusName(status[0] as number);
        addTo(errorsByCode, code);
        errorList += `${lines}\t${code}\t${escapeLine(content)}\n`;
        if (onError === "keep") text += kept;
        else if (!dedupes) text += "\n";
      } else if (!dedupes) {
        text += key;
      } else if (!seen.has(key)) {
        seen.add(key);
        text += kept;
      }
    }
  }
  return {
    text,
    errorList,
    totals: { lines, errors, keys: seen.size },
    counts: { changed, errorsByCode, rules },
  };
}

const HOSTS = ["a.example", "A.example", "b\xc3\xbccher.example", "\xc3\x9f.example", "xn--a"];

function lineOf(random: Random): string {
  switch (random.below(12)) {
    case 0:
      return random.pick(["", "no URL", "http://", "http://a b/", "\r", "a:", "b:"]);
    case 1:
      return `http://${random.pick(HOSTS)}/${"x".repeat(random.below(2 * MAX_LENGTH))}`;
    case 2:
      return `HTTP://${random.pick(HOSTS)}/?b=${random.below(9)}&a=%7e%2f`;
    default:
      return `http://${random.pick(HOSTS)}/${random.below(40)}`;
  }
}

function listOf(random: Random): string {
  let list = random.chance(3) ? "\xef\xbb\xbf" : "";
  for (let lines = random.below(120); lines > 0; lines--) {
    list += lineOf(random) + random.pick(["\n", "\n", "\n", "\r\n"]);
  }
  return list + random.pick(["", "", "http://last.example/", "http://last.example/\r", "\r", "x"]);
}

function caseOf(random: Random): Case {
  return {
    lists: Array.from({ length: 1 + random.below(3) }, () => listOf(random)),
    dedupes: !random.chance(3),
    onError: random.pick(["keep", "empty"]),
    threads: 1 + random.below(3),
    chunkBytes: random.pick([5, 64, 257, 1024, 5000, 1 << 18]),
    bits: random.pick([128, 64]),
  };
}

function expectSame(seed: number, given: Case): void {
  const { text, errorList, totals, counts } = runLanes(seed, given);
  const expected = runByLine(given);
  const { lists, ...shown } = given;
  if (text !== expected.text) {
    const at = [...text].findIndex((character, index) => character !== expected.text[index]);
    expect({ seed, shown, at, text: text.slice(at - 80, at + 80) }).toEqual({
      seed,
      shown,
      at,
      text: expected.text.slice(at - 80, at + 80),
    });
  }
  expect(errorList === expected.errorList, `errors of ${seed}`).toBe(true);
  expect({ seed, counts }).toEqual({ seed, counts: expected.counts });
  expect(totals).toMatchObject({ ...expected.totals, bytesOut: expected.text.length });
}

describe("lanes that take turns by chance", () => {
  test("write and count what the other engine does line by line, wherever chunks are cut", () => {
    for (let seed = 1; seed <= atLength(60, 600); seed++) {
      expectSame(seed, caseOf(new Random(seed)));
    }
  });

  test("take more lines than a kernel has room for at first", () => {
    const lists = [`${"a:\n".repeat(30_000)}${"\n".repeat(40_000)}b:\n`];
    for (const dedupes of [true, false]) {
      expectSame(1, { lists, dedupes, onError: "keep", threads: 2, chunkBytes: 1 << 18 });
    }
  });

  test("take lines that become many times as long", () => {
    const alias = "x".repeat(60);
    const options: NormalizerOptions = {
      maxLength: MAX_LENGTH,
      hostAliases: { a: `${alias}.${alias}.${alias}.example` },
    };
    const lists = ["http://a\n".repeat(20_000)];
    for (const dedupes of [true, false]) {
      const given = { lists, dedupes, onError: "keep", threads: 2, chunkBytes: 1 << 18 } as const;
      expectSame(1, { ...given, options });
    }
  });

  test("copy a line that is longer than many chunks in pieces", () => {
    const long = `http://a/${"x".repeat(1_000_000)}`;
    for (const end of ["\n", "\r\n", "\r", ""]) {
      for (const dedupes of [true, false]) {
        const lists = [`http://b/\n${long}${end}`, `${long}\r\nhttp://B\n${long}\n`];
        expectSame(1, { lists, dedupes, onError: "keep", threads: 3, chunkBytes: 4096 });
      }
    }
  });
});
