import { describe, expect, test } from "vitest";
import { importList } from "../../src/exchange/lists/import-list.ts";
import { createNormalizer } from "../../src/index.ts";
import { writeRules } from "../../src/site-rules/index.ts";
import { LIST_DAY, readList } from "../shared/read-list.ts";

// The lists are written here in the forms of the projects; nothing is copied from them.

test("debouncing of Brave becomes rules where a parameter has the whole URL", () => {
  const list = [
    {
      include: ["*://*.a.example/redirect*", "*://a.example/out.php?*", "*://a.example/?url=*"],
      exclude: ["*://b.a.example/*"],
      action: "redirect",
      param: "url",
    },
    { include: ["*://c.example/*"], action: "base64,redirect", param: "go" },
    { include: ["*://d.example/*"], action: "redirect", param: "to", prepend_scheme: "https" },
  ];
  expect(readList("brave", JSON.stringify(list, null, 1))).toEqual({
    rules: [
      "*.a.example\t/redirect...\tunwrap url",
      "\tunless\tb.a.example\t*",
      "a.example\t/out.php\tunwrap url",
      "\tunless\tb.a.example\t*",
    ],
    left: [
      "6 *://a.example/?url=*: no rule can say this pattern",
      "19 go: only a whole URL is taken out of a parameter",
      "26 to: only a whole URL is taken out of a parameter",
    ],
  });
});

describe("Brave and Firefox", () => {
  test("patterns of Brave become sites and paths", () => {
    const text = JSON.stringify(
      [
        {
          include: ["*://*.a.example/*", "*://b.example/search?*", "*://c.example/*/track/*"],
          exclude: ["*://*.login.a.example/*", "https://a.example/x/*/y"],
          params: ["s", "t[0]"],
        },
        { include: ["https://d.example/*", "*://d.example/x"], exclude: [], params: ["u"] },
      ],
      null,
      1,
    );
    const unless = ["\tunless\t*.login.a.example\t*", "\tunless\ta.example\t/x/..."];
    const { rules, left } = readList("brave", text);
    expect(rules).toEqual([
      "*.a.example\t*\tdrop & s,t%5B0%5D",
      ...unless,
      "b.example\t/search\tdrop & s,t%5B0%5D",
      ...unless,
      "c.example\t/*/track/...\tdrop & s,t%5B0%5D",
      ...unless,
    ]);
    expect(left).toEqual([
      "19 https://d.example/*: no rule can say this pattern",
      "20 *://d.example/x: no rule can say this pattern",
    ]);
  });

  test("names of Firefox are for every site, or for those that it names", () => {
    expect(readList("firefox", "aid bid\ncid").rules).toEqual([
      "*\t*\tdrop & aid,AID,bid,BID,cid,CID",
    ]);
    const records = { data: [{ stripList: ["aid"], allowList: ["a.example"] }] };
    expect(readList("firefox", JSON.stringify(records)).rules).toEqual([
      "*\t*\tdrop & aid,AID",
      "\tunless\t*.a.example\t*",
    ]);
    const share = {
      global: { queryParams: ["aid"], topLevelSites: ["*"] },
      b: { queryParams: ["bid"], topLevelSites: ["www.b.example"] },
    };
    expect(readList("firefox", JSON.stringify(share)).rules).toEqual([
      "*\t*\tdrop & aid,AID",
      "www.b.example\t*\tdrop & bid,BID",
    ]);
  });

  test("names of Firefox are removed as they are listed, in lower and in upper case", () => {
    const { rules } = importList("mc_Id", "firefox", LIST_DAY);
    for (const engine of ["wasm", "js"] as const) {
      const n = createNormalizer({ rules: writeRules(rules), accept: "list", engine });
      expect(n.normalize("http://a/?mc_Id&mc_id&MC_ID&Mc_Id")).toBe("http://a/?Mc_Id");
    }
  });
});

describe("pywb", () => {
  test("look-ups become keep where all parameters are there, for hosts with and without www.", () => {
    const text = [
      "rules:",
      "    - url_prefix: 'example,a)/ajax/'",
      "",
      "      fuzzy_lookup:",
      "          - id",
      "    - url_prefix: 'example,b,'",
      "      fuzzy_lookup: '()'",
      "    - url_prefix: ['example,c)/']",
      "      fuzzy_lookup:",
      "        match: '()'",
    ].join("\n");
    expect(readList("pywb", text)).toEqual({
      rules: [
        "a.example\t/ajax/... ?id\tkeep & id",
        "\tunless\ta.example\t/ajax/... ?id=",
        "www.a.example\t/ajax/... ?id\tkeep & id",
        "\tunless\twww.a.example\t/ajax/... ?id=",
        "*.b.example\t*\tkeep &",
        "\tunless\tb.example\t*",
        "\tunless\twww.b.example\t*",
        "c.example\t*\tkeep &",
        "www.c.example\t*\tkeep &",
      ],
      left: [],
    });
  });

  test("an entry leaves alone what earlier ones have", () => {
    const text = [
      "    - url_prefix: 'example,a)/x/y'",
      "      fuzzy_lookup: '/y/(.*)'",
      "    - url_prefix: 'example,a)/x/'",
      "      fuzzy_lookup:",
      "          - id",
      "    - url_prefix: 'example,a)/x'",
      "      fuzzy_lookup: '()'",
      "    - url_prefix: 'example,a)/x/y/z'",
      "      fuzzy_lookup: '()'",
    ].join("\n");
    const { rules, left } = readList("pywb", text);
    const place = (path: string) => ["", "www."].map((www) => `\tunless\t${www}a.example\t${path}`);
    expect(rules).toEqual(
      ["a.example", "www.a.example"]
        .flatMap((host) => [
          `${host}\t/x/... ?id\tkeep & id`,
          `\tunless\t${host}\t/x/... ?id=`,
          ...place("/x/y..."),
        ])
        .concat(
          ["a.example", "www.a.example"].flatMap((host) => [
            `${host}\t/x...\tkeep &`,
            ...place("/x/y..."),
            ...place("/x/... ?id"),
          ]),
        ),
    );
    expect(left).toEqual([
      "1 example,a)/x/y: no rule can say its pattern",
      "3 example,a)/x/: what it leaves alone is compared with case: no rule can compare without",
      "6 example,a)/x: what it leaves alone is compared with case: no rule can compare without",
      "8 example,a)/x/y/z: an earlier entry may have its URLs",
    ]);
  });

  test("values that are ignored everywhere become dropif", () => {
    const text = [
      "default_filters:",
      "    not_exts:",
      "        - asp",
      "    url_normalize:",
      "        - match: '[?&](_|cb)=([\\d]+)(?=&|$)'",
      "          replace: ''",
      "        - match: '[?&]utm_[^=]+=[^&]+(?=&|$)'",
      "          replace: ''",
      "rules:",
      "    - url_prefix: ''",
      "      fuzzy_lookup:",
      "        match: '(.*)[&?](?:uncache)=[\\d]+[&]?'",
      "        replace: '?'",
      "    - url_prefix: ''",
      "      fuzzy_lookup:",
      "        match: '()'",
    ].join("\n");
    const { rules, left } = readList("pywb", text);
    expect(rules).toEqual([
      "*\t*\tdropif & _=<N>",
      "*\t*\tdropif & cb=<N>",
      "*\t*\tdropif & uncache=<N>",
    ]);
    expect(left).toEqual([
      "7 [?&]utm_[^=]+=[^&]+(?=&|$): no rule can say its pattern",
      '14 "": it looks for files of any site, by their endings and types',
    ]);
  });

  test("what no rule can say is listed with its line", () => {
    const text = [
      "    - url_prefix: ['example,c)/', 'example,d']",
      "      fuzzy_lookup: '/x/(.*)'",
      "      rewrite:",
      "        - no",
      "    - url_prefix: 'example,d'",
      "      fuzzy_lookup: '()'",
      "    - url_prefix: 'example,e)/'",
      "      rewrite:",
      "        js: all",
      "    - url_prefix: 'example,f)/'",
      "      fuzzy_lookup:",
      "          - ownerId",
      "    - url_prefix: 'example,g,www)/'",
      "      fuzzy_lookup: '()'",
    ].join("\n");
    const { rules, left } = readList("pywb", text);
    expect(rules).toEqual([]);
    expect(left).toEqual([
      "1 example,c)/, example,d: no rule can say its pattern",
      "5 example,d: no rule can say this prefix",
      "7 example,e)/: it changes pages, and no URL",
      "10 example,f)/: it never applies: pywb's keys are in lower case",
      "13 example,g,www)/: no rule can say this prefix",
    ]);
  });
});

test("a rule that an exception leaves no URL is not written, and is listed", () => {
  const urlPattern = "^https?:\\/\\/a\\.example";
  const exceptions = ["^https?:\\/\\/a\\.example\\/.*?b\\/"];
  const provider = { urlPattern, rules: ["x", "y"], exceptions };
  expect(readList("clearurls", JSON.stringify({ providers: { a: provider } }, null, 1))).toEqual({
    rules: [],
    left: ["6 x", "7 y"].map((each) => `${each}: it never applies: an exception has a.example *`),
  });
  const filters = [
    "||a.example/x/y$removeparam=q",
    "||b.a.example^$removeparam=q",
    "||a.example/x$removeparam=q",
    "@@||a.example/x/$removeparam=q,match-case",
    "@@||b.a.example^$removeparam=q",
  ].join("\n");
  expect(readList("adguard", filters)).toEqual({
    rules: [
      "*.a.example\t/x...\tdrop & q",
      "\tunless\t*.a.example\t/x/...",
      "\tunless\t*.b.a.example\t*",
    ],
    left: [
      "1 q: it never applies: an exception has *.a.example /x/...",
      "2 q: it never applies: an exception has *.b.a.example *",
    ],
  });
});

test("rules whose exceptions no rule can say are taken only if that is asked for", () => {
  const text = "$removeparam=z\n@@/z/$removeparam=z";
  expect(importList(text, "adguard", LIST_DAY).rules).toEqual([]);
  const { rules, leftOut } = importList(text, "adguard", LIST_DAY, true);
  expect(rules).toHaveLength(1);
  expect(leftOut.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
    "2 no rule can say this exception, which is lost",
  ]);
});

test("a listed name with <*> is this name, and not any that begins so", () => {
  const name = "q%3C*%3E";
  const drop = [`*\t*\tdrop & ${name}`];
  const entry = { include: ["*://*/*"], params: ["q<*>"] };
  const pywb = "- url_prefix: 'example,a)/'\n  fuzzy_lookup:\n    - 'q<*>'";
  expect(readList("adguard", "$removeparam=q<*>").rules).toEqual(drop);
  expect(readList("brave", JSON.stringify([entry])).rules).toEqual(drop);
  expect(readList("firefox", "q<*>").rules).toEqual([`${drop},Q%3C*%3E`]);
  expect(readList("pywb", pywb).rules[0]).toBe(`a.example\t* ?${name}\tkeep & ${name}`);
  const exception = "$removeparam=q<*>\n@@||a.example^$removeparam=q<*>";
  expect(readList("adguard", exception).rules).toEqual([...drop, "\tunless\t*.a.example\t*"]);
});

test("a text of another form is refused", () => {
  for (const [from, text] of [
    ["clearurls", "{}"],
    ["clearurls", "x"],
    ["brave", "{}"],
    ["firefox", "{}"],
    ["pywb", "a: b"],
  ] as const) {
    expect(() => importList(text, from, LIST_DAY), from).toThrow("the list");
  }
});

test("imported rules are applied if lists are accepted, on both engines", () => {
  const text = "$removeparam=/^mc_/\n@@||a.example^$removeparam";
  const rules = writeRules(importList(text, "adguard", LIST_DAY).rules);
  for (const engine of ["wasm", "js"] as const) {
    const n = createNormalizer({ rules, accept: "list", engine });
    expect(n.normalize("http://b.example/?mc_id=1&x")).toBe("http://b.example/?x");
    expect(n.normalize("http://www.a.example:81/?mc_id=1")).toBe(
      "http://www.a.example:81/?mc_id=1",
    );
    expect(createNormalizer({ rules, engine }).normalize("http://b.example/?mc_id=1")).toBe(
      "http://b.example/?mc_id=1",
    );
  }
});
