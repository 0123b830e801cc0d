import { counted } from "../../base/counted.ts";
import { writeWhole } from "../../io/files/whole-file.ts";
import { openSource } from "../../io/open-source.ts";
import { say } from "../../io/say.ts";
import { checkFiles } from "../../runs/base/files.ts";
import type { LearnArguments } from "./options.ts";
import { pageRecords } from "./page-records.ts";
import { chunksFrom } from "./read-records.ts";

/** Runs `urlmill learn fingerprint [FILE…]`. */
export async function runFingerprint(args: LearnArguments): Promise<void> {
  await checkFiles(args.files, [args.out]);
  let [pages, others] = [0, 0];
  async function* lines(): AsyncGenerator<string> {
    for (const file of args.files) {
      const source = await openSource(file);
      try {
        for await (const { record, ...prints } of pageRecords(file, chunksFrom(source))) {
          if (prints.text === undefined) others++;
          else pages++;
          yield `${JSON.stringify({ ...record, ...prints })}\n`;
        }
      } finally {
        await source.close();
      }
    }
  }
  await writeWhole(args.out, lines());
  say(`${counted(pages, "page")} with fingerprints, ${counted(others, "other response")}`);
}
