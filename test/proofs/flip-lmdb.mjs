// Opens copies of an LMDB environment, each with one bit of its meta pages flipped, in processes that
// LMDB may end. Says what became of them; fails where one was ended. Its argument is an empty folder.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { SeenSet } from "urlmill/seen";
import { lmdb } from "urlmill/seen/lmdb";

const [folder, first] = process.argv.slice(2);
const base = join(folder, "base");
const META_BYTES = 168;
const urls = Array.from({ length: 3_000 }, (_, row) => `http://a.example/${row}`);

async function outcomeOf(directory) {
  let set;
  try {
    set = await SeenSet.open(lmdb(directory));
    const found = (await set.hasBatch(urls)).filter((isThere) => isThere === 1).length;
    await set.addBatch(["http://b.example/"]);
    return found === urls.length ? "opened" : `opened with ${found} URLs`;
  } catch (error) {
    return error.code;
  } finally {
    await set?.close().catch(() => {}); // what failed before is what counts
  }
}

/** Tries bits from `start` on and writes a line for each. */
async function flip(start) {
  const bytes = readFileSync(join(base, "data.mdb"));
  const pageSize = bytes.readUInt32LE(48);
  for (let bit = start; bit < 3 * 8 * META_BYTES; bit++) {
    const [page, inPage] = [Math.floor(bit / (8 * META_BYTES)), bit % (8 * META_BYTES)];
    const copy = Buffer.from(bytes);
    copy[(page * pageSize) / 2 + (inPage >> 3)] ^= 1 << (inPage & 7);
    const directory = join(folder, `${bit}`);
    mkdirSync(directory);
    writeFileSync(join(directory, "data.mdb"), copy);
    writeSync(1, `${bit} ${await outcomeOf(directory)}\n`);
    rmSync(directory, { recursive: true });
  }
}

if (first !== undefined) {
  await flip(Number(first));
} else {
  const set = await SeenSet.open(lmdb(base));
  await set.addBatch(urls);
  await set.close();
  const outcomes = {};
  let ended = 0;
  for (let next = 0; next < 3 * 8 * META_BYTES; ) {
    const args = [process.argv[1], folder, `${next}`];
    const { stdout, signal } = spawnSync(process.execPath, args, { encoding: "utf8" });
    for (const [, bit, outcome] of stdout.matchAll(/^(\d+) (.*)$/gm)) {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      next = Number(bit) + 1;
    }
    if (next === 3 * 8 * META_BYTES) break;
    console.log(`bit ${next} ended the process: ${signal}`);
    ended++;
    next++;
  }
  console.log(outcomes);
  process.exitCode = ended === 0 ? 0 : 1;
}
