import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { sampleOf } from "../shared/length.ts";
import { describeRules } from "../shared/ruled.ts";

describeRules("several rules", [
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
]);

describe("many rules on a query of many parameters: both engines give the same", () => {
  const filled = (make: (n: number) => string): string =>
    `http://a.org/x/y?${Array.from({ length: 300 }, (_, n) => make(n)).join("&")}`;
  const URLS = [
    filled((n) => `p=${n}`),
    filled((n) => `p=${n}`).replaceAll("&", ";"),
    filled((n) => `p${n}`),
    filled((n) => `p${n % 40}=${n % 3}`),
    filled((n) => ["p", "p=", "=p", "", "q=1"][n % 5] as string),
    filled(() => ""),
    filled(() => "a"),
  ];
  const CONDITIONS = ["*", "* ?p=7", "* ?p7", "* ?!p9", '* ?""', "* ?!a&p"];
  const ACTIONS: readonly ((n: number) => string)[] = [
    (n) => `dropif p=${n}`,
    (n) => `dropif p${n}=1`,
    (n) => `drop p${n},q`,
    () => 'drop ""',
    (n) => `keep p,q,p${n}`,
    (n) => `set p=${n % 4}`,
    (n) => `set p${n}=2`,
    () => "sort",
    (n) => `sub p=${n}& => `,
  ];
  const MIXED = ACTIONS.map((_, at) => mixed(at));
  test.each(sampleOf(CONDITIONS, 3))("%s", (condition) => {
    for (const action of [...ACTIONS, ...sampleOf(MIXED, 5)]) {
      const rules = Array.from({ length: 40 }, (_, n) => `a.org\t${condition}\t${action(n)}`);
      const text = ["#urlmill-rules 1", ...new Set(rules)].join("\n");
      const [wasm, js] = (["wasm", "js"] as const).map((engine) =>
        createNormalizer({ engine, rules: text }).normalizeBatch(sampleOf(URLS, 2)),
      );
      expect(js).toEqual(wasm);
    }
  });

  /** Takes another action for each rule. */
  function mixed(first: number): (n: number) => string {
    return (n) => (ACTIONS[(first + 5 * n) % ACTIONS.length] as (typeof ACTIONS)[number])(n);
  }
});

test("2,000 rules on a query of 64 KB, each of which takes one of its parameters", () => {
  const params = Array.from({ length: 2000 }, (_, n) => `p=${n}`);
  const rules = params.map((param) => `a.org\t*\tdropif ${param}`);
  const rest = "a;".repeat(26_000);
  for (const engine of ["wasm", "js"] as const) {
    const n = createNormalizer({ engine, rules: ["#urlmill-rules 1", ...rules].join("\n") });
    expect(n.normalize(`http://a.org/?${params.join("&")}&${rest}`)).toBe(`http://a.org/?${rest}`);
  }
});
