import { expect, test } from "vitest";
import type { NormalizerOptions } from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";
import { describeRules, ruled } from "../shared/ruled.ts";

describeRules("the rule slash path", [
  [
    ["a.b | * | slash path"],
    [
      ["http://a.b/x", "http://a.b/x/"],
      ["http://a.b/x/y?q=/z.html#f", "http://a.b/x/y/?q=/z.html#f"],
      ["http://u:p@a.b/x?", "http://u:p@a.b/x/?"],
      ["http://a.b/x/", "http://a.b/x/"],
      ["http://a.b/x//", "http://a.b/x//"],
      ["http://a.b", "http://a.b/"],
      ["http://a.b/x.html", "http://a.b/x.html"],
      ["http://a.b/v1.2", "http://a.b/v1.2"],
      ["http://a.b/v1.2/x", "http://a.b/v1.2/x/"],
      ["http://c.d/x", "http://c.d/x"],
    ],
  ],
  [
    ["a.b | /x/... ?p | slash path", "a.b | * | drop p"],
    [
      ["http://a.b/x/y?p=1&q", "http://a.b/x/y/?q"],
      ["http://a.b/y?p=1", "http://a.b/y"],
    ],
  ],
  [["* | * | drop p", "* | * | slash path"], [["http://a.b/x?p&q&p=2", "http://a.b/x/?q"]]],
  [
    ["a.b | * | slash path", "a.b | * | scheme https", "a.b | * | host a.b => c.d"],
    [["http://a.b/x", "https://c.d/x/"]],
  ],
]);

describeEngines("the rule slash path", (create) => {
  test.each([
    ["a.b | * | slash path", "a.b | * | path /.../ => /<1>"],
    ["a.b | * | slash path", "a.b | * | sub /<$> => "],
    ["a.b | * | path /.../ => /<1>", "a.b | * | slash path"],
    ["a.b | * | slash path", "a.b | /x... | sink /x"],
  ])("leaves a URL alone that another rule would never let rest: %s, %s", (...lines) => {
    const normalizer = ruled(create, lines);
    expect(normalizer.normalize("http://a.b/x")).toBe("http://a.b/x");
  });

  test("does not make a URL longer than maxLength", () => {
    const normalizer = ruled(create, ["a.b | * | slash path"], { maxLength: 14 });
    expect(normalizer.normalize("http://a.b/xy")).toBe("http://a.b/xy/");
    expect(normalizer.normalize("http://a.b/xyz")).toBe("http://a.b/xyz");
  });

  test("does not make a URL longer than 65,536 bytes", () => {
    const normalizer = ruled(create, ["a.b | * | slash path"]);
    const filled = (length: number) => `http://a.b/${"x".repeat(length - 11)}`;
    expect(normalizer.normalize(filled(65_535))).toBe(`${filled(65_535)}/`);
    expect(normalizer.normalize(filled(65_536))).toBe(filled(65_536));
  });

  test.each<[string, NormalizerOptions]>([
    ["a.b", { trailingSlash: "remove" }],
    ["a.b:81", { preset: "aggressive" }],
    ["a.b", { sites: { "a.b": { trailingSlash: "remove" } } }],
    ["x.a.b", { sites: { "*.b": {}, "*.a.b": { trailingSlash: "remove" } } }],
    ["*", { sites: { "c.d": { trailingSlash: "remove" } } }],
  ])("is refused for %s with an option that removes the slash: %o", (site, options) => {
    expect(() => ruled(create, [`${site} | * | slash path`], options)).toThrow(
      expect.objectContaining({
        code: "BAD_OPTION",
        message: expect.stringMatching(/^option trailingSlash cannot be "remove": .*"slash path"/),
      }),
    );
  });

  test.each<[string, NormalizerOptions]>([
    ["a.b", { trailingSlash: "add" }],
    ["a.b", { trailingSlash: "remove", sites: { "a.b": { trailingSlash: "keep" } } }],
    [
      "a.b",
      { sites: { "c.a.b": { trailingSlash: "remove" }, "*.c": { trailingSlash: "remove" } } },
    ],
  ])("is used for %s with options that leave the slash: %o", (site, options) => {
    const normalizer = ruled(create, [`${site} | * | slash path`], options);
    expect(normalizer.normalize("http://a.b/x")).toBe("http://a.b/x/");
  });
});
