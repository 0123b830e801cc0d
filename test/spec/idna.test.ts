import { expect, test } from "vitest";
import { describeEngines } from "../shared/engines.ts";
import { readJsonFixture } from "../shared/fixtures.ts";

interface IdnaTest {
  readonly input: string;
  readonly output: string | null;
  readonly comment?: string;
}

/** Is in rows that the files refuse, as they are of Unicode 17.0. It came with 18.0. */
const NEWER = "\u{3e8ac}";

describeEngines("web-platform-tests", (create) => {
  const normalizer = create();

  test.each(["toascii.json", "IdnaTestV2.json"])("%s gives the hosts that it lists", (name) => {
    const cases = readJsonFixture<(IdnaTest | string)[]>(`wpt/${name}`).filter(
      (entry): entry is IdnaTest => typeof entry !== "string" && !entry.input.includes(NEWER),
    );
    expect(cases.length).toBeGreaterThan(80);
    const wrong = cases.filter(({ input, output }) => {
      if (input === "") return false; // no host at all: the URL Standard takes what follows for one
      const expected = output === null ? null : `https://${output}/x`;
      return (
        normalizer.tryNormalize(`https://${encodeURIComponent(Buffer.from(input).toString())}/x`)
          .url !== expected
      );
    });
    expect(wrong).toEqual([]);
  });
});
