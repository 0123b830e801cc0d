import { describe, expect, test } from "vitest";
import { UrlmillError } from "../../src/base/errors.ts";
import { createNormalizer } from "../../src/index.ts";
import { LISTS_PLAN_VERSION, PLAN_VERSION } from "../../src/plan/layout.ts";
import { parseRules, RULES_HEADER, writeRules } from "../../src/site-rules/index.ts";
import { describeEngines } from "../shared/engines.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { randomListRules } from "../shared/random-rules.ts";
import { describeRules, ruled } from "../shared/ruled.ts";

const HEX = "0123456789abcdef0123456789ABCDEF";

const MANY = Array.from({ length: 700 }, (_, n) => `t${n}`).join(",");

describeRules("rules with many names", [
  [
    [`a.b | * | drop ${MANY},u_<*>,<*>_v`],
    [
      ["http://a.b/?t0&x=1&t699=2", "http://a.b/?x=1"],
      ["http://a.b/?t700&T1&u_1=2&3_v;y", "http://a.b/?t700&T1;y"],
      ["http://a.b/?x", "http://a.b/?x"],
    ],
  ],
  [
    [`a.b | * | keep ${MANY},u_<*>`],
    [["http://a.b/?t0&x=1&t699=2&u_&y", "http://a.b/?t0&t699=2&u_"]],
  ],
]);

const labels = (count: number): string =>
  Array.from({ length: count }, (_, at) => `l${count - at}`).join(".");
const DEEPEST = Array.from({ length: 32 }, (_, at) => at + 1);

describeRules("rules of all domains of a host", [
  [
    DEEPEST.map((count) => `*.${labels(count)} | * | drop p${count}`),
    [
      [
        `http://www.${labels(32)}/?${DEEPEST.map((count) => `p${count}&`).join("")}x`,
        `http://www.${labels(32)}/?x`,
      ],
      [`http://${labels(3)}/?p1&p2&p3&p4`, `http://${labels(3)}/?p4`],
    ],
  ],
]);

// After a list, the plan has the name that the next condition has, with its length before it.
describeEngines("lists of names", (create) => {
  test.each(DEEPEST.slice(0, 9))("of %i names end where they end", (count) => {
    for (const length of DEEPEST.slice(0, 9)) {
      const names = ["u_<*>", ...DEEPEST.map((at) => `n${at}`)].slice(0, count);
      const next = "zzzzzzzzz".slice(0, length);
      const n = ruled(create, [`a.b | * | drop ${names}`, `a.b | ?${next} | drop y`]);
      expect(n.normalize("http://a.b/?x=1&y&u_2=3")).toBe("http://a.b/?x=1&y");
    }
  });
});

describeRules("rules of a domain and its hosts", [
  [
    ["*.a.b | * | drop x"],
    [
      ["http://a.b/?x", "http://a.b/"],
      ["http://www.c.a.b/?x", "http://www.c.a.b/"],
      ["http://ca.b/?x", "http://ca.b/?x"],
      ["http://b/?x", "http://b/?x"],
      ["http://a.b.c/?x", "http://a.b.c/?x"],
      ["http://u:p@c.a.b/?x", "http://u:p@c.a.b/"],
      ["http://c.a.b:81/?x", "http://c.a.b:81/?x"],
    ],
  ],
  [
    ["*.a.b:81 | * | drop x"],
    [
      ["http://c.a.b:81/?x", "http://c.a.b:81/"],
      ["http://c.a.b/?x", "http://c.a.b/?x"],
    ],
  ],
  // The rules of the host come first, then those of the closest domain, whatever their order in the file.
  [
    [
      "* | ?x=4 | set x=5",
      "*.b | ?x=3 | set x=4",
      "*.a.b | ?x=2 | set x=3",
      "c.a.b | ?x=1 | set x=2",
    ],
    [
      ["http://c.a.b/?x=1", "http://c.a.b/?x=5"],
      ["http://d.a.b/?x=1", "http://d.a.b/?x=1"],
      ["http://d.a.b/?x=2", "http://d.a.b/?x=5"],
      ["http://d.b/?x=3", "http://d.b/?x=5"],
      ["http://d.c/?x=4", "http://d.c/?x=5"],
    ],
  ],
  [
    ["*.localhost | * | drop x"],
    [
      ["http://a.b.localhost/?x", "http://a.b.localhost/"],
      ["http://localhost/?x", "http://localhost/"],
      ["http://local/?x", "http://local/?x"],
    ],
  ],
  [
    ["www.a.b | * | host www.a.b => a.c", "*.a.c | * | drop x", "*.b | * | drop y"],
    [["http://www.a.b/?x&y", "http://a.c/?y"]],
  ],
]);

describeRules("names that stand for others", [
  [
    ["a.b | * | drop utm_<*>,<*>clid"],
    [
      ["http://a.b/?utm_=1&utm_x&gclid=1&clid&q=utm_", "http://a.b/?q=utm_"],
      ["http://a.b/?utm&xutm_a=1&clid2", "http://a.b/?utm&xutm_a=1&clid2"],
      ["http://a.b/?;utm_a;b", "http://a.b/?;b"],
    ],
  ],
  [["a.b | * | keep a<*>,q"], [["http://a.b/?ab=1&b=1&q=2&a", "http://a.b/?ab=1&q=2&a"]]],
  [
    ["a.b | * | dropif <*>_id=<N>"],
    [["http://a.b/?x_id=1&x_id=a&_id=22&id=1", "http://a.b/?x_id=a&id=1"]],
  ],
  // A star is a byte like others.
  [["a.b | * | drop a*"], [["http://a.b/?a*&ab", "http://a.b/?ab"]]],
]);

describeRules("classes of values", [
  [
    ["a.b | * | dropif cb=<N>", "a.b | * | dropif sid=<H32>", "a.b | * | dropif h=<H>"],
    [
      ["http://a.b/?cb=12&cb=1a&cb&cb=", "http://a.b/?cb=1a&cb&cb="],
      [`http://a.b/?sid=${HEX}&q=1`, "http://a.b/?q=1"],
      [`http://a.b/?sid=${HEX}0`, `http://a.b/?sid=${HEX}0`],
      [`http://a.b/?h=${HEX}&h=${HEX}0`, "http://a.b/"],
      ["http://a.b/?h=0123456789abcde", "http://a.b/?h=0123456789abcde"],
    ],
  ],
  [
    ["a.b | * | dropif f=jQuery<N>_<N13>", "a.b | * | dropif g=x<*>", "a.b | * | dropif s=<T26>"],
    [
      ["http://a.b/?f=jQuery12_1234567890123", "http://a.b/"],
      ["http://a.b/?f=jQuery12_123456789012", "http://a.b/?f=jQuery12_123456789012"],
      ["http://a.b/?g=x&g=x=1&g=y", "http://a.b/?g=y"],
      ["http://a.b/?s=abcdefghijklmnopqrstuvwxyz", "http://a.b/"],
      ["http://a.b/?s=abcdefghijklmnopqrstuvwxy:", "http://a.b/?s=abcdefghijklmnopqrstuvwxy:"],
    ],
  ],
  [
    ["a.b | /<N4>/<H8>.html | drop x"],
    [
      ["http://a.b/2024/0a1b2c3d.html?x", "http://a.b/2024/0a1b2c3d.html"],
      ["http://a.b/20245/0a1b2c3d.html?x", "http://a.b/20245/0a1b2c3d.html?x"],
    ],
  ],
]);

describeRules("URLs that a rule leaves alone", [
  [
    [
      "*.a.b | * | drop x",
      " | unless | * | /login/...",
      " | unless | c.a.b | *",
      " | unless | *.d.a.b | ?keep=1",
    ],
    [
      ["http://a.b/?x", "http://a.b/"],
      ["http://a.b/login/?x", "http://a.b/login/?x"],
      ["http://c.a.b/?x", "http://c.a.b/?x"],
      ["http://e.c.a.b/?x", "http://e.c.a.b/"],
      ["http://e.d.a.b/?x&keep=1", "http://e.d.a.b/?x&keep=1"],
      ["http://d.a.b/?x&keep=2", "http://d.a.b/?keep=2"],
    ],
  ],
  // A site without a port is that host on every port.
  [
    ["* | * | drop x", " | unless | *.a.b | *"],
    [
      ["http://c.a.b:8080/?x", "http://c.a.b:8080/?x"],
      ["http://ca.b:8080/?x", "http://ca.b:8080/"],
      ["http://[::1]:8080/?x", "http://[::1]:8080/"],
    ],
  ],
  // What a rule takes away can wake one that left the URL alone.
  [
    ["a.b | * | drop x", " | unless | * | ?y", "a.b | * | drop y"],
    [["http://a.b/?x&y&z", "http://a.b/?z"]],
  ],
]);

const plan = (...lines: readonly string[]) =>
  createNormalizer({ rules: [RULES_HEADER, ...lines].join("\n") }).plan;
const versionOf = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);

describe("plans and files", () => {
  test("a plan has the version of lists only if a rule needs it", () => {
    const common = "a.b\t/<N>\tdrop x";
    expect(versionOf(plan(common, "*\t*\tdropif a=1"))).toBe(PLAN_VERSION);
    for (const line of [
      "*.a.b\t*\tdrop x",
      "a.b\t*\tdrop x<*>",
      "a.b\t*\tdropif x=<N>",
      "a.b\t/<N2>\tdrop x",
      "a.b\t*\tsub /<N2> => /",
      "a.b\t*\tdrop x\n\tunless\t*\t/p",
    ]) {
      expect(versionOf(plan(common, line)), line).toBe(LISTS_PLAN_VERSION);
    }
  });

  test("random rules of lists are read back from TSV, from JSON and from a plan", () => {
    const random = new Random(72);
    for (let set = 0; set < atLength(12, 300); set++) {
      const text = randomListRules(random);
      const rules = parseRules(text);
      expect(parseRules(writeRules(rules))).toEqual(rules);
      expect(parseRules(writeRules(rules, "json"))).toEqual(rules);
      const { plan } = createNormalizer({ rules: text });
      expect(createNormalizer({ rules: writeRules(rules, "json") }).plan).toEqual(plan);
    }
  });

  test.each([
    ["a.b\t*\tdrop <*>", "there must be text"],
    ["a.b\t*\tdrop a<*>b", "there must be text"],
    ["a.b\t*\tdrop <*>a<*>", "there must be text"],
    ["a.b\t*\tset a<*>=1", "is always encoded"],
    ["a.b\t*\tdropif a=<N><N>", "there must be text between two marks"],
    ["a.b\t*\tdropif a=<N>1", "can never match"],
    ["a.b\t*\tdropif a=<N0>", "there is no <N0> in a pattern"],
    ["a.b\t*\tdropif a=<N>&b", "is not part of a parameter"],
    ["a.b\t*\tdropif a=<$>", "there is no <$> in a pattern"],
    ["a.b\t*\tdrop x\n\tunless\t/p", "unless takes a site and a condition"],
    ["a.b\t*\tdrop x\n\tunless\ta.b:81\t/p", "a host without a port"],
    ["a.b\t*\tdrop x\n\tunless\tA.b\t/p", "is not a host"],
    ["\tunless\ta.b\t/p", "an exception needs a rule above it"],
    ["a.b\t*\tdrop x\tlist n=1 ok=1 lb=1", "is not evidence"],
    ["a.b\t*\tdrop x\tlist:X 2026-11-26", "is not evidence"],
    ["a.b\t*\tdrop x\tlist:x 26-11-2026", "is not evidence"],
  ])("%j is refused", (line, reason) => {
    expect(() => plan(line)).toThrow(UrlmillError);
    expect(() => plan(line)).toThrow(reason);
  });

  test("the evidence of a list is read back, and applied if it is accepted", () => {
    const rules = `${RULES_HEADER}\na.b\t*\tdrop x\tlist:clearurls 2026-11-26\n`;
    const read = parseRules(rules);
    expect(read[0]?.evidence).toEqual({
      level: "list",
      n: 0,
      ok: 0,
      lb: 0,
      list: "clearurls 2026-11-26",
    });
    expect(writeRules(read)).toBe(rules);
    expect(parseRules(writeRules(read, "json"))).toEqual(read);
    for (const [accept, url] of [
      ["fetched", "http://a.b/?x"],
      ["list", "http://a.b/"],
      ["size", "http://a.b/"],
      ["pattern", "http://a.b/"],
    ] as const) {
      expect(createNormalizer({ rules, accept }).normalize("http://a.b/?x"), accept).toBe(url);
    }
    const sizes = `${RULES_HEADER}\na.b\t*\tdrop x\tE4 n=9 ok=9 lb=.8\n`;
    const n = createNormalizer({ rules: sizes, accept: "list" });
    expect(n.normalize("http://a.b/?x")).toBe("http://a.b/?x");
  });

  test("a rule that the site's option contradicts is refused for a domain, too", () => {
    const rules = `${RULES_HEADER}\n*.a.b\t*\tslash path\n`;
    for (const options of [
      { trailingSlash: "remove" },
      { sites: { "c.a.b": { trailingSlash: "remove" } } },
      { sites: { "*.a.b": { trailingSlash: "remove" } } },
      { sites: { "*.b": { trailingSlash: "remove" } } },
    ] as const) {
      expect(() => createNormalizer({ rules, ...options })).toThrow("slash path");
    }
    expect(() =>
      createNormalizer({ rules, sites: { "b.b": { trailingSlash: "remove" } } }),
    ).not.toThrow();
  });
});
