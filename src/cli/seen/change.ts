import { statSync } from "node:fs";
import { devNull } from "node:os";
import { counted } from "../../base/counted.ts";
import { say } from "../../io/say.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { RUN_FLAGS } from "../../runs/call/options.ts";
import { doneOf } from "../../runs/frame/summary.ts";
import { DISPLAY_NAMES } from "../../seen/folder/store-names.ts";
import { isKeyFile } from "../../seen/keys/key-file.ts";
import { writeKeys } from "../../seen/keys/write-keys.ts";
import { convertSet } from "../../seen/stored/convert.ts";
import { type Merged, mergeSets } from "../../seen/stored/merge.ts";
import { kindIn, openStored } from "../../seen/stored/open-stored.ts";
import { removeFromSet } from "../../seen/stored/remove.ts";
import { keyOfSet } from "../options-of-set.ts";
import type { SeenArguments } from "./options.ts";

/** Runs `urlmill seen convert DIR --store KIND`. */
export async function runConvert({ directory, need }: SeenArguments): Promise<void> {
  const store = need("store");
  const count = await convertSet(directory, store);
  say(`${directory} is ${DISPLAY_NAMES[store]} now, of ${counted(count, "URL")}`);
}

/** Runs `urlmill seen export DIR -o FILE`. */
export async function runExport({ directory, need }: SeenArguments): Promise<void> {
  const file = need("output");
  if (file === "-") {
    throw new CommandFailure(
      "the keys are a secret, and standard output may not be: name a FILE",
      2,
    );
  }
  const set = await openStored(directory);
  try {
    say(
      `${counted(await writeKeys(file, set), "URL")} of ${directory} are in ${file}, with its key`,
    );
  } finally {
    await set.close();
  }
}

/** Runs `urlmill seen merge OUT IN…`. */
export async function runMerge({ directory, others, store }: SeenArguments): Promise<void> {
  if (others.length === 0) {
    throw new CommandFailure("merge which sets? see urlmill seen merge --help", 2);
  }
  sayMerged(directory, await mergeSets(directory, others, { store }));
}

export function sayMerged(directory: string, { added, size }: Merged): void {
  say(`${directory} has ${counted(size, "URL")} now, ${added} more`);
}

/** Runs `urlmill seen import DIR [FILE…]`: first sets and files of keys, then lists. */
export async function runImport(args: SeenArguments): Promise<void> {
  const { directory, others, store } = args;
  const { sets, lists } = await divide(others);
  if (sets.length > 0) {
    const like = await keyOfSet({ ...args, seen: directory });
    sayMerged(directory, await mergeSets(directory, sets, { store, like }));
  }
  if (lists.length > 0 || sets.length === 0) await importLists(args, lists);
}

/** Runs `urlmill seen remove DIR [LIST…]`. */
export async function runRemove(args: SeenArguments): Promise<void> {
  const { directory, others, call } = args;
  const { sets, lists } = await divide(others);
  const hasLists = lists.length > 0 || sets.length === 0;
  const keepLists = (into: string): Promise<void> => keepListsIn(into, args, lists);
  const { removed, missing, size } = await removeFromSet(
    directory,
    sets,
    hasLists ? keepLists : null,
  );
  if (RUN_FLAGS.quiet.read(call.values)) return;
  say(`${directory}: ${counted(removed, "URL")} removed, ${missing} not in the set, ${size} left`);
}

/** Makes a new set of lists, with the key of the set from which they are to be removed. */
async function keepListsIn(
  into: string,
  { directory, call }: SeenArguments,
  lists: readonly string[],
): Promise<void> {
  const { filter } = await import("../handlers.ts");
  const values = { ...call.values, seen: into, "key-of": directory, output: devNull };
  await filter("dedupe", { values, positionals: lists });
}

/** Divides operands into sets or files of keys, and lists. */
async function divide(
  operands: readonly string[],
): Promise<{ sets: readonly string[]; lists: readonly string[] }> {
  const sets: string[] = [];
  const lists: string[] = [];
  for (const operand of operands) ((await hasKeys(operand)) ? sets : lists).push(operand);
  return { sets, lists };
}

async function hasKeys(operand: string): Promise<boolean> {
  const found = operand === "-" ? undefined : statSync(operand, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return (await kindIn(operand)) !== null;
  return found?.isFile() === true && isKeyFile(operand);
}

/** Reads lists as `dedupe --seen` does, and writes nothing. */
async function importLists(
  { directory, call }: SeenArguments,
  lists: readonly string[],
): Promise<void> {
  const { filter } = await import("../handlers.ts");
  const values = { ...call.values, seen: directory, output: devNull };
  const prepared = await filter("dedupe", { values, positionals: lists });
  const { quiet, stats } = prepared.options;
  if (!quiet && !stats) say(`${directory}: ${doneOf(prepared, "line")}`);
}
