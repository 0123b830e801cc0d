import { expect, test } from "vitest";
import type { NormalizerOptions } from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";
import { readJsonFixture } from "../shared/fixtures.ts";

interface PurellCase {
  readonly input: string;
  readonly options: { readonly flags?: readonly string[] };
  readonly expected: string;
  readonly note: string;
}

const USUALLY_SAFE = { trailingSlash: "remove" } as const;
const UNSAFE = {
  directoryIndex: true,
  fragment: "remove",
  scheme: "http",
  duplicateSlashes: "collapse",
  sortQuery: "name-value",
} as const;

/** purell's flags as options; what preset `safe` does anyway has none. */
const FLAGS: Record<string, Omit<NormalizerOptions, "engine">> = {
  FlagRemoveTrailingSlash: { trailingSlash: "remove" },
  FlagAddTrailingSlash: { trailingSlash: "add" },
  FlagRemoveDirectoryIndex: { directoryIndex: true },
  FlagRemoveFragment: { fragment: "remove" },
  FlagForceHTTP: { scheme: "http" },
  FlagRemoveDuplicateSlashes: { duplicateSlashes: "collapse" },
  FlagRemoveWWW: { www: "remove" },
  FlagAddWWW: { www: "add" },
  FlagSortQuery: { sortQuery: "name-value" },
  FlagRemoveUnnecessaryHostDots: { trailingDot: "remove" },
  FlagRemoveEmptyQuerySeparator: { emptyQuery: "remove" },
  FlagsUsuallySafeGreedy: USUALLY_SAFE,
  FlagsUnsafeGreedy: { ...USUALLY_SAFE, ...UNSAFE, www: "remove" },
  FlagsAllGreedy: {
    ...USUALLY_SAFE,
    ...UNSAFE,
    www: "remove",
    trailingDot: "remove",
    emptyQuery: "remove",
  },
  FlagsAllNonGreedy: {
    trailingSlash: "add",
    ...UNSAFE,
    www: "add",
    trailingDot: "remove",
    emptyQuery: "remove",
  },
};

const cases = readJsonFixture<{ cases: PurellCase[] }>("purell.json").cases.filter(
  ({ options }) => options.flags !== undefined,
);

/** Cases that come out otherwise on purpose, by what is read or written another way. */
const DEVIATIONS: Record<string, readonly string[]> = {
  "no slash is added where the last segment holds a dot": ["HTTP://www.SRC.ca:80/toto/titi.html"],
  "www is neither added nor removed where that leaves or makes a one-label host": [
    "https://www.root/a/b/c/",
    "https://WwW.Root/a/b/c/",
    "https://Root/a/b/c/",
  ],
  "an empty query stays in safe (RFC 3986 6.2.3)": [
    "http://test.example/?",
    "http://test.example?",
  ],
  "two dots end a name, not an IPv4 address (URL Standard, ends in a number)": [
    "http://USER:pass@0102.0146.07.0223../",
    "http://USER:pass@1113982867../",
    "http://USER:pass@0x42660793../",
  ],
  "of a host's dots, only final ones go": [
    "http://.www.foo.com../foo/bar.html",
    "http://www..example...com/",
  ],
  "reserved characters stay encoded (RFC 3986 2.2)": [
    cases.find(({ note }) => note.includes("TestDecodeUnnecessaryEscapesAll"))?.input ?? "",
  ],
};

describeEngines("purell", (create) => {
  test("is all there, but for the round trips of Go's own parser", () => {
    expect(cases.length).toBe(114);
  });

  test.each(cases)("$note gives the expected form of $input", ({ input, options, expected }) => {
    const flags = (options.flags ?? []).map((flag) => FLAGS[flag] ?? {});
    const normalizer = create(Object.assign({}, ...flags));
    const reasons = Object.keys(DEVIATIONS).filter((reason) => DEVIATIONS[reason]?.includes(input));
    const written = normalizer.tryNormalize(input).url;
    // purell leaves alone what it has no flag for; preset safe is what both have in common.
    const wanted = create().tryNormalize(expected).url;
    if (reasons.length === 0) expect(written).toBe(wanted);
    else expect(written).not.toBe(wanted);
  });
});
