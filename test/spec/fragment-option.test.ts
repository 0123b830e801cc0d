import { expect, test } from "vitest";
import { describeEngines } from "../shared/engines.ts";

describeEngines("fragment", (create) => {
  /** Returns what is left of fragments, after a URL that the scan of lines knows and after one that it does not. */
  const run = (options: Parameters<typeof create>[0], fragments: readonly string[]) => {
    const [left, other] = ["http://a/?q", "http://a/x;y(?q"].map((start) =>
      create(options)
        .normalizeBatch(fragments.map((fragment) => start + fragment))
        .urls.map((url) => {
          expect(url?.startsWith(start)).toBe(true);
          return url?.slice(start.length);
        }),
    );
    expect(other).toEqual(left);
    return left;
  };

  test("keep-route drops text directives", () => {
    expect(
      run({ fragment: "keep-route" }, ["#/a:~:text=b", "#!x", "#!:~:y", "#:~:text=b", "#a", "#"]),
    ).toEqual(["#/a", "#!x", "#!", "", "", ""]);
  });

  test("remove-text drops text directives and nothing else", () => {
    expect(
      run({ fragment: "remove-text" }, ["#a:~:text=b:~:c", "#:%7E:text=b", "#", "#a:~b", "#/x"]),
    ).toEqual(["#a", "", "#", "#a:~b", "#/x"]);
  });

  test("remove-text finds a text directive after any colons and tildes", () => {
    const parts = [":", "~", ":~", "~:", "::", "::~", ":~~:", ":~a"];
    const before = parts.flatMap((one) => parts.map((other) => one + other));
    const expected = before.map((text) => {
      const at = `${text}:~:x`.indexOf(":~:");
      return at === 0 ? "" : `#${text.slice(0, at)}`;
    });
    const fragments = before.map((text) => `#${text}:~:x`);
    expect(run({ fragment: "remove-text" }, fragments)).toEqual(expected);
  });

  test("remove-empty drops a lone # and nothing else", () => {
    expect(run({ fragment: "remove-empty" }, ["#", "#a", "#:~:text=b", ""])).toEqual([
      "",
      "#a",
      "#:~:text=b",
      "",
    ]);
  });

  test("trackingParams drops a fragment that holds utm_… and xtor=… only", () => {
    const fragments = ["#utm_source=a&UTM_x=", "#xtor=RSS-1", "#Xtor=1&utm_a=2"];
    expect(run({ trackingParams: "remove" }, fragments)).toEqual(["", "", ""]);
    const others = ["#utm_source", "#utm_a=1&b", "#utm_a=1&", "#xtor", "#xtors=1", "#gclid=1", "#"];
    expect(run({ trackingParams: "remove" }, others)).toEqual(others);
    expect(run({}, fragments)).toEqual(fragments);
  });

  test("trackingParams looks at what remove-text leaves", () => {
    expect(
      run({ trackingParams: "remove", fragment: "remove-text" }, ["#utm_a=1:~:text=b"]),
    ).toEqual([""]);
  });

  test("works on lines as on single URLs, beside changes to the query", () => {
    const n = create({ fragment: "keep-route", trackingParams: "remove" });
    const lines = "http://a/?q&utm_a=1#/r:~:text=x\r\nhttp://a/#/r\nhttp://a#!a:~:b\n";
    const { bytes } = n.normalizeLines(new TextEncoder().encode(lines));
    expect(new TextDecoder().decode(bytes)).toBe("http://a/?q#/r\nhttp://a/#/r\nhttp://a/#!a\n");
  });

  test("explain names the option that changed the fragment", () => {
    const { steps } = create({ trackingParams: "remove", fragment: "remove-text" }).explain(
      "http://a/#utm_a=1:~:text=b",
    );
    expect(steps.map(({ step, after }) => [step, after])).toEqual([
      ["fragment", "http://a/#utm_a=1"],
      ["trackingParams", "http://a/"],
    ]);
  });
});
