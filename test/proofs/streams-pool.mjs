// Runs one streaming call of a pool, for streams.mjs: `node test/proofs/streams-pool.mjs CALL BYTES`. Those of streams
// take standard input; normalizeEach makes its own URLs and says on standard output how many bytes it has made.
import { writeSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createPool } from "../../dist/pool/index.js";
import { corpus } from "./streams-input.mjs";

const [, , call, bytes] = process.argv;
const TELL_BYTES = 1 << 22;

/** URLs of the corpus, again and again. */
function* urls() {
  const lines = corpus.toString("latin1").trim().split("\n");
  for (let made = 0, told = 0; made < Number(bytes); ) {
    for (const line of lines) {
      yield Buffer.from(line, "latin1").toString("latin1"); // a string of its own, as a crawler has it
      made += line.length + 1;
      if (made - told < TELL_BYTES) continue;
      writeSync(1, `${made}\n`);
      told = made;
    }
  }
}

async function* later(items) {
  yield* items;
}

async function count(answers) {
  let rows = 0;
  for await (const _ of answers) rows++;
  return rows;
}

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
const pool = createPool({ minBatchBytes: 1 << 20, threads: 2 });
const calls = {
  transform: () => pipeline(process.stdin, pool.transform(), nowhere),
  webTransform: () =>
    Readable.toWeb(process.stdin).pipeThrough(pool.webTransform()).pipeTo(Writable.toWeb(nowhere)),
  normalizeEach: () => count(pool.normalizeEach(later(urls()))),
  "normalizeEach of an array": () => count(pool.normalizeEach(urls())),
};
await calls[call]();
await pool.close();
