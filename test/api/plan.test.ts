import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { createNormalizer as createJsNormalizer } from "../../src/js.ts";
import { decodePlan } from "../../src/plan/decode/decode.ts";

test("plan is the same for equal options, whatever the engine and the order of names", () => {
  const plan = createNormalizer({ preset: "crawl", dropParams: ["b", "a"] }).plan;
  const same = { preset: "crawl", dropParams: ["a", "b"] } as const;
  expect(createNormalizer({ ...same, engine: "js" }).plan).toEqual(plan);
  expect(createJsNormalizer(same).plan).toEqual(plan);
  expect(createNormalizer({ preset: "crawl" }).plan).not.toEqual(plan);
});

test("plan is the same whether sites share a list or have equal lists", () => {
  const [names, files] = [["b", "a"], ["index.html"]];
  const defaults = { page: "1", "2": "x" };
  const shared = { dropParams: names, keepParams: names, directoryIndex: files };
  const n = createNormalizer({
    sites: {
      "a.b": { ...shared, defaultParams: defaults },
      "c.d": { ...shared, defaultParams: defaults },
    },
  });
  const equal = createNormalizer({
    sites: {
      "a.b": { ...shared, defaultParams: { "2": "x", page: "1" } },
      "c.d": {
        dropParams: ["a", "b", "a"],
        keepParams: ["a", "b"],
        directoryIndex: ["INDEX.html", "index.html"],
        defaultParams: { page: "1", "2": "x" },
      },
    },
  });
  expect(equal.profileId).toBe(n.profileId);
});

test("plan is a copy, so that its owner may do with it what they like", () => {
  const n = createNormalizer({ preset: "crawl" });
  const before = n.plan;
  n.plan.fill(0);
  expect(n.plan).toEqual(before);
  expect(n.normalize("http://a/?utm_source=x&b#c")).toBe("http://a/?b");
  expect(n.plan.buffer.byteLength).toBe(before.length);
});

test("plan holds the options", () => {
  const { plan } = createNormalizer({ maxLength: 99, defaultScheme: "https", www: "remove" });
  expect(decodePlan(plan)).toMatchObject({ maxLength: 99, defaultScheme: "https" });
});
