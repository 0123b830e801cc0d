import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RULE_NAMES } from "../../src/engine/reasons.ts";

const KERNEL = new URL("../../assembly/reasons.ts", import.meta.url);

test("the kernel has the same numbers of rules as TypeScript", () => {
  const text = readFileSync(KERNEL, "utf8");
  const found = [...text.matchAll(/^export const BY_(\w+): u64 = (\d+);$/gm)];
  const names = RULE_NAMES.map((name, bit) => [constantOf(name), String(bit)]);
  expect(found.map(([, name, bit]) => [name, bit])).toEqual(names);
});

function constantOf(rule: string): string {
  return rule.replaceAll(/[A-Z]/g, "_$&").replaceAll(/[ -]/g, "_").toUpperCase();
}
