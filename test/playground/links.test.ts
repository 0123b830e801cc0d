import { expect, test } from "vitest";
import { fragmentOf, optionsOfFragment } from "../../playground/link.ts";
import { OPTIONS, presetValue } from "../../playground/option-values.ts";
import { createNormalizer } from "../../src/index.ts";
import { CHOICES } from "../../src/options/catalog.generated.ts";

test("a link holds every kind of option", () => {
  const options = {
    preset: "aggressive",
    engine: "js",
    maxLength: 1000,
    wwwDigits: true,
    allowedSchemes: ["https", "http"],
    directoryIndex: ["home.html", "main"],
    dropParams: ["a,b", "c d"],
    keepParams: [],
    defaultParams: { page: "1", "a b": "c" },
    hostAliases: { "*.a.example": "a.example" },
    sites: { "b.example": { www: "keep", dropParams: ["x"] } },
    rules: "#urlmill-rules 1\na.example\t*\tdrop x\n",
  };
  expect(optionsOfFragment(fragmentOf(options))).toEqual({ options, problems: [] });
  createNormalizer(options as object);
});

test("a link holds true and keep of directoryIndex", () => {
  for (const directoryIndex of [true, "keep"]) {
    expect(optionsOfFragment(fragmentOf({ directoryIndex })).options).toEqual({ directoryIndex });
  }
});

test.each([
  ["#sites={", /^Option sites is not JSON: .+ The link's value is left out\.$/],
  [
    "#hostAliases=a",
    "Option hostAliases: write name=value, with commas between. The link's value is left out.",
  ],
  ["#toString=1", "There is no option toString. The link's value is left out."],
])("%s is left out and said so", (fragment, problem) => {
  const { options, problems } = optionsOfFragment(`${fragment}&www=add`);
  expect(options).toEqual({ www: "add" });
  expect(problems).toEqual([expect.stringMatching(problem)]);
});

test("the page offers every option, with the value that each preset gives it", () => {
  expect(Object.keys(OPTIONS)).toEqual(expect.arrayContaining(Object.keys(CHOICES)));
  expect(presetValue("safe", "sortQuery")).toBe("keep");
  expect(presetValue("crawl", "sortQuery")).toBe("name");
  expect(presetValue("crawl", "www")).toBe("keep");
});
