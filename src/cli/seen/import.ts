import { statSync } from "node:fs";
import { devNull } from "node:os";
import { say } from "../../io/say.ts";
import { doneOf } from "../../runs/frame/summary.ts";
import { isKeyFile } from "../../seen/keys/key-file.ts";
import { mergeSets } from "../../seen/stored/merge.ts";
import { kindIn } from "../../seen/stored/open-stored.ts";
import { keyOfSet } from "../options-of-set.ts";
import { sayMerged } from "./change.ts";
import type { SeenArguments } from "./options.ts";

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
