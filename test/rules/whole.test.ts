import { expect, test } from "vitest";
import { importList, type ListName } from "../../src/exchange/lists/import-list.ts";
import { createNormalizer } from "../../src/index.ts";
import { LISTS_PLAN_VERSION } from "../../src/plan/layout.ts";
import { parseRule, writeRule, writeRules } from "../../src/site-rules/index.ts";
import { describeEngines } from "../shared/engines.ts";
import { describeRules } from "../shared/ruled.ts";

describeRules("actions with & take parameters between & alone", [
  [
    ["* | * | drop & gclid,u_<*>"],
    [
      ["http://a.b/?gclid=1&x&u_1", "http://a.b/?x"],
      ["http://a.b/?text=a;gclid=b", "http://a.b/?text=a;gclid=b"],
      ["http://a.b/?x=1&amp;gclid=c&gclid=d", "http://a.b/?x=1&amp;gclid=c"],
      ["http://a.b/?gclid=1;x=2&u_1=3", "http://a.b/?gclid=1;x=2"],
      ["http://a.b/p;gclid=1?gclid=2#;gclid", "http://a.b/p;gclid=1#;gclid"],
    ],
  ],
  [
    ["a.b | * ?id | keep & id", "c.d | * | keep &"],
    [
      ["http://a.b/?id=1&x=2&y=3;z=4", "http://a.b/?id=1&y=3;z=4"],
      ["http://a.b/?id=1;x=2&y=3", "http://a.b/?id=1;x=2&y=3"],
      ["http://a.b/?x=1;id=2&y=3", "http://a.b/?x=1;id=2&y=3"],
      ["http://c.d/?x=1&y=2;z", "http://c.d/?y=2;z"],
    ],
  ],
  [
    ["* | * | dropif & cb=<N>", "* | * ?!x&y=1 | dropif & z=1"],
    [
      ["http://a.b/?cb=1&cb=2;a&cb=b", "http://a.b/?cb=2;a&cb=b"],
      ["http://a.b/?y=1&z=1", "http://a.b/?y=1"],
      ["http://a.b/?y=1&z=1&a;x", "http://a.b/?y=1&z=1&a;x"],
      ["http://a.b/?a;y=1&z=1", "http://a.b/?a;y=1&z=1"],
    ],
  ],
  [
    // A parameter that goes may take the `;` before the next one with it.
    ["* | * | drop & b", "* | * | drop a", "* | * | drop & c"],
    [
      ["http://a.b/?a=1;b=2", "http://a.b/"],
      ["http://a.b/?x;a;b=2", "http://a.b/?x;b=2"],
      ["http://a.b/?a;c;d&b;a", "http://a.b/?c;d"],
    ],
  ],
]);

describeEngines("many actions with &", (create) => {
  test("find their parameters by name, and leave alone those next to a `;`", () => {
    const rules = Array.from({ length: 300 }, (_, at) => {
      const action = ["drop & ", "dropif & ", "drop "][at % 3] as string;
      return `*\t* ?y${at}\t${action}x${at}${at % 3 === 1 ? "=<N>" : ""}`;
    });
    const params = Array.from({ length: 300 }, (_, at) => `y${at}&x${at}=${at}&x${at}=a`);
    const left = params.map((_, at) => [`y${at}`, `y${at}&x${at}=a`, `y${at}`][at % 3]);
    const normalizer = create({ rules: `#urlmill-rules 1\n${rules.join("\n")}` });
    expect(normalizer.normalize(`http://a.b/?${params.join("&")}`)).toBe(
      `http://a.b/?${left.join("&")}`,
    );
    expect(normalizer.normalize(`http://a.b/?${params.join("&")}&x0=1;x3=2;x4=3;z`)).toBe(
      `http://a.b/?${left.join("&")}&x0=1;x3=2;x4=3;z`,
    );
  });
});

describeEngines("unless", (create) => {
  test("of an action with & finds parameters next to a `;`, too", () => {
    const rules = "#urlmill-rules 1\n*\t*\tdrop & a\n\tunless\t*\t?x";
    expect(create({ rules }).normalize("http://a.b/?a=1&y;x=2")).toBe("http://a.b/?a=1&y;x=2");
    expect(create({ rules }).normalize("http://a.b/?a=1&y")).toBe("http://a.b/?y");
  });
});

test.each(["drop & a,b<*>", "keep &", "keep & a", "dropif & a=1", "dropif & <*>a=<N3>"])(
  "%s is read, written and in a plan of the version of lists",
  (action) => {
    const rule = parseRule(`a.b\t*\t${action}`);
    expect(rule.action).toMatchObject({ whole: true });
    expect(writeRule(rule)).toBe(`a.b\t*\t${action}`);
    const { plan } = createNormalizer({ rules: writeRules([rule]) });
    expect(new DataView(plan.buffer, plan.byteOffset).getUint32(0, true)).toBe(LISTS_PLAN_VERSION);
  },
);

test.each(["drop &", "drop &a", "drop &  a", "set & a=1", "sort &", "drop & &", "dropif &"])(
  "%s is refused",
  (action) => {
    expect(() => parseRule(`a.b\t*\t${action}`)).toThrow(
      expect.objectContaining({ code: "BAD_RULES" }),
    );
  },
);

const LISTS: readonly [ListName, string][] = [
  ["adguard", "$removeparam=gclid"],
  ["firefox", "gclid"],
  ["brave", '[{"include":["*://*/*"],"params":["gclid"]}]'],
  ["clearurls", '{"providers":{"all":{"urlPattern":".*","rules":["gclid"]}}}'],
];

describeEngines("imported names", (create) => {
  test.each(LISTS)("of %s match whole parameters between &", (name, text) => {
    const { rules } = importList(text, name, "2026-11-27");
    expect(rules).toHaveLength(1);
    const n = create({ rules: writeRules(rules), accept: "list" });
    for (const kept of ["text=a;gclid=b", "x=1&amp;gclid=c", "gclid=1;page=2"]) {
      expect(n.normalize(`http://a.b/?${kept}`)).toBe(`http://a.b/?${kept}`);
    }
    expect(n.normalize("http://a.b/?x=1;y=2&gclid=3")).toBe("http://a.b/?x=1;y=2");
  });
});
