import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type FormatName, formatOf, urlField } from "../../src/formats/index.ts";
import { type PlainFile, plainFile } from "../../src/io/files/plain-file.ts";
import { prepare } from "../../src/normalizers.ts";
import { ChunkProcessor } from "../../src/runs/chunked/chunk-processor.ts";
import { eachError } from "../../src/runs/chunked/error-list.ts";
import { type DirectWork, DirectWorker } from "../../src/runs/direct/direct-worker.ts";
import { type FilePlaces, recordPlaces } from "../../src/runs/direct/record-places.ts";
import { SharedProgress } from "../../src/runs/direct/shared-progress.ts";
import { type ChunkResult, type Job, LEFT_OUT, type Slice, WRITTEN } from "../../src/runs/job.ts";
import { CASES, hostileList } from "../formats/hostile-cases.ts";
import { START } from "../formats/whole.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

// Workers that take turns by chance write records of small chunks as one processor writes the whole list.

const folder = mkdtempSync(join(tmpdir(), "urlmill-direct-records-"));
afterAll(() => rmSync(folder, { recursive: true }));

const { setup } = prepare({ preset: "crawl" });
const { plan } = setup;
const module = setup.module as WebAssembly.Module;
const key = new Uint8Array(16).fill(3);

/** What workers write of a list, and the errors that they list. */
function runWorkers(random: Random, files: readonly PlainFile[], job: Job, bits: 64 | 128) {
  const places = recordPlaces(files, formatOf(job.format, job.field)) as FilePlaces[];
  const threads = 1 + random.below(3);
  // A header ends in the first chunk.
  const chunkBytes = random.pick(job.field.hasHeader ? [16, 64, 512] : [4, 16, 64, 512]);
  const [out, errors] = [join(folder, "out"), join(folder, "errors")];
  const [fd, errorsFd] = [openSync(out, "w"), openSync(errors, "w")];
  const keys = { fingerprintKey: key, bits, engine: "auto", maxBytes: 1 << 26 } as const;
  const work: DirectWork = {
    plan,
    module,
    maxLength: 1 << 20,
    onError: job.onError,
    counts: true,
    files,
    records: { job, places },
    chunkBytes,
    threads,
    held: 2,
    output: { fd, name: out, skip: 0 },
    errors: { fd: errorsFd, name: errors, skip: 0 },
    progress: SharedProgress.allocate(threads, 2 * threads, chunkBytes, bits / 8),
    keys: job.fingerprintKey === null ? null : keys,
  };
  const workers = Array.from({ length: threads }, (_, number) => new DirectWorker(work, number));
  let idle = 0;
  while (workers.some(({ isDone }) => !isDone)) {
    idle = random.pick(workers).step() ? 0 : idle + 1;
    if (idle > 1000) throw new Error("every worker waits for another");
  }
  for (const worker of workers) worker.close();
  closeSync(fd);
  closeSync(errorsFd);
  return { text: readFileSync(out, "latin1"), errors: readFileSync(errors, "latin1") };
}

/** What one processor writes of a whole list, of whose equal rows the first is kept. */
function runWhole(text: string, job: Job): { text: string; errors: string } {
  const input = new SharedArrayBuffer(text.length);
  Buffer.from(input).write(text, "latin1");
  const processor = new ChunkProcessor({ ...setup, engine: "js", module: null }, job);
  const output = new SharedArrayBuffer(0);
  const result = processor.run({ input, output, length: text.length, place: START });
  let errors = "";
  eachError(result.errors, (row, line) => {
    errors += `${row + 1}\t${line}`;
  });
  return { text: chosenOf(input, result), errors };
}

function chosenOf(input: SharedArrayBuffer, { output, text, rowsToMerge }: ChunkResult): string {
  const bytes = ({ at, bytes }: Slice) => Buffer.from(output, at, bytes);
  if (rowsToMerge === null) return bytes(text).toString("latin1");
  const { status, fingerprints, starts, text: rows } = rowsToMerge;
  const ends = new Int32Array(output, starts.at, starts.bytes >> 2);
  const all = rows === null ? Buffer.from(input) : bytes(rows);
  const seen = new Set<string>();
  let written = "";
  for (const [row, mark] of bytes(status).entries()) {
    const fingerprint = bytes(fingerprints).toString("hex", 16 * row, 16 * row + 16);
    if (mark === LEFT_OUT || (mark !== WRITTEN && seen.has(fingerprint))) continue;
    if (mark !== WRITTEN) seen.add(fingerprint);
    written += all.toString("latin1", ends[row], ends[row + 1]);
  }
  return written;
}

const HEADERS: Partial<Record<FormatName, string>> = {
  tsv: "id\turl\n",
  cdx: " CDX N b a m s k S\n",
};
const FORMATS = Object.entries(CASES).filter(
  ([name]) => formatOf(name as FormatName, urlField(name, {})).hasPlainLines,
);

describe.each(FORMATS)("records of %s from a file to a file", (name, { field, parts, good }) => {
  const header = HEADERS[name as FormatName] ?? "";
  const isTable = header !== "" && name === "tsv";

  test("are written by workers as by one", () => {
    const random = new Random(35);
    let compared = 0;
    for (let round = 0; round < atLength(20, 600); round++) {
      const dedupes = random.chance(2);
      const job: Job = {
        format: name as FormatName,
        field: urlField(name, isTable ? { field: "url" } : { field }),
        base: undefined,
        onError: random.pick(["keep", "empty"]),
        emit: random.pick(dedupes ? ["original", "normalized", "both"] : ["normalized", "both"]),
        form: random.pick(["url", "surt"]),
        fingerprintKey: dedupes ? key : null,
        maps: false,
        lists: true,
        counts: true,
        shows: false,
      };
      const lists = Array.from({ length: 6 }, () => hostileList({ parts, good }, random));
      const text = header + lists.join("");
      const file = join(folder, "list");
      writeFileSync(file, text, "latin1");
      const plain = plainFile(file);
      // A list whose first bytes look like another format is not read.
      if (plain === null) continue;
      expect(runWorkers(random, [plain], job, random.pick([64, 128]))).toEqual(runWhole(text, job));
      compared++;
    }
    expect(compared).toBeGreaterThan(atLength(12, 40));
  });
});
