import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { createNormalizer as createJsNormalizer } from "../../src/js.ts";
import { decodePlan } from "../../src/plan/decode.ts";

test("plan is the same for equal options, whatever the engine and the order of names", () => {
  const plan = createNormalizer({ preset: "crawl", dropParams: ["b", "a"] }).plan;
  const same = { preset: "crawl", dropParams: ["a", "b"] } as const;
  expect(createNormalizer({ ...same, engine: "js" }).plan).toEqual(plan);
  expect(createJsNormalizer(same).plan).toEqual(plan);
  expect(createNormalizer({ preset: "crawl" }).plan).not.toEqual(plan);
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
