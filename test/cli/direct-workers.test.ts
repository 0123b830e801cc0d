import { closeSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { statusName } from "../../src/base/status.ts";
import { createNormalizer, type Normalizer } from "../../src/index.ts";
import { plainFile } from "../../src/io/files/plain-file.ts";
import { escapeLine } from "../../src/io/text/line-escape.ts";
import type { NormalizerOptions } from "../../src/options/catalog.generated.ts";
import { Tally } from "../../src/runs/call/tally.ts";
import { type DirectWork, DirectWorker } from "../../src/runs/direct/direct-worker.ts";
import { SharedProgress } from "../../src/runs/direct/shared-progress.ts";
import type { WorkerTotals } from "../../src/runs/rows/worker-counts.ts";
import { KERNEL, planFor } from "../shared/engine-parts.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

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
  /** The limit of each partition of the set. */
  readonly maxBytes?: number;
}

/** Ends all workers after so many steps. */
interface End {
  readonly steps: number;
  /** A break begins all again; after an interrupt nothing follows. */
  readonly by: "break" | "interrupt";
}

/** What workers write that take turns by chance, and what they count. */
function runWorkers(seed: number, { lists, threads, chunkBytes, ...rest }: Case, end?: End) {
  const { dedupes, onError, bits = 128, options = OPTIONS, maxBytes = 1 << 26 } = rest;
  const held = 2;
  const files = lists.map((list, at) => {
    const name = join(folder, `list-${at}`);
    writeFileSync(name, list, "latin1");
    return plainFile(name) as NonNullable<ReturnType<typeof plainFile>>;
  });
  const [out, errors] = [join(folder, "out"), join(folder, "errors")];
  const [fd, errorsFd] = [openSync(out, "w"), openSync(errors, "w")];
  const key = Uint8Array.from({ length: 16 }, (_, at) => at);
  const keys = { fingerprintKey: key, bits, perKey: 1, engine: "auto", maxBytes } as const;
  const begin = (): DirectWork => ({
    plan: planFor(options),
    module: KERNEL,
    records: null,
    longestRecord: longestLine(chunkBytes, options),
    onError,
    emit: dedupes ? "original" : "normalized",
    files,
    threads,
    chunkBytes,
    held,
    counts: true,
    filter: null,
    output: { fd, name: out, skip: statSync(out).size },
    errors: { fd: errorsFd, name: errors, skip: statSync(errors).size },
    progress: SharedProgress.allocate(threads, held * threads, chunkBytes, bits / 8, false),
    map: null,
    keys: dedupes ? keys : null,
  });
  const random = new Random(seed);
  const take = (work: DirectWork, steps: number, by?: End["by"]) => {
    const workers = Array.from({ length: threads }, (_, number) => new DirectWorker(work, number));
    const progress = new SharedProgress(work.progress);
    let idle = 0;
    for (let step = 0; workers.some(({ isDone }) => !isDone); step++) {
      if (step === steps) by === "break" ? progress.stop() : progress.interrupt();
      else idle = random.pick(workers).step() ? 0 : idle + 1;
      if (idle > 1000) throw new Error("every worker waits for another");
    }
    const tally = new Tally();
    for (const worker of workers) {
      worker.end();
      worker.close();
      tally.addCounts(worker.totals as WorkerTotals);
    }
    const { changed, errorsByCode, steps: byStep } = tally;
    const { isStopped, isCut, totals } = progress;
    return { isStopped, isCut, totals, counts: { changed, errorsByCode, steps: byStep } };
  };
  let result = take(begin(), end?.steps ?? -1, end?.by);
  if (result.isStopped && end?.by === "break") result = take(begin(), -1);
  closeSync(fd);
  closeSync(errorsFd);
  const [text, errorList] = [readFileSync(out, "latin1"), readFileSync(errors, "latin1")];
  return { ...result, text, errorList };
}

/** A line that a chunk and what is before it can hold is read whole, whatever its length. */
function longestLine(chunkBytes: number, { maxLength = MAX_LENGTH }: NormalizerOptions): number {
  return Math.max(maxLength + 1, chunkBytes + (1 << 10));
}

const normalizers = new Map<NormalizerOptions, Normalizer>();

function normalizerOf(options: NormalizerOptions): Normalizer {
  let normalizer = normalizers.get(options);
  if (normalizer === undefined) {
    normalizer = createNormalizer({ ...options, engine: "js" });
    normalizers.set(options, normalizer);
  }
  return normalizer;
}

/** Returns what the engine in JavaScript makes of a line, and which rules change it; a line that comes again is looked up. */
function normalizeByLine(options: NormalizerOptions) {
  const normalizer = normalizerOf(options);
  const known = new Map<string, { key: string; status: number; rules: ReadonlySet<string> }>();
  return (content: string) => {
    const before = known.get(content);
    if (before !== undefined) return before;
    const { bytes, status } = normalizer.normalizeLines(Buffer.from(`${content}\n`, "latin1"));
    const steps = status[0] === 1 ? normalizer.explainBytes(content).steps : [];
    const result = {
      key: Buffer.from(bytes).toString("latin1"),
      status: status[0] as number,
      rules: new Set(steps.map(({ step }) => step)),
    };
    known.set(content, result);
    return result;
  };
}

/** The same, line by line, by the engine in JavaScript. */
function runByLine({ lists, dedupes, onError, chunkBytes, options = OPTIONS }: Case) {
  const normalize = normalizeByLine(options);
  const seen = new Set<string>();
  let text = "";
  let lines = 0;
  let errors = 0;
  let duplicates = 0;
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
      const { key, status, rules: applied } = normalize(content);
      const kept = dedupes ? `${line}\n` : `${content}\n`;
      if (status === 1) changed++;
      for (const rule of applied) addTo(rules, rule);
      if (status > 1) {
        errors++;
        const code = statusName(status);
        addTo(errorsByCode, code);
        errorList += `${lines}\t${code}\t${escapeLine(content)}\n`;
        if (onError === "empty") {
          if (!dedupes) text += "\n";
          continue;
        }
      }
      // No normal form without an error is empty, and none has the same characters as a text with one.
      const written = status > 1 ? content : key;
      if (!dedupes) {
        text += status > 1 ? kept : key;
      } else if (content.length > longestLine(chunkBytes, options)) {
        text += kept;
      } else if (seen.has(written)) {
        duplicates++;
      } else {
        seen.add(written);
        text += kept;
      }
    }
  }
  return {
    text,
    errorList,
    totals: { lines, errors, duplicates, keys: seen.size },
    counts: { changed, errorsByCode, steps: rules },
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
  const again = `http://\xff${"y".repeat(random.below(2 * MAX_LENGTH))}`;
  for (let lines = random.below(120); lines > 0; lines--) {
    const line = random.chance(8) ? again : lineOf(random);
    list += line + random.pick(["\n", "\n", "\n", "\r\n"]);
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

function expectSame(seed: number, given: Case, end?: End, expected = runByLine(given)): void {
  const { text, errorList, totals, counts } = runWorkers(seed, given, end);
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

describe("workers that take turns by chance", () => {
  test("write and count what the other engine does line by line, wherever chunks are cut", () => {
    for (let seed = 1; seed <= atLength(2, 100, 300); seed++) {
      expectSame(seed, caseOf(new Random(seed)));
    }
  });

  test("write the same where they begin again after a break at any step", () => {
    for (let seed = 1001; seed <= 1000 + atLength(2, 70, 200); seed++) {
      const random = new Random(seed);
      expectSame(seed, caseOf(random), { steps: random.below(200), by: "break" });
    }
  });

  test("leave a beginning of whole lines where they are interrupted at any step", () => {
    let cuts = 0;
    for (let seed = 2001; seed <= 2000 + atLength(2, 70, 200); seed++) {
      const random = new Random(seed);
      const given = caseOf(random);
      const { text, errorList, isCut } = runWorkers(seed, given, {
        steps: random.below(200),
        by: "interrupt",
      });
      const expected = runByLine(given);
      const pairs = [
        [text, expected.text],
        [errorList, expected.errorList],
      ] as const;
      for (const [found, whole] of pairs) {
        const isBeginning = whole.startsWith(isCut ? found.slice(0, -1) : found);
        expect({ seed, isBeginning }).toEqual({ seed, isBeginning: true });
        expect(found).toMatch(/^$|\n$/);
      }
      if (isCut) cuts++;
    }
    expect(cuts).toBe(0); // a line of less than 256 KiB is written at once
  });

  test("end a line of many pieces, and say that it is cut, where they are interrupted in it", () => {
    const lists = [`http://b/\nhttp://a/${"x".repeat(1_000_000)}\nhttp://c/\n`];
    const given = {
      lists,
      dedupes: true,
      onError: "keep",
      threads: 1,
      chunkBytes: 1 << 18,
    } as const;
    const expected = runByLine(given);
    const cut = [];
    for (let steps = atLength(11, 0); steps < atLength(16, 20); steps++) {
      const { text, isCut } = runWorkers(1, given, { steps, by: "interrupt" });
      expect(text).toMatch(/^$|\n$/);
      if (isCut) cut.push(text.length);
      if (atLength(steps === 13, true)) expectSame(1, given, { steps, by: "break" }, expected);
    }
    expect(cut).toEqual([1, 2, 3].map((pieces) => 10 + pieces * (1 << 18) + 1));
  });

  test("take lines of one letter", () => {
    const options = { maxLength: MAX_LENGTH, defaultScheme: "http" } as const;
    const lists = ["a\nb\n".repeat(6_000)];
    for (const [dedupes, threads] of [
      [true, 1],
      [true, 2],
      [false, 2],
    ] as const) {
      expectSame(1, { lists, dedupes, onError: "keep", threads, chunkBytes: 1 << 14, options });
    }
  });

  test("take more lines than a kernel has room for at first", () => {
    const lists = [`${"a:\n".repeat(30_000)}${"\n".repeat(40_000)}b:\n`];
    for (const dedupes of sampleOf([true, false], 2)) {
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
    for (const dedupes of sampleOf([true, false], 2)) {
      const given = { lists, dedupes, onError: "keep", threads: 2, chunkBytes: 1 << 18 } as const;
      expectSame(1, { ...given, options });
    }
  });

  test("copy a line that is longer than many chunks in pieces", () => {
    const long = `http://a/${"x".repeat(atLength(300_000, 1_000_000))}`;
    const cases = ["\n", "\r\n", "\r", ""].flatMap((end) =>
      [true, false].map((dedupes) => ({ end, dedupes })),
    );
    for (const { end, dedupes } of sampleOf(cases, 5)) {
      const lists = [`http://b/\n${long}${end}`, `${long}\r\nhttp://B\n${long}\n`];
      expectSame(1, { lists, dedupes, onError: "keep", threads: 3, chunkBytes: 4096 });
    }
  });

  test("expect that keys will have no room, and go on until they have none", () => {
    const lines = Array.from({ length: 260_000 }, (_, at) => `http://a/${at}\n`).join("");
    const many = { dedupes: true, onError: "keep", threads: 2, chunkBytes: 1 << 16 } as const;
    const { totals, text } = runWorkers(1, { ...many, lists: [lines, lines], maxBytes: 1 << 23 });
    expect(text).toBe(lines);
    // Each partition has room for 225,280 keys, and half of the input has 130,000 for it.
    expect(totals.keyCapacity).toBe(450_560);
    expect(totals.expectedKeys).toBeGreaterThan(500_000);
    const [roomy] = [runWorkers(1, { ...many, lists: [lines, lines] })];
    expect(roomy.totals.expectedKeys).toBe(0);
  });
});
