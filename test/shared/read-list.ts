import { expect } from "vitest";
import { importList, type ListName } from "../../src/exchange/lists/import-list.ts";
import { writeRules } from "../../src/site-rules/index.ts";

export const LIST_DAY = "2026-11-26";

/** Returns the lines of the rules of a list, without header and evidence, and what was left out as `LINE reason`. */
export function readList(from: ListName, text: string): { rules: string[]; left: string[] } {
  const { rules, leftOut } = importList(text, from, LIST_DAY);
  const lines = writeRules(rules).trimEnd().split("\n").slice(1);
  const evidence = `\tlist:${from} ${LIST_DAY}`;
  for (const line of lines)
    expect(line.endsWith(evidence) || line.startsWith("\tunless")).toBe(true);
  return {
    rules: lines.map((line) => line.replace(evidence, "")),
    left: leftOut.map(({ line, text: shown, reason }) => `${line} ${shown}: ${reason}`),
  };
}
