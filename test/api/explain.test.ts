import { expect, test } from "vitest";
import { STEP_NAMES } from "../../src/options/catalog.generated.ts";

import { describeEngines } from "../shared/engines.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { HOSTILE_BASES, hostileUrls } from "../shared/hostile.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { SPEC_TEXT } from "../shared/spec-document.ts";

describeEngines("explain", (create) => {
  const safe = create();

  test("names each rule that changed the URL, in order, with before and after", () => {
    const { url, steps } = create({ preset: "crawl" }).explain(
      " HTTP://u@EXAMPLE.com.:80\\a/./%7e%2f|?b&utm_id=1&a#f",
    );
    expect(url).toBe("http://u@example.com/a/~%2F%7C?a&b");
    expect(steps.map(({ step }) => step)).toEqual([
      "surroundingSpace",
      "schemeCase",
      "slashes",
      "hostCase",
      "defaultPort",
      "tripletCase",
      "percentEncoding",
      "unreservedTriplets",
      "dotSegments",
      "trailingDot",
      "trackingParams",
      "sortQuery",
      "fragment",
    ]);
    expect(steps[9]).toEqual({
      step: "trailingDot",
      before: "http://u@example.com./a/~%2F%7C?b&utm_id=1&a#f",
      after: "http://u@example.com/a/~%2F%7C?b&utm_id=1&a#f",
      reference: "urlmill help trailingDot",
    });
  });

  test("has no steps for a URL in normal form, and tells the place of an error", () => {
    expect(safe.explain("http://a/")).toEqual({
      url: "http://a/",
      error: null,
      offset: -1,
      steps: [],
    });
    expect(safe.explain("http://a b/")).toEqual({
      url: null,
      error: "BAD_HOST",
      offset: 8,
      steps: [],
    });
  });

  test("shows a byte order mark, which is part of the text", () => {
    const [step] = safe.explain("\ufeffa", "http://b/").steps;
    expect(step).toMatchObject({ before: "\ufeffa", after: "http://b/%EF%BB%BFa" });
  });

  test("has no step for a host of dots only, which keeps them", () => {
    const { url, steps } = create({ trailingDot: "remove" }).explain("http://../");
    expect([url, steps]).toEqual(["http://../", []]);
  });

  test("resolves, and completes", () => {
    expect(safe.explain("../x", "http://h/a/b").steps).toEqual([
      {
        step: "base",
        before: "../x",
        after: "http://h/x",
        reference: "urlmill help base (RFC 3986 5.2, WHATWG URL 4.4)",
      },
    ]);
    const { steps } = create({ defaultScheme: "https" }).explain("A.b/x");
    expect(steps.map(({ step, after }) => [step, after])).toEqual([
      ["defaultScheme", "https://A.b/x"],
      ["hostCase", "https://a.b/x"],
    ]);
  });

  test("ends in what normalize gives, each step beginning where the last ended", () => {
    const urls = [
      ...linesOf(readCorpus()).slice(0, atLength(200, 2_000)),
      ...hostileUrls(12, atLength(200, 2_000)),
    ];
    for (const preset of ["safe", "aggressive"] as const) {
      const normalizer = create({ preset });
      for (const bytes of urls) {
        const url = Buffer.from(bytes, "latin1").toString();
        const { url: result, steps } = normalizer.explain(url);
        expect(result).toBe(normalizer.tryNormalize(url).url);
        if (result === null) continue;
        let text = url;
        for (const { before, after } of steps) {
          expect(before).toBe(text);
          text = after;
        }
        expect(text).toBe(result);
      }
    }
  });

  test("links each option to its heading in the specification", () => {
    const headings = new Set(
      [...SPEC_TEXT.matchAll(/^###? `?(.+?)`?$/gm)].map(([, heading]) => heading?.toLowerCase()),
    );
    const options = STEP_NAMES.slice(STEP_NAMES.indexOf("reading") + 1);
    expect(options.length).toBeGreaterThan(15);
    for (const option of [...options, "defaultScheme"]) {
      expect(headings).toContain(option.toLowerCase());
    }
  });

  test("leaves the triplets of a host to the step that writes them", () => {
    expect(safe.explain("x://a%E9/").steps).toEqual([]);
    expect(safe.explain("x://A%e9B/").steps.map(({ step, after }) => [step, after])).toEqual([
      ["hostCase", "x://a%e9b/"],
      ["host", "x://a%E9b/"],
    ]);
  });

  test("comes back to no text that an earlier step has left", () => {
    for (const normalizer of [safe, create({ preset: "c14n", case: "lower-path-query" })]) {
      for (const bytes of hostileUrls(13, atLength(500, 3_000))) {
        const { steps } = normalizer.explain(Buffer.from(bytes, "latin1").toString());
        const texts = steps.map(({ after }) => after);
        if (steps[0] !== undefined) texts.push(steps[0].before);
        expect(texts).toEqual([...new Set(texts)]);
      }
    }
  });

  test("accounts for real URLs by steps of their own", () => {
    const steps = new Set<string>();
    for (const url of sampleOf(Buffer.from(readCorpus()).toString().split("\n"), 10)) {
      for (const { step } of safe.explain(url).steps) steps.add(step);
    }
    expect(steps).not.toContain("reading");
    expect(steps.size).toBeGreaterThan(5);
  });

  test("takes references to any base", () => {
    for (const base of HOSTILE_BASES) {
      for (const reference of ["x/../y", "?q", "#f", "//h/%7e", ""]) {
        expect(safe.explain(reference, base).url).toBe(safe.normalize(reference, base));
      }
    }
  });
});
