import { expect, test } from "vitest";
import { exportCleanParam, exportNutchRules } from "../../src/exchange/index.ts";
import { parseRules, type Rule } from "../../src/site-rules/index.ts";

const [RULE, OTHER] = parseRules(
  "#urlmill-rules 1\na.b\t*\tdrop sid\n\tnot\t/\na.b\t*\tdrop s\n",
) as [Rule, Rule];

test("a rule with exceptions is not exported, because the other formats cannot say them", () => {
  const clean = exportCleanParam([RULE, OTHER]);
  expect(clean.ignored).toEqual([{ rule: RULE, reason: "Clean-param has no exceptions" }]);
  expect(clean.files).toEqual(exportCleanParam([OTHER]).files);
  const nutch = exportNutchRules([RULE, OTHER]);
  expect(nutch.ignored).toEqual([
    { rule: RULE, reason: "a Java pattern cannot list its exceptions" },
  ]);
  expect(nutch.xml).toBe(exportNutchRules([OTHER]).xml);
});
