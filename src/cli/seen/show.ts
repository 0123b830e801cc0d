import { counted } from "../../base/counted.ts";
import { visible, visibleJson } from "../../io/text/visible.ts";
import { expectedFalseSeen } from "../../seen/contract/identity.ts";
import type { StoredReader } from "../../seen/contract/reader.ts";
import { openAny } from "../../seen/stored/open-stored.ts";
import { print } from "../print.ts";
import type { SeenArguments } from "./options.ts";

/** Runs `urlmill seen info DIR`. */
export async function runInfo({ directory, json }: SeenArguments): Promise<void> {
  const info = await using(directory, infoOf);
  await print(json ? `${visibleJson(info)}\n` : tableOf(info));
}

/** Says what a set is. The key is left out. */
interface Info {
  readonly path: string;
  readonly store: string;
  readonly size: number;
  readonly storedBytes: number;
  readonly options: Readonly<Record<string, unknown>>;
  readonly profileId: string;
  readonly bits: number;
  readonly expectedFalseSeen: number;
}

async function infoOf(set: StoredReader): Promise<Info> {
  const size = await set.size();
  const { bits } = set;
  const { profileId, options } = set.identity;
  return {
    path: set.where,
    store: set.store,
    size,
    storedBytes: set.storedBytes,
    options,
    profileId,
    bits,
    expectedFalseSeen: expectedFalseSeen(size, bits),
  };
}

function tableOf(info: Info): string {
  const rows = Object.entries(info).map(([name, value]) => {
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    return `${name.padEnd(LONGEST_NAME)}  ${visible(text)}\n`;
  });
  return rows.join("");
}

const LONGEST_NAME = "expectedFalseSeen".length;

/** Runs `urlmill seen verify DIR`. */
export async function runVerify({ directory }: SeenArguments): Promise<void> {
  await print(`${visible(await using(directory, verdictOf))}\n`);
}

/** Reads all of a set, and says that it is not damaged. Throws `SEEN_CORRUPT` if it is. */
async function verdictOf(set: StoredReader): Promise<string> {
  let bytes = 0;
  for await (const { length } of set.fingerprints()) bytes += length;
  const urls = counted(bytes / (set.bits / 8), "URL");
  const checked = set.hasChecksums
    ? "all checksums match"
    : `whole as far as ${set.store} tells: it has no checksums, so a bit that changed within a fingerprint is not found`;
  const left = set.left === null ? "" : `; not counted: ${set.left}`;
  return `${set.where}: ${urls}, ${checked}${left}`;
}

async function using<T>(where: string, use: (set: StoredReader) => Promise<T>): Promise<T> {
  const set = await openAny(where);
  try {
    return await use(set);
  } finally {
    await set.close();
  }
}
