import { expect, test } from "vitest";
import type { Normalizer, NormalizerOptions } from "../../src/index.ts";
import { type Create, describeEngines } from "../shared/engines.ts";

type Row = readonly [input: string, expected: string];

/** A normalizer with rules, one a line, columns with `|` between. */
function ruled(
  create: Create,
  lines: readonly string[],
  options: NormalizerOptions = {},
): Normalizer {
  const { engine: _, ...others } = options;
  const rules = ["#urlmill-rules 1", ...lines.map((line) => line.replaceAll(" | ", "\t"))];
  return create({ ...others, rules: rules.join("\n") });
}

/** Rules, and URLs with what becomes of them. */
const TABLE: readonly (readonly [rules: readonly string[], rows: readonly Row[]])[] = [
  [
    ["a.b | * | drop x,y"],
    [
      ["http://a.b/?x=1&a&y&b=2", "http://a.b/?a&b=2"],
      ["http://a.b/?a&x", "http://a.b/?a"],
      ["http://a.b/?x", "http://a.b/"],
      ["http://a.b/?x;a;y&b", "http://a.b/?a&b"],
      ["http://a.b/?&x&", "http://a.b/?&"],
      ["http://a.b/?a=x&xx", "http://a.b/?a=x&xx"],
      ["http://a.b/x?", "http://a.b/x?"],
    ],
  ],
  [["a.b | * | drop %C3%A9"], [["http://a.b/?é=1&%c3%a9", "http://a.b/"]]],
  [
    ["a.b | * | drop long_parameter_1"],
    [
      [
        "http://a.b/?long_parameter_2&long_parameter_1&long_parameter_10",
        "http://a.b/?long_parameter_2&long_parameter_10",
      ],
    ],
  ],
  [
    ["a.b | * | keep id"],
    [
      ["http://a.b/?x&id=1;y", "http://a.b/?id=1"],
      ["http://a.b/?x", "http://a.b/"],
      ["http://a.b/?id", "http://a.b/?id"],
      ["http://a.b/?", "http://a.b/"],
    ],
  ],
  [["a.b | * | keep"], [["http://a.b/p?x&y#f", "http://a.b/p#f"]]],
  [
    ["a.b | * | dropif p=1"],
    [
      ["http://a.b/?p=1&a&p=2&p=1", "http://a.b/?a&p=2"],
      ["http://a.b/?p&p=12", "http://a.b/?p&p=12"],
    ],
  ],
  [["a.b | * | dropif p="], [["http://a.b/?p=&p", "http://a.b/?p"]]],
  [
    ["a.b | * | set l=en"],
    [
      ["http://a.b/?l=de&x&l;l=en", "http://a.b/?l=en&x&l=en;l=en"],
      ["http://a.b/?ll=de", "http://a.b/?ll=de"],
    ],
  ],
  [
    ["a.b | * | sort"],
    [
      ["http://a.b/?b=1&a=2&b=0&%41", "http://a.b/?A&a=2&b=1&b=0"],
      ["http://a.b/?c;a&b", "http://a.b/?a;b&c"],
      ["http://a.b/?b&&ab&a", "http://a.b/?&a&ab&b"],
    ],
  ],
  [
    ["a.b | * | sub /story_<N> => /s?id=<1>"],
    [
      ["http://a.b/story_12#x", "http://a.b/s?id=12#x"],
      ["http://a.b/story_x", "http://a.b/story_x"],
      ["http://a.b/my/story_1/story_2", "http://a.b/my/s?id=1/s?id=2"],
    ],
  ],
  [
    ["a.b | * | sub &s=<H> => "],
    [
      ["http://a.b/?a&s=0123456789abcdefF&b&s=0123456789ABCDEF", "http://a.b/?a&b"],
      ["http://a.b/?a&s=0123456789abcde", "http://a.b/?a&s=0123456789abcde"],
      ["http://a.b/?a&s=0123456789abcdefg", "http://a.b/?a&s=0123456789abcdefg"],
    ],
  ],
  [
    ["a.b | * | sub ?v=<T><$> => "],
    [
      ["http://a.b/p?v=x.y", "http://a.b/p"],
      ["http://a.b/p?v=x&y", "http://a.b/p?v=x&y"],
    ],
  ],
  [
    ["a.b | * | sub http => h"],
    [["http://a.b/http/https/xhttp/http1", "http://a.b/h/https/xhttp/h1"]],
  ],
  // A target without its first `/` is not a target.
  [
    ["a.b | * | sub /a => a"],
    [
      ["http://a.b/a", "http://a.b/a"],
      ["http://a.b/x/a", "http://a.b/xa"],
    ],
  ],
  // Dot segments that a rule makes go as those of any URL.
  [
    ["a.b | * | sub x => ."],
    [
      ["http://a.b/p/x/q", "http://a.b/p/q"],
      ["http://a.b/p/x", "http://a.b/p/"],
    ],
  ],
  [["a.b | * | sub xy => .."], [["http://a.b/p/xy/q?xy", "http://a.b/q?.."]]],
  // A stray `%` that a rule makes is written as one.
  [["a.b | * | sub C3 => "], [["http://a.b/%C3z", "http://a.b/%25z"]]],
  [
    ["a.b | * | path /x/*/<N>/v* => /n<2>/<1>/<3>"],
    [
      ["http://a.b/x/k/12/vz?q", "http://a.b/n12/k/z?q"],
      ["http://a.b/x/k/12/v", "http://a.b/x/k/12/v"],
      ["http://a.b/y/x/k/12/vz", "http://a.b/y/x/k/12/vz"],
    ],
  ],
  [
    ["a.b | * | path /old/....html => /<1>"],
    [
      ["http://a.b/old/a/b.html", "http://a.b/a/b"],
      ["http://a.b/old/.html", "http://a.b/"],
      ["http://a.b/old/a.htm", "http://a.b/old/a.htm"],
    ],
  ],
  [
    ["a.b | * | cut print"],
    [
      ["http://a.b/print/x/print?print", "http://a.b/x?print"],
      ["http://a.b/print", "http://a.b/"],
      ["http://a.b/print/", "http://a.b/"],
      ["http://a.b/prints", "http://a.b/prints"],
    ],
  ],
  [
    ["a.b | * | lower path"],
    [
      ["http://a.b/AbC/%C3%A9?X", "http://a.b/abc/%C3%A9?X"],
      ["http://a.b/%C3?X", "http://a.b/%C3?X"],
    ],
  ],
  [
    ["www.a.b | * | host www.a.b => a.b"],
    [
      ["http://u:p@www.a.b/x?y#z", "http://u:p@a.b/x?y#z"],
      ["http://www.a.b:81/", "http://www.a.b:81/"],
    ],
  ],
  [
    [
      "a.b:81 | * | host a.b:81 => a.b",
      "a.b | * | drop x",
      "c.d | * | host c.d => a.b:82",
      "a.b:82 | * | cut p",
    ],
    [
      ["http://a.b:81/?x", "http://a.b/"],
      ["http://a.b:080/?x", "http://a.b/"],
      ["http://c.d/p?x", "http://a.b:82/?x"],
    ],
  ],
  [["[::1]:81 | * | host [::1]:81 => [::1]"], [["http://[0::1]:81/", "http://[::1]/"]]],
  [
    ["a.b | * | scheme https", "a.b:443 | * | scheme https"],
    [
      ["http://a.b/", "https://a.b/"],
      ["http://a.b:443/", "https://a.b/"],
      ["http://a.b:81/", "http://a.b:81/"],
    ],
  ],
  [
    ["a.b | /login ?next | sink /login", "a.b | /calendar | sink /"],
    [
      ["http://a.b/login?next=/x&y#f", "http://a.b/login#f"],
      ["http://a.b/login?y", "http://a.b/login?y"],
      ["http://a.b/calendar?d=1", "http://a.b/"],
    ],
  ],
  // Conditions.
  [
    ["a.b | /p | drop x"],
    [
      ["http://a.b/p?x", "http://a.b/p"],
      ["http://a.b/p/?x", "http://a.b/p/?x"],
      ["http://a.b/?x", "http://a.b/?x"],
    ],
  ],
  [
    ["a.b | /p/...x | drop x"],
    [
      ["http://a.b/p/q/x?x", "http://a.b/p/q/x"],
      ["http://a.b/p/q/y?x", "http://a.b/p/q/y?x"],
    ],
  ],
  [
    ["a.b | /p<N>/*.php | drop x"],
    [
      ["http://a.b/p12/q.php?x", "http://a.b/p12/q.php"],
      ["http://a.b/p12/.php?x", "http://a.b/p12/.php?x"],
    ],
  ],
  [
    ["a.b | /<H>/q | drop x"],
    [
      ["http://a.b/0123456789abcdef0/q?x", "http://a.b/0123456789abcdef0/q"],
      ["http://a.b/0123456789abcde/q?x", "http://a.b/0123456789abcde/q?x"],
    ],
  ],
  [
    ["a.b | ?a&!b&c=1 | drop x"],
    [
      ["http://a.b/?a&c=1&x", "http://a.b/?a&c=1"],
      ["http://a.b/?a&c=1&x&b", "http://a.b/?a&c=1&x&b"],
      ["http://a.b/?a&c=2;c=1&x", "http://a.b/?a&c=2;c=1"],
      ["http://a.b/?a&c&x", "http://a.b/?a&c&x"],
    ],
  ],
  // Order: the first rule takes the parameter that the second asks for, until it does not.
  [
    ["a.b | ?a | drop x", "a.b | * | drop a"],
    [
      ["http://a.b/?a&x", "http://a.b/"],
      ["http://a.b/?x", "http://a.b/?x"],
    ],
  ],
  [["a.b | * | drop a", "a.b | ?a | drop x"], [["http://a.b/?a&x", "http://a.b/?x"]]],
  // Again from the start, until nothing changes.
  [["a.b | /b | path /b => /a", "a.b | /c | path /c => /b"], [["http://a.b/c", "http://a.b/a"]]],
  [["a.b | * | sub aa => a"], [["http://a.b/aa", "http://a.b/a"]]],
  [["a.b | * | sub /x/ => /"], [["http://a.b/x/x/x/x/y", "http://a.b/y"]]],
  // Rules that undo each other leave the URL as it is, with all that others did to it.
  [
    ["a.b | * | drop z", "a.b | ?l=1 | set l=2", "a.b | ?l=2 | set l=1"],
    [
      ["http://a.b/?l=1&z", "http://a.b/?l=1&z"],
      ["http://a.b/?l=3&z", "http://a.b/?l=3"],
    ],
  ],
  // Rules for every site, after a site's own.
  [
    ["* | * | drop s", "a.b | ?s | drop t", "* | /x | sink /"],
    [
      ["http://a.b/?s&t", "http://a.b/"],
      ["http://c.d/?s&t", "http://c.d/?t"],
      ["https://[::1]:8/x?t", "https://[::1]:8/"],
    ],
  ],
  // A site that has moved has the other site's rules from there on, and not its own.
  [
    [
      "a.b | * | host a.b => c.d",
      "a.b | * | drop x",
      "c.d | * | drop y",
      "c.d | /m | host c.d => e.f",
      "e.f | * | drop z",
    ],
    [
      ["http://a.b/?x&y&z", "http://c.d/?x&z"],
      ["http://a.b/m?x&y&z", "http://e.f/m?x"],
    ],
  ],
  // The other site's rules ask for nothing that the first has looked at.
  [
    [
      "a.b | * | drop x",
      "a.b | * | host a.b => c.d",
      "c.d | * | sub yy => y",
      "c.d | * | lower path",
    ],
    [["http://a.b/yy/Z?x&yy", "http://c.d/y/z?y"]],
  ],
  // The other site's rules want to know more of a query that has lost a parameter already.
  [
    ["a.b:443 | * | scheme https", "a.b:443 | * | dropif d=0", "a.b | * | sort"],
    [["http://a.b:443/x?z;a&d=0;d=A&b", "https://a.b/x?a;b;d=A&z"]],
  ],
  // A parameter that goes lets others meet, and a test for its absence hold.
  [
    ["a.b | * | sub ?b => ?", "a.b | * | sub a&c => a", "a.b | ?!x | drop z", "a.b | * | drop x"],
    [
      ["http://a.b/?x&bc", "http://a.b/?bc"],
      ["http://a.b/?x&b", "http://a.b/?"],
      ["http://a.b/?a&x&c", "http://a.b/?a"],
      ["http://a.b/?x&z", "http://a.b/"],
      ["http://a.b/?x;z", "http://a.b/"],
    ],
  ],
  [
    ["a.b | * | drop x", "a.b | * | lower path", "* | * | sort"],
    [
      ["ftp://a.b/P?x", "ftp://a.b/P?x"],
      ["file://a.b/P?x", "file://a.b/P?x"],
      ["ws://a.b/P?x", "ws://a.b/P?x"],
      ["foo://a.b/P?x", "foo://a.b/P?x"],
      ["mailto:a.b?b&a", "mailto:a.b?b&a"],
      ["http://x.a.b/P?x", "http://x.a.b/P?x"],
      ["http://a.b./P?x", "http://a.b./P?x"],
    ],
  ],
];

describeEngines("rules", (create) => {
  test.each(TABLE)("%j", (lines, rows) => {
    const normalizer = ruled(create, lines);
    const plain = create();
    const inputs = rows.map(([input]) => input);
    const expected = rows.map(([, output]) => output);
    expect(normalizer.normalizeBatch(inputs).urls).toEqual(expected);
    expect(normalizer.normalizeBatch(expected).urls).toEqual(expected);
    const bytes = normalizer.normalizeLines(Buffer.from(inputs.join("\n"))).bytes;
    expect(Buffer.from(bytes).toString()).toBe(`${expected.join("\n")}\n`);
    const inNormalForm = plain.normalizeBatch(inputs).urls as string[];
    expect(normalizer.normalizeBatch(inNormalForm).urls).toEqual(expected);
    for (const input of inputs) {
      const { url, steps } = normalizer.explain(input);
      expect(url).toBe(expected[inputs.indexOf(input)]);
      expect(steps.at(-1)?.after ?? input).toBe(url);
    }
  });

  test("are applied as far as their evidence goes", () => {
    const levels = ["E0", "E1", "E2", "E3", "E4", "E5"];
    const lines = levels.map((level) => `a.b | * | drop ${level} | ${level} n=9 ok=9 lb=.9`);
    const url = `http://a.b/?${levels.join("&")}&x`;
    const accepted = (options: NormalizerOptions) =>
      ruled(create, [...lines, "a.b | * | drop x"], options).normalize(url);
    expect(accepted({})).toBe("http://a.b/?E4&E5");
    expect(accepted({ acceptRules: "E3" })).toBe("http://a.b/?E4&E5");
    expect(accepted({ acceptRules: "E4" })).toBe("http://a.b/?E5");
    expect(accepted({ acceptRules: "E5" })).toBe("http://a.b/");
    expect(ruled(create, lines.slice(4)).profileId).toBe(create().profileId);
  });

  test("work on what the options left, and the options on what they left", () => {
    const apply = (lines: string[], options: NormalizerOptions, url: string) => {
      const normalizer = ruled(create, lines, options);
      const result = normalizer.normalize(url);
      expect(normalizer.normalize(result)).toBe(result);
      expect(normalizer.explain(url).url).toBe(result);
      expect(normalizer.explain(url).steps.at(-1)?.after ?? url).toBe(result);
      return result;
    };
    const set = ["a.b | * | sub z= => a="];
    expect(apply(set, { sortQuery: "name" }, "http://a.b/?z=1&b")).toBe("http://a.b/?a=1&b");
    expect(apply(["a.b | * | dropif x="], { valuelessParams: "add-equals" }, "http://a.b/?x")).toBe(
      "http://a.b/",
    );
    expect(apply(["a.b | * | sub ?x => ?"], { emptyQuery: "remove" }, "http://a.b/?x")).toBe(
      "http://a.b/",
    );
    expect(apply(["a.b | * | sub ?x => ?"], {}, "http://a.b/?x")).toBe("http://a.b/?");
    expect(
      apply(["a.b | * | sub xxx= => id="], { keepParams: ["xxx", "y"] }, "http://a.b/?xxx=1&y"),
    ).toBe("http://a.b/?y");
    expect(
      apply(["www.a.b | * | drop x", "a.b | * | drop y"], { www: "remove" }, "http://www.a.b/?x&y"),
    ).toBe("http://a.b/?x");
    expect(
      apply(
        ["a.b | * | host a.b => www.a.b", "a.b | * | drop y"],
        { www: "remove" },
        "http://a.b/?y",
      ),
    ).toBe("http://a.b/?y");
    expect(
      apply(["a.b | * | host a.b => c.d"], { hostAliases: { "c.d": "e.f" } }, "http://a.b/x"),
    ).toBe("http://e.f/x");
    expect(apply(["a.b | * | scheme https"], { schemes: ["http"] }, "http://a.b/x")).toBe(
      "http://a.b/x",
    );
    expect(apply(["a.b | * | scheme https"], { scheme: "http" }, "http://a.b/x")).toBe(
      "http://a.b/x",
    );
    expect(apply(["a.b | * | cut p"], { trailingSlash: "remove" }, "http://a.b/x/p/")).toBe(
      "http://a.b/x",
    );
    expect(
      apply(["a.b | * | drop x"], { sites: { "a.b": { fragment: "remove" } } }, "http://a.b/?x#f"),
    ).toBe("http://a.b/");
  });

  test("keep userinfo and fragment, whatever looks like a path there", () => {
    const normalizer = ruled(create, [
      "a.b | * | sub x => ",
      "a.b | * | drop q",
      "a.b | * | lower path",
    ]);
    expect(normalizer.normalize("http://X-x:x@a.b/x/Y?q&x=1#x/X?q")).toBe(
      "http://X-x:x@a.b//y?=1#x/X?q",
    );
    expect(normalizer.normalize("http://a.b#/x?q")).toBe("http://a.b/#/x?q");
  });

  test("do not lengthen a URL beyond maxLength, nor beyond 65,536 bytes", () => {
    const lines = [
      "a.b | * | set l=1234567890",
      "a.b | * | drop x",
      "c.d | * | host c.d => long.example",
    ];
    const short = ruled(create, lines, { maxLength: 26 });
    expect(short.normalize("http://a.b/?l=1&x")).toBe("http://a.b/?l=1234567890");
    expect(short.normalize("http://a.b/pq?l=1&x")).toBe("http://a.b/pq?l=1&x");
    expect(short.normalize("http://c.d/?abcdef")).toBe("http://c.d/?abcdef");
    expect(short.tryNormalize("http://a.b/?l=1234567890123456")).toEqual({ url: null, status: 12 });
    const normalizer = ruled(create, lines);
    const filled = (length: number) => `http://a.b/?x&${"y".repeat(length - 14)}`;
    expect(normalizer.normalize(filled(65_536))).toBe(filled(65_536).replace("x&", ""));
    expect(normalizer.normalize(filled(65_537))).toBe(filled(65_537));
    const grows = `http://a.b/?x&${"l&".repeat(6_000)}`;
    expect(normalizer.normalize(grows)).toBe(grows);
  });

  test.each([
    "drop a",
    "keep b",
    "dropif a=1",
    "set a=12345678",
    "sort",
    "sub a= => ",
    "sub a=<N> => =<1>",
    "sub %C3 => ",
    "path /a... => /<1>",
    "cut a",
    "lower path",
    "host a.b => c.d",
    "scheme https",
    "sink /",
  ])("finish %s on hostile URLs of 1 MiB and 64 KiB", (action) => {
    const normalizer = ruled(create, [`a.b | * | ${action}`]);
    const parts = ["a=1&", "b&a=1;", "/a", "A%C3", "a=", "=1", "aaaaaaaa", "?&;", "/../a", "%2e/"];
    const urls = parts.flatMap((part) => {
      const rest = part.repeat(Math.floor(65_000 / part.length));
      return [`http://a.b/${rest}`, `http://a.b/?${rest}`];
    });
    urls.push(`http://a.b/?${"a=1&".repeat(250_000)}`);
    const { urls: results } = normalizer.normalizeBatch(urls);
    expect(normalizer.normalizeBatch(results as string[]).urls).toEqual(results);
  });

  test("that are none are refused, by their line", () => {
    const attempt = (rules: string) => () => create({ rules });
    expect(attempt("")).toThrow(expect.objectContaining({ code: "BAD_RULES" }));
    expect(attempt("#urlmill-rules 1\na.b\t*\tjump")).toThrow("line 2");
    expect(attempt("#urlmill-rules 1")).not.toThrow();
    expect(() => create({ rules: 1 as unknown as string })).toThrow("option rules cannot be 1");
    expect(() => create({ acceptRules: "E2" as "E3" })).toThrow("expected E3, E4, E5");
    const inSites = { sites: { "a.b": { rules: "" } } } as NormalizerOptions;
    expect(() => create(inSites)).toThrow('rules cannot be set for "a.b" alone');
  });

  test("are named by the profile, in their order", () => {
    const id = (...lines: string[]) => ruled(create, lines).profileId;
    expect(id()).toBe(create().profileId);
    expect(id("a.b | * | drop x")).not.toBe(id());
    expect(id("a.b | * | drop x", "a.b | * | sort")).not.toBe(
      id("a.b | * | sort", "a.b | * | drop x"),
    );
    expect(id("a.b | * | drop x", "c.d | * | sort")).toBe(id("c.d | * | sort", "a.b | * | drop x"));
  });

  test("are steps of an explanation, each with its line", () => {
    const normalizer = ruled(create, [
      "a.b | /x ?y | drop y | E1 n=3 ok=3 lb=.4",
      "* | * | sub xx => .",
      "a.b | * | sort",
    ]);
    expect(
      normalizer
        .explain("HTTP://a.b/x?y&b&a")
        .steps.map(({ rule, after, reference }) => [rule, after, reference]),
    ).toEqual([
      ["scheme case", "http://a.b/x?y&b&a", "RFC 3986 6.2.2.1"],
      ["rules", "http://a.b/x?b&a", "a.b\t/x ?y\tdrop y"],
      ["rules", "http://a.b/x?a&b", "a.b\t*\tsort"],
    ]);
    expect(
      normalizer.explain("http://a.b/p/xx/q").steps.map(({ rule, after }) => [rule, after]),
    ).toEqual([
      ["rules", "http://a.b/p/./q"],
      ["reading", "http://a.b/p/q"],
    ]);
    const undone = ruled(create, [
      "a.b | * | drop z",
      "a.b | ?l=1 | set l=2",
      "a.b | ?l=2 | set l=1",
    ]);
    expect(undone.explain("http://a.b/?l=1&z").steps).toEqual([]);
  });

  test("leave the meaning of a base alone", () => {
    const normalizer = ruled(create, ["a.b | * | cut q"]);
    expect(normalizer.normalize("r", "http://a.b/p/q/")).toBe("http://a.b/p/r");
    expect(normalizer.normalize("../r", "http://a.b/p/q/")).toBe("http://a.b/p/r");
  });
});
