import { readFileSync } from "node:fs";
import normalizeUrl from "normalize-url";
import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { sampleOf } from "../shared/length.ts";
import { codeSpans, readOptions, readTables } from "../shared/spec-document.ts";

const README = readFileSync(new URL("../../examples/README.md", import.meta.url), "utf8");
const tables = readTables(README.split("## From browsertrix-crawler's")[1] ?? "");
const optionText = /const options = \{([^}]*)\};/.exec(README)?.[1] ?? "";
const normalizer = createNormalizer(readOptions(optionText));

/** The options that browsertrix-crawler gives to normalize-url. */
const OPTIONS = {
  defaultProtocol: "https",
  stripAuthentication: false,
  stripTextFragment: false,
  stripWWW: false,
  stripHash: false,
  removeTrailingSlash: false,
  removeSingleSlash: false,
  removeExplicitPort: false,
  sortQueryParameters: true,
  removePath: false,
} as const;

const AN_ERROR = "an error";

function theirs(url: string): string {
  try {
    return normalizeUrl(url, OPTIONS);
  } catch (error) {
    expect(error).toMatchObject({ message: "Invalid URL" });
    return AN_ERROR;
  }
}

const ours = (url: string): string => normalizer.tryNormalize(url).url ?? AN_ERROR;
const textOf = (cell = ""): string => codeSpans(cell)[0] ?? cell;

describe("the options for browsertrix-crawler's normalization", () => {
  const [same, other] = tables.map(({ rows }) => rows);

  test.each(same ?? [])("give what normalize-url gives: $input", ({ input, both }) => {
    expect(ours(textOf(input))).toBe(textOf(both));
    expect(theirs(textOf(input))).toBe(textOf(both));
  });

  test.each(other ?? [])("differ as they are said to: $input", (row) => {
    expect(theirs(textOf(row["input"]))).toBe(textOf(row["normalize-url"]));
    expect(ours(textOf(row["input"]))).toBe(textOf(row["urlmill"]));
  });

  test("have rows of both kinds", () => {
    expect([same?.length, other?.length]).toEqual([16, 11]);
  });

  test("give the same for 96 % of real URLs, and 3 % differ in the slash of an empty path", () => {
    const urls = sampleOf(linesOf(readCorpus()), 20);
    const pairs = urls.map((url) => [theirs(url), ours(url)] as const);
    const same = pairs.filter(([their, our]) => their === our);
    const root = pairs.filter(([their, our]) => `${their}/` === our);
    const percent = (part: unknown[]): number => Math.round((100 * part.length) / urls.length);
    expect([percent(same), percent(root)]).toEqual([96, 3]);
  });
});
