import { expect, test } from "vitest";
import { Status } from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";
import { readJsonFixture } from "../shared/fixtures.ts";

interface RfcCase {
  readonly op: string;
  readonly input: string & [string, string];
  readonly options: { readonly base?: string; readonly strict?: boolean };
  readonly expected: string & boolean;
  readonly note: string;
}

const cases = readJsonFixture<{ cases: RfcCase[] }>("rfc3986.json").cases;
const byOp = (op: string): RfcCase[] => cases.filter((entry) => entry.op === op);

/** What the URL Standard decides otherwise than the RFC's text; docs/spec.md follows the former. */
const DEVIATIONS = new Map([
  ["RFC 3986 5.4.2 strict parsers", "a special URL with its base's scheme is read as a reference"],
  [
    "5: mixed notation recommended for well-known prefixes (WHATWG instead serializes ::ffff:c000:201)",
    "the URL Standard writes all eight pieces in hex, and browser-stable output does too",
  ],
]);

describeEngines("rfc3986.json", (create) => {
  const normalizer = create();

  test("covers every kind of case", () => {
    const kinds = [
      "resolve",
      "normalize",
      "equal",
      "remove_dot_segments",
      "parse-valid",
      "ipv6-text(RFC 5952)",
    ];
    expect(new Set(cases.map(({ op }) => op))).toEqual(new Set(kinds));
    expect(cases.filter(({ note }) => DEVIATIONS.has(note)).length).toBe(DEVIATIONS.size);
  });

  test.each(byOp("resolve").filter(({ note }) => !DEVIATIONS.has(note)))(
    "resolves $input: $note",
    ({ input, options, expected }) => {
      // The vectors resolve only: an empty path is normalized on top (RFC 3986 6.2.3).
      const written = expected === "http://g" ? "http://g/" : expected;
      expect(normalizer.normalize(input, options.base)).toBe(written);
    },
  );

  test.each(byOp("normalize"))("normalizes $input: $note", ({ input, expected }) => {
    expect(normalizer.normalize(input)).toBe(expected);
  });

  test.each(byOp("equal"))("compares $input: $note", ({ input: [a, b], expected }) => {
    expect(normalizer.normalize(a) === normalizer.normalize(b)).toBe(expected);
  });

  test.each(byOp("remove_dot_segments"))(
    "removes dot segments of $input",
    ({ input, expected }) => {
      // A path that begins without a slash is read as a reference to a base that has no other path.
      expect(normalizer.normalize(input, "x:")).toBe(`x:${expected}`);
    },
  );

  test.each(byOp("parse-valid"))("leaves $input as it is", ({ input }) => {
    expect(normalizer.tryNormalize(input)).toEqual({
      ok: true,
      url: input,
      status: Status.UNCHANGED,
    });
  });

  test.each(byOp("ipv6-text(RFC 5952)").filter(({ note }) => !DEVIATIONS.has(note)))(
    "writes the address $input: $note",
    ({ input, expected }) => {
      expect(normalizer.normalize(`http://[${input}]/`)).toBe(`http://[${expected}]/`);
      expect(normalizer.normalize(`x://[${input}]`)).toBe(`x://[${expected}]`);
    },
  );
});

describeEngines("a path of another scheme without an authority", (create) => {
  test.each([
    ["x:/.//y/z", null, "x:/.//y/z"],
    ["x:/a/..//y", null, "x:/.//y"],
    ["x:/%2e%2F/y", null, "x:/.%2F/y"],
    ["x:/..//?q#f", null, "x:/.//?q#f"],
    ["..//y", "x:/a/b", "x:/.//y"],
    ["b", "x:/.//y/z", "x:/.//y/b"],
    ["/.//b", "x:/y", "x:/.//b"],
  ])("has `/.` before two slashes: %s on %s is %s", (input, base, expected) => {
    const normalizer = create();
    const url = base === null ? normalizer.normalize(input) : normalizer.normalize(input, base);
    expect(url).toBe(expected);
    expect(normalizer.normalize(expected)).toBe(expected);
  });
});

describeEngines("a drive letter of a base", (create) => {
  const bases = ["C:", "C:/", "C:/d", "C|", "C", "Cx:"];
  const references = [
    "",
    "/",
    "/x",
    "x",
    "..",
    "/..",
    "../..",
    "?q",
    "D:",
    "/D:",
    "D:x",
    "D|/x",
    "//h/x",
  ];

  test.each(bases)("stays where the URL Standard keeps it: file:///%s", (path) => {
    const normalizer = create();
    const base = `file:///${path}`;
    const urls = references.map((reference) => normalizer.normalize(reference, base));
    expect(urls).toEqual(references.map((reference) => new URL(reference, base).href));
  });

  // The URL of Node 20 takes these for drive letters.
  test.each(["C:x", "C:x/", "C:%2F"])("is none with more after it: file:///%s", (path) => {
    const normalizer = create();
    for (const reference of ["/y", "../y"]) {
      expect(normalizer.normalize(reference, `file:///${path}`)).toBe("file:///y");
    }
  });
});
