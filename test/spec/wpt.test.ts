import { expect, test } from "vitest";
import { isError } from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";
import { readJsonFixture } from "../shared/fixtures.ts";
import { writeHref } from "../shared/model.ts";

interface UrlTest {
  readonly input: string;
  readonly base: string | null;
  readonly href?: string;
  readonly failure?: true;
}

const SPECIAL = /^(?:https?|wss?|ftp|file):/i;

const cases = readJsonFixture<(UrlTest | string)[]>("wpt/urltestdata.json").filter(
  (entry): entry is UrlTest => typeof entry !== "string",
);

/** The scheme the case is read by: its own, or its base's. */
function isSpecial({ input, base, href }: UrlTest): boolean {
  if (href !== undefined) return SPECIAL.test(href);
  const text = input.replaceAll(/^[\0- ]+|[\t\n\r]/g, "");
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0] ?? base ?? "";
  return SPECIAL.test(scheme);
}

describeEngines("web-platform-tests urltestdata.json, special schemes", (create) => {
  const normalizer = create();

  test("is all there", () => {
    expect(cases.length).toBe(891);
    expect(cases.filter(isSpecial).length).toBeGreaterThan(600);
  });

  test.each(
    cases
      .filter(isSpecial)
      .map((entry) => [JSON.stringify([entry.input, entry.base]), entry] as const),
  )("%s gives the href that is listed", (_, { input, base, href }) => {
    const result = normalizer.tryNormalize(input, base ?? undefined);
    if (href === undefined) expect(isError(result.status)).toBe(true);
    else expect(result.url).toBe(writeHref(href));
  });
});
