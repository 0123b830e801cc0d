// At full length only: it repeats with tables by chance what test/cli/direct.test.ts tries with one.
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { UrlmillError } from "../../src/base/errors.ts";
import { formatOf, urlField } from "../../src/formats/index.ts";
import { type PlainFile, plainFile } from "../../src/io/files/plain-file.ts";
import { prepare } from "../../src/normalizers.ts";
import { errorLines } from "../../src/runs/base/error-list.ts";
import { LEFT_OUT, WRITTEN } from "../../src/runs/base/marks.ts";
import { InputHeaders } from "../../src/runs/call/input-headers.ts";
import type { ChunkResult, Job, Slice } from "../../src/runs/call/job.ts";
import { type DirectWork, DirectWorker } from "../../src/runs/direct/direct-worker.ts";
import type { DirectOutput } from "../../src/runs/direct/line-writer.ts";
import { type FilePlaces, recordPlaces } from "../../src/runs/direct/records/record-places.ts";
import { SharedProgress } from "../../src/runs/direct/shared-progress.ts";
import { OVERHEAD } from "../../src/runs/grid/grid-reader.ts";
import { ChunkProcessor } from "../../src/runs/rows/chunk-processor.ts";
import { hostileList, LINES, TABLES } from "../formats/hostile-cases.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

// Workers that take turns by chance write records of small chunks as one processor writes the whole list.

const folder = tempFolder();

const { setup } = prepare({ preset: "crawl" });
const { plan } = setup;
const module = setup.module as WebAssembly.Module;
const key = new Uint8Array(16).fill(3);

/** What workers write of a list, and the errors that they list. */
function runWorkers(
  random: Random,
  {
    files,
    places,
    job,
    bits,
    least,
  }: {
    readonly files: readonly PlainFile[];
    readonly places: readonly FilePlaces[];
    readonly job: Job;
    readonly bits: 64 | 128;
    /** The least bytes of a chunk. */
    readonly least: number;
  },
) {
  const threads = 1 + random.below(3);
  const chunkBytes = Math.max(least, random.pick([4, 16, 64, 512]));
  const isChained = formatOf(job.format, job.field).lastEnd !== undefined;
  const names = ["out", "errors", "map"].map((name) => join(folder, name));
  const [output, errors, map] = names.map((name) => ({ fd: openSync(name, "w"), name, skip: 0 }));
  const keys = { fingerprintKey: key, bits, perKey: 1, engine: "auto", maxBytes: 1 << 26 } as const;
  const work: DirectWork = {
    plan,
    module,
    longestRecord: 1 << 20,
    onError: job.onError,
    emit: job.emit,
    counts: true,
    filter: null,
    files,
    records: { job, places },
    chunkBytes,
    threads,
    held: 2,
    output: output as DirectOutput,
    errors: errors as DirectOutput,
    map: job.maps ? (map as DirectOutput) : null,
    progress: SharedProgress.allocate(threads, 2 * threads, chunkBytes, bits / 8, isChained),
    keys: job.fingerprintKey === null ? null : keys,
  };
  const workers = Array.from({ length: threads }, (_, number) => new DirectWorker(work, number));
  const progress = new SharedProgress(work.progress);
  let idle = 0;
  while (workers.some(({ isDone }) => !isDone)) {
    idle = random.pick(workers).step() ? 0 : idle + 1;
    if (idle > 1000) throw new Error("every worker waits for another");
  }
  for (const worker of workers) worker.close();
  for (const opened of [output, errors, map]) closeSync(opened?.fd as number);
  const [text, listed, merged] = names.map((name) => readFileSync(name, "latin1"));
  return { text, errors: listed, map: merged, isLeft: progress.isLeft };
}

/** What one processor writes of whole lists, of whose equal rows the first is kept. */
function runWhole(
  lists: readonly string[],
  job: Job,
): { text: string; errors: string; map: string } {
  const processor = new ChunkProcessor({ ...setup, engine: "js", module: null }, job);
  const headers = new InputHeaders(formatOf(job.format, job.field), null);
  const seen = new Set<string>();
  let [text, errors, map, before] = ["", "", "", 1];
  for (const list of lists) {
    headers.start("");
    const input = new SharedArrayBuffer(list.length);
    Buffer.from(input).write(list, "latin1");
    const place = headers.placeOf(new Uint8Array(input));
    const output = new SharedArrayBuffer(0);
    const result = processor.run({ input, output, length: list.length, place });
    const isMerged = new Uint8Array(result.rows);
    text += chosenOf(input, result, seen, isMerged);
    if (job.maps && result.rowsToMerge !== null) {
      const { lines: starts } = result.rowsToMerge;
      const whole = { at: 0, bytes: list.length };
      const task = { memory: input, text: whole, output: result.output, starts, isMerged, place };
      map += Buffer.from(processor.list(task)).toString("latin1");
    }
    errors += Buffer.from(errorLines(result.errors, before)).toString("latin1");
    before += result.rows;
  }
  return { text, errors, map };
}

function chosenOf(
  input: SharedArrayBuffer,
  { output, text, rowsToMerge }: ChunkResult,
  seen: Set<string>,
  isMerged: Uint8Array,
): string {
  const bytes = ({ at, bytes }: Slice) => Buffer.from(output, at, bytes);
  if (rowsToMerge === null) return bytes(text).toString("latin1");
  const { status, fingerprints, starts, text: rows } = rowsToMerge;
  const ends = new Int32Array(output, starts.at, starts.bytes >> 2);
  const all = rows === null ? Buffer.from(input) : bytes(rows);
  let written = "";
  for (const [row, mark] of bytes(status).entries()) {
    const fingerprint = bytes(fingerprints).toString("hex", 16 * row, 16 * row + 16);
    if (mark === LEFT_OUT) continue;
    if (mark !== WRITTEN && seen.has(fingerprint)) {
      isMerged[row] = 1;
      continue;
    }
    if (mark !== WRITTEN) seen.add(fingerprint);
    written += all.toString("latin1", ends[row], ends[row + 1]);
  }
  return written;
}

/** Writes a list to a file, some after a byte order mark, and returns the file. */
function fileOf(random: Random, name: string, text: string): PlainFile | null {
  const file = join(folder, name);
  writeFileSync(file, `${random.chance(3) ? "\xef\xbb\xbf" : ""}${text}`, "latin1");
  return plainFile(file);
}

/** A record of CSV or TabSeparated with line ends inside. */
const longRecord = (separator: string): string => {
  const text = `${"x".repeat(20)}\\\n`;
  return `"${text.repeat(OVERHEAD / 20)}"${separator}http://long/\n`;
};

/** Returns what a run writes, or why it stops: a header of CDX after records may name other columns. */
function outcome<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    if (error instanceof UrlmillError) return error.message;
    throw error;
  }
}

const endsLine = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

describe.each([...sampleOf(TABLES, 2), ...LINES])(
  "records of $name with $field by $header, from a file to a file",
  ({ name, field, header, delimiter, ...lines }) => {
    const isTable = header !== undefined && name !== "cdx";
    const record = {
      ...urlField(name, { field, ...(isTable ? { header: true } : {}) }),
      delimiter,
    };
    const format = formatOf(name, record);
    const head = header === undefined ? "" : `${header}\n`;

    test("are written by workers as by one", () => {
      const random = new Random(35);
      let compared = 0;
      for (let round = 0; round < atLength(8, 300); round++) {
        const dedupes = random.chance(2);
        const job: Job = {
          format: name,
          field: record,
          base: undefined,
          onError: random.pick(["keep", "empty"]),
          emit: random.pick(dedupes ? ["original", "normalized", "both"] : ["normalized", "both"]),
          form: random.pick(["url", "surt"]),
          fingerprintKey: dedupes ? key : null,
          value: null,
          also: null,
          maps: dedupes && random.chance(2),
          lists: true,
          counts: true,
          filter: null,
          shows: false,
        };
        // A record far longer than what is read before a chunk.
        const isLong = format.lastEnd !== undefined && random.chance(3);
        // One in four lists may have quotes that are not closed.
        const isSound = !random.chance(4);
        const part = (): string => {
          const text = hostileList(lines, random);
          const isOpen = format.mend?.(text, true, text.length).quotes.length;
          return isSound && isOpen ? part() : text;
        };
        const lists = Array.from({ length: 1 + random.below(2) }, () => {
          const parts = Array.from({ length: 6 }, part);
          if (isLong) parts.splice(random.below(6), 0, longRecord(name === "csv" ? "," : "\t"));
          const text = head + parts.join("");
          return random.chance(4) ? text.slice(0, -1) : text;
        });
        const files = lists.map((text, at) => fileOf(random, `list-${at}`, text));
        // A list whose first bytes look like another format is not read.
        if (!files.every((file) => file !== null)) continue;
        const places = recordPlaces(files, format);
        if (places === null) continue;
        // A header of lines ends in the first chunk.
        const least = format.lastEnd === undefined ? head.length : isLong ? atLength(1024, 64) : 0;
        const bits = random.pick([64, 128] as const);
        const work = { files, places, job, bits, least };
        const written = outcome(() => runWorkers(random, work));
        const whole = outcome(() => runWhole(lists.map(endsLine), job));
        if (typeof written === "string" || typeof whole === "string") {
          expect(written).toEqual(whole);
          continue;
        }
        const { isLeft, ...output } = written;
        if (!isLeft) {
          expect(output).toEqual(whole);
          compared++;
          continue;
        }
        // The chunked mode does all again, and leaves out what was written.
        expect(name).toBe("csv");
        expect(whole.text.startsWith(output.text as string)).toBe(true);
        expect(whole.errors.startsWith(output.errors as string)).toBe(true);
        expect(whole.map.startsWith(output.map as string)).toBe(true);
      }
      expect(compared).toBeGreaterThan(atLength(5, 20));
    });
  },
);

test("a record of more than 64 MiB is left to the chunked mode after what is before it", () => {
  const format = formatOf("csv", urlField("csv", { field: "1" }));
  const file = fileOf(new Random(1), "long", `a,b\n"${"x\n".repeat(1 << 25)}`) as PlainFile;
  const work = {
    files: [file],
    places: recordPlaces([file], format) as FilePlaces[],
    job: {
      format: "csv",
      field: urlField("csv", { field: "1" }),
      base: undefined,
      onError: "keep",
      emit: "normalized",
      form: "url",
      fingerprintKey: null,
      value: null,
      also: null,
      maps: false,
      lists: true,
      counts: true,
      filter: null,
      shows: false,
    },
    bits: 128,
    least: 1 << 18,
  } as const;
  expect(runWorkers(new Random(1), work).isLeft).toBe(true);
  expect(readFileSync(join(folder, "out"), "latin1")).toBe("a,b\n");
});
