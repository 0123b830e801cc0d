import { expect, test } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";

const code = expect.objectContaining({ code: "BAD_OPTION" });

test.each([
  ["bits", null],
  ["bits", "64"],
  ["bits", 32],
  ["maxBytes", null],
  ["maxBytes", Symbol("s")],
  ["maxBytes", "1000000"],
  ["maxBytes", 10n ** 9n],
  ["capacity", null],
  ["capacity", "9"],
  ["capacity", Number.NaN],
  ["threads", null],
  ["threads", 0],
])("a set cannot have %s %s: BAD_OPTION", async (name, value) => {
  const options = { [name]: value } as object;
  expect(() => new SeenSet(options)).toThrow(code);
  await expect(SeenSet.open("never-made", options)).rejects.toThrow(code);
});

test("a path where options belong, or nothing where it belongs, is refused", async () => {
  const wrong = SeenSet as unknown as new (...args: unknown[]) => SeenSet;
  expect(() => new wrong("crawl.seen", { preset: "crawl" })).toThrow(
    /SeenSet\.open\(path, options\)/,
  );
  const open = SeenSet.open as (...args: unknown[]) => Promise<SeenSet>;
  await expect(open.call(SeenSet, { preset: "crawl" })).rejects.toThrow(
    expect.objectContaining({ code: "BAD_INPUT" }),
  );
});
