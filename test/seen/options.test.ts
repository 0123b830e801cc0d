import { expect, test } from "vitest";
import { disk, journal, SeenSet } from "../../src/seen/index.ts";

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

test.each([
  ["disk", { memory: 1000 }, "memory"],
  ["disk", { memory: "1g" }, "memory"],
  ["disk", { memory: Number.NaN }, "memory"],
  ["disk", { immediate: "no" }, "immediate"],
  ["disk", { fsync: "batches" }, "fsync"],
  ["disk", { memry: 1 << 24 }, 'there is no option "memry"; did you mean memory?'],
  ["disk", "batch", "options cannot be String"],
  ["journal", { fsync: "never" }, "fsync"],
  ["journal", { fsync: null }, "fsync"],
  ["journal", { memory: 1 << 24 }, 'there is no option "memory"'],
  ["journal", "batch", "options cannot be String"],
] as const)("a store %s refuses %j", (store, options, message) => {
  const open = { disk, journal }[store] as (path: string, options: unknown) => unknown;
  expect(() => open("never-made", options)).toThrow(
    expect.objectContaining({ code: "BAD_OPTION", message: expect.stringContaining(message) }),
  );
});
