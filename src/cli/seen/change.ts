import { counted } from "../../base/counted.ts";
import { say } from "../../io/say.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { DISPLAY_NAMES } from "../../seen/folder/store-names.ts";
import { writeKeys } from "../../seen/keys/write-keys.ts";
import { convertSet } from "../../seen/stored/convert.ts";
import { type Merged, mergeSets } from "../../seen/stored/merge.ts";
import { openStored } from "../../seen/stored/open-stored.ts";
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

/** Says what a merge has added. */
export function sayMerged(directory: string, { added, size }: Merged): void {
  say(`${directory} has ${counted(size, "URL")} now, ${added} more`);
}
