import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UrlmillError } from "../../../src/base/errors.ts";
import { SeenSet } from "../../../src/seen/index.ts";
import { blockHeader, HEADER } from "../../../src/seen/journal/block.ts";

const FINGERPRINT = 16;
/** A set in memory stores a first half of 0 as 1. */
const [ZERO, ONE] = [/^0{16}/, "0100000000000000"] as const;
const NEW = ["http://a/", "http://b/"];
/** The engine does not matter here, and an instance of the kernel takes time, as it does to ask for the memory there is. */
const OPTIONS = { engine: "js", key: new Uint8Array(16), maxBytes: 1 << 24 } as const;
const folder = mkdtempSync(join(tmpdir(), "urlmill-fuzz-"));
const [MANIFEST, JOURNAL] = ["set.json", "journal-1"].map((name) => join(folder, name)) as [
  string,
  string,
];
let manifest: Buffer | undefined;

/** What a journal has: the bytes before its first gap, and what its blocks say is on disk for certain. */
interface Journal {
  readonly bytes: Buffer;
  readonly whole: readonly string[];
  readonly wholeBytes: number;
  readonly certain: number;
}

/** Makes a journal of blocks with right checksums. A byte says what is wrong with each: nothing, if it is even. */
function journalOf(data: Buffer): Journal {
  const parts: Buffer[] = [];
  const whole: string[] = [];
  let [bytes, wholeBytes, certain, isWhole] = [0, 0, 0, true];
  for (let at = 0, number = 0; at + 2 <= data.length; number++) {
    const [what = 0, given = 0] = data.subarray(at, at + 2);
    const fingerprints = Buffer.from(data.subarray(at + 2, at + 2 + given));
    const size = fingerprints.length;
    at += 2 + size;
    const synced = (what & 2) === 0 ? 0 : bytes;
    const place = {
      journal: what % 64 === 33 ? 2 : 1,
      number: what % 64 === 17 ? number + 1 : number,
    };
    const header = Buffer.from(blockHeader(place, fingerprints, synced));
    if (what % 64 === 5) header[what >> 6] = 0;
    if (what % 64 === 9 && size > 0) fingerprints[0] = (fingerprints[0] as number) ^ 1;
    const isRight = ![33, 17, 5].includes(what % 64) && !(what % 64 === 9 && size > 0);
    parts.push(header, fingerprints);
    isWhole &&= isRight;
    bytes += HEADER + size;
    if (isWhole) {
      wholeBytes = bytes;
      for (let from = 0; from < size; from += FINGERPRINT) {
        const fingerprint = fingerprints.toString("hex", from, from + FINGERPRINT);
        whole.push(fingerprint.replace(ZERO, ONE));
      }
    } else if (what % 64 !== 33 && what % 64 !== 5) certain = Math.max(certain, synced);
  }
  return { bytes: Buffer.concat(parts), whole, wholeBytes, certain };
}

/** Makes the manifest, once: of an empty set. */
async function emptySet(): Promise<Buffer> {
  await (await SeenSet.open(folder, OPTIONS)).close();
  return readFileSync(MANIFEST);
}

/** Blocks of a journal: what is before the first gap is there, whatever is added later, or the set is refused. */
export async function fuzz(data: Buffer): Promise<void> {
  manifest ??= await emptySet();
  const { bytes, whole, wholeBytes, certain } = journalOf(data);
  writeFileSync(MANIFEST, manifest);
  writeFileSync(JOURNAL, bytes);
  const isPart = whole.some((fingerprint) => fingerprint.length < 2 * FINGERPRINT);
  // A set may refuse more than 64 that begin alike.
  const isAlike = whole.length > 64;
  let size = new Set(whole).size;
  for (let round = 0; round < 2; round++) {
    let set: SeenSet;
    try {
      set = await SeenSet.open(folder, OPTIONS);
    } catch (error) {
      if (!(error instanceof UrlmillError) || error.code !== "SEEN_CORRUPT") throw error;
      if (round === 0 && (certain > wholeBytes || isPart || isAlike)) return;
      throw error;
    }
    if (isPart) throw new Error("a block that ends within a fingerprint is taken");
    if (round === 0 && certain > wholeBytes)
      throw new Error(`a gap before ${certain} is not found`);
    const found = await set.size();
    if (found !== size) throw new Error(`${found} fingerprints are not ${size}`);
    const answers = await set.addBatch(NEW);
    if (round === 1 && answers.includes(1)) throw new Error("what was added is lost");
    size += answers.reduce((sum, answer) => sum + Number(answer === 1), 0);
    await set.close();
  }
}
