import { counted } from "../../base/counted.ts";
import { say } from "../../io/say.ts";
import { parseCrawlLines, parseRules } from "../../site-rules/language/rule-file.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { readText } from "../read-text.ts";

/** Reads the rules of a file for a command that takes only rules. Says so if the file has lines for a crawl. */
export function readRules(file: string): Rule[] {
  const text = readText(file);
  const { length } = parseCrawlLines(text);
  if (length > 0)
    say(
      `${file}: ${counted(length, "line")} with trust, noindex or exhausted left out: this is for rules`,
    );
  return parseRules(text);
}
