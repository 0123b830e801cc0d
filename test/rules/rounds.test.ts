import { expect, test } from "vitest";
import { RULES_HEADER } from "../../src/site-rules/index.ts";
import { describeEngines } from "../shared/engines.ts";

// The numbers are those of docs/spec.md 7, "When rules end".

const letters = (count: number): string => "a".repeat(count);

/** Rules for the paths of 1 to 40 letters, shortest first, so that a round does one step. */
const rulesOf = (action: (count: number) => string): string =>
  [RULES_HEADER, ...Array.from({ length: 40 }, (_, at) => `a.org\t*\t${action(at + 1)}`)].join(
    "\n",
  );

describeEngines("rules for sites", (create) => {
  test("apply where the 32nd round changes nothing, and else leave the URL as it was", () => {
    const rules = rulesOf((count) => `path /${letters(count)} => /${letters(count - 1)}`);
    const normalizer = create({ rules });
    expect(normalizer.normalize(`http://a.org/${letters(31)}`)).toBe("http://a.org/");
    const longer = `http://a.org/${letters(32)}`;
    expect(normalizer.normalize(longer)).toBe(longer);
  });

  test("count no round for a rule that may change the URL and does not", () => {
    const rules = rulesOf((count) => `path /${letters(count)} => /${letters(count - 1)}`);
    const normalizer = create({ rules: `${rules}\na.org\t*\tsub zz => z` });
    expect(normalizer.normalize(`http://a.org/${letters(31)}`)).toBe("http://a.org/");
  });

  test("apply where the eighth pass with options changes nothing, and else leave the URL as it was", () => {
    const rules = rulesOf((count) => `path /${letters(count + 1)} => /${letters(count)}/`);
    const normalizer = create({ rules, trailingSlash: "remove" });
    expect(normalizer.normalize(`http://a.org/${letters(8)}`)).toBe("http://a.org/a");
    const longer = `http://a.org/${letters(9)}`;
    expect(normalizer.normalize(longer)).toBe(longer);
  });
});
