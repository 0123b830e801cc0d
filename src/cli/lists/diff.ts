import { counted } from "../../base/counted.ts";
import { createNormalizer } from "../../index.ts";
import { writeWhole } from "../../io/files/whole-file.ts";
import { say } from "../../io/say.ts";
import { singleRules } from "../../learn/rule-audit.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { checkFiles } from "../../runs/base/files.ts";
import { writeUnless } from "../../site-rules/language/exception-text.ts";
import {
  parseCrawlLines,
  parseRules,
  writeCrawlLine,
} from "../../site-rules/language/rule-file.ts";
import { writeRule } from "../../site-rules/language/rule-line.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { readLines } from "../learn/read-lines.ts";
import { readText } from "../read-text.ts";
import type { ListsArguments } from "./commands.ts";

/** So many URLs are normalized together. */
const BATCH = 4096;

/** Runs `urlmill lists diff OLD NEW [FILE]`. */
export async function runDiff({ files, output = "-" }: ListsArguments): Promise<void> {
  const [before, after, urls, ...others] = files;
  if (before === undefined || after === undefined || others.length > 0) {
    throw new CommandFailure(
      "lists diff takes two files of rules and perhaps a list of URLs; see urlmill lists diff --help",
      2,
    );
  }
  await checkFiles([before, after, ...(urls === undefined ? [] : [urls])], [output]);
  const texts = [readText(before), readText(after)] as const;
  const [was, is] = [partsOf(texts[0]), partsOf(texts[1])];
  const gone = [...was].filter((part) => !is.has(part)).map((part) => `-\t${part}\n`);
  const added = [...is].filter((part) => !was.has(part)).map((part) => `+\t${part}\n`);
  const changes = [...gone, ...added];
  const keys = urls === undefined ? null : await changedKeys(texts, urls);
  await writeWhole(output, [...changes, ...(keys?.lines ?? [])]);
  const rules = `${gone.length} gone, ${added.length} new, ${is.size - added.length} as before`;
  const ofUrls =
    keys === null
      ? ""
      : `; ${keys.lines.length} of ${counted(keys.urls, "URL")} with another normalized form`;
  say(`${rules}${ofUrls}`);
}

/** Returns what a file of rules says, one name at a time, without evidence: rules, then lines for a crawl. */
function partsOf(text: string): Set<string> {
  const lines = parseCrawlLines(text).map((line) => writeCrawlLine({ ...line, evidence: null }));
  return new Set([...parseRules(text).flatMap(partsOfRule), ...lines]);
}

function partsOfRule(rule: Rule): string[] {
  const unless = writeUnless(rule).replaceAll("\n\t", "\t");
  const except = [...(rule.except ?? [])].map((target) => `\tnot\t${target}`).join("");
  return singleRules(rule).map((each) => writeRule({ ...each, evidence: null }) + unless + except);
}

/** Returns a line for each URL whose normalized form is another one under the new rules, and the number of URLs. */
async function changedKeys(
  [before, after]: readonly [string, string],
  file: string,
): Promise<{ lines: string[]; urls: number }> {
  const accept = "pattern";
  const was = createNormalizer({ rules: before, accept });
  const is = createNormalizer({ rules: after, accept });
  const lines: string[] = [];
  let urls = 0;
  let batch: string[] = [];
  const compare = () => {
    const [old, now] = [was.normalizeBatch(batch).urls, is.normalizeBatch(batch).urls];
    for (const [row, url] of batch.entries()) {
      if (old[row] === null) continue;
      urls++;
      if (old[row] !== now[row]) lines.push(`=\t${url}\t${old[row]}\t${now[row]}\n`);
    }
    batch = [];
  };
  for await (const { line } of readLines([file])) {
    batch.push(line.replace(/\r$/, ""));
    if (batch.length === BATCH) compare();
  }
  compare();
  return { lines, urls };
}
