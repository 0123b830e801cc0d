import { describe, expect, test } from "vitest";
import { importList } from "../../src/exchange/lists/import-list.ts";
import { writeRules } from "../../src/site-rules/index.ts";
import { LIST_DAY, readList } from "../shared/read-list.ts";

// The lists are written here in the forms of the projects; nothing is copied from them.

describe("ClearURLs", () => {
  const providers = (members: object) => JSON.stringify({ providers: members }, null, 1);

  test("hosts, names and exceptions become rules, patterns of few texts are written out", () => {
    const text = providers({
      global: {
        urlPattern: ".*",
        rules: ["(?:%3F)?track_id", "mc_.*", "p[fd]_x", "ref_?"],
        exceptions: [
          "^https?:\\/\\/(?:[a-z0-9-]+\\.)*?bank\\.example\\/login",
          "^https?:\\/\\/a\\.example",
          "^https?:\\/\\/c.example\\/oauth2?\\/.*?x=.",
        ],
      },
      shop: {
        urlPattern: "^https?:\\/\\/(?:[a-z0-9-]+\\.)*?shop\\.(?:example|test)",
        rules: ["sid"],
      },
      deep: { urlPattern: "^https?:\\/\\/www\\.b\\.example\\/search", rules: ["^q2$"] },
    });
    const unless = [
      "\tunless\t*.bank.example\t*",
      "\tunless\ta.example\t*",
      "\tunless\tc.example\t*",
    ];
    expect(readList("clearurls", text)).toEqual({
      rules: [
        "*\t*\tdrop & %3Ftrack_id,track_id,mc_<*>,pf_x,pd_x,ref_,ref",
        ...unless,
        "*.shop.example\t*\tdrop & sid",
        "*.shop.test\t*\tdrop & sid",
        "www.b.example\t/search...\tdrop & q2",
      ],
      left: [],
    });
  });

  test("what no rule can say is listed with its line", () => {
    const text = [
      '{"providers": {',
      '"tld": {"urlPattern": "^https?:\\\\/\\\\/(?:[a-z0-9-]+\\\\.)*?shop(?:\\\\.[a-z]{2,}){1,}",',
      '"rules": ["sid"]},',
      '"odd": {"urlPattern": "^https?:\\\\/\\\\/a\\\\.example",',
      '"rules": ["utm(?:_[a-z]*)?",',
      '"x.*y", ".*"],',
      '"rawRules": ["\\\\/ref=[^/?]*"],',
      '"referralMarketing": ["tag"],',
      '"redirections": ["^https?:\\\\/\\\\/a\\\\.example\\\\/out\\\\?u=([^&]*)"]},',
      '"blocked": {"urlPattern": "^https?:\\\\/\\\\/ads\\\\.example", "completeProvider": true},',
      '"except": {"urlPattern": "^https?:\\\\/\\\\/b\\\\.example", "exceptions": ["track"],',
      '"rules": ["sid"]}',
      "}}",
    ].join("\n");
    const { rules, left } = readList("clearurls", text);
    expect(rules).toEqual(["a.example\t/out\tunwrap u"]);
    expect(left.map((each) => each.replace(/:.*/, ""))).toEqual([
      "3 tld",
      "5 odd",
      "6 x<*>y",
      "6 <*>",
      "7 odd",
      "8 odd",
      "10 blocked",
      "11 except",
      "12 except",
    ]);
  });
});

test("a place of ClearURLs that ends at $ is left out, and an exception that does so stays", () => {
  const provider = (urlPattern: string, exceptions: readonly string[] = []) =>
    readList(
      "clearurls",
      JSON.stringify({ providers: { a: { urlPattern, rules: ["x"], exceptions } } }),
    );
  const login = "^https?:\\/\\/a\\.example\\/login$";
  const { rules, left } = provider(login);
  // A rule for /login... would have URLs that the list leaves alone.
  expect(rules).toEqual([]);
  expect(left).toHaveLength(1);
  const unless = "\tunless\ta.example\t*";
  expect(provider(".*", [login]).rules).toEqual(["*\t*\tdrop & x", unless]);
});

describe("an exception of ClearURLs that no rule can say", () => {
  /** The places that rules leave alone for an exception; null if they are left out. */
  function unlessOf(exception: string): string[] | null {
    const a = { urlPattern: ".*", rules: ["x"], exceptions: [exception] };
    const { rules } = importList(JSON.stringify({ providers: { a } }), "clearurls", LIST_DAY);
    const lines = writeRules(rules).split("\n").slice(2, -1);
    return rules.length === 0 ? null : lines.map((line) => line.replace("\tunless\t", ""));
  }

  test.each([
    // Of a path that begins with any text, or a query.
    [
      "^https?:\\/\\/(?:[a-z0-9-]+\\.)*?a\\.(?:example|test)[^?]*\\?.*?&?ref_?=.",
      ["*.a.example\t*", "*.a.test\t*"],
    ],
    ["^https?:\\/\\/news\\.a\\.example.*\\?hl=.", ["news.a.example\t*"]],
    // Of a path in any case.
    ["^https?:\\/\\/keep\\.example\\/1\\/Path", ["keep.example\t/1/..."]],
    // Of any hosts, or of hosts with any ending, and a path.
    ["^https?:\\/\\/[^/]+/[^/]+/[^/]+\\/-\\/refs[^?]*\\?.*?&?ref=.", ["*\t/*/*/-/refs..."]],
    [
      "^https?:\\/\\/(?:[a-z0-9-]+\\.)*?shop(?:\\.[a-z]{2,}){1,}\\/message-us\\?",
      ["*\t/message-us..."],
    ],
    // Of any hosts, and a parameter.
    ["^https?:\\/\\/bugs\\.[^/]*\\/[^?]+\\?.*?&?ref_?=[^/?&]*", ["*\t* ?ref_", "*\t* ?ref"]],
    // Of what may be before the path, and of others beside it.
    ["^https?:\\/\\/[^/]+(?:\\/up)?\\/drive\\/", null],
    ["^https?:\\/\\/a\\.example\\/x|y", null],
    ["track", null],
  ])("%s exempts its hosts, its path on any host, or its parameter", (exception, places) => {
    expect(unlessOf(exception)).toEqual(places);
  });

  test("for a path on any host is compared with case, and is listed", () => {
    const path = "^https?:\\/\\/shop(?:\\.[a-z]{2,}){1,}\\/message-us\\?";
    const a = { urlPattern: ".*", rules: ["x"], exceptions: [path] };
    expect(readList("clearurls", JSON.stringify({ providers: { a } }))).toEqual({
      rules: ["*\t*\tdrop & x", "\tunless\t*\t/message-us..."],
      left: [`1 a: ${path}: it is compared with case: no rule can compare without`],
    });
  });

  test("for hosts of any ending exempts common endings, and is listed", () => {
    const host = "^https?:\\/\\/(?:docs|my).shop(?:\\.[a-z]{2,}){1,}";
    const places = unlessOf(host) as string[];
    for (const end of ["com", "de", "co.uk", "com.br"])
      expect(places).toEqual(expect.arrayContaining([`docs.shop.${end}\t*`, `my.shop.${end}\t*`]));
    const a = { urlPattern: ".*", rules: ["x"], exceptions: [host] };
    const { left } = readList("clearurls", JSON.stringify({ providers: { a } }));
    expect(left).toEqual([
      `1 a: ${host}: it is taken for ${places.length / 2} endings of hosts: no rule can say any ending`,
    ]);
  });
});

test("redirections of ClearURLs to the URL in a parameter become rules", () => {
  const site = "^https?:\\/\\/(?:[a-z0-9-]+\\.)*?a\\.example";
  const redirections = [
    `${site}\\/out.*?q=([^&]*)`,
    `${site}\\/filter\\/\\?u(?:rl)?=([^&]+)`,
    `${site}\\/url\\?.*?(?:to|q)=(https?[^&]+)`,
    `${site}\\?go=([^&]*?)`,
    // The target is in the path, is a part of a value, or is all of the query.
    `${site}\\/amp\\/s\\/([^&]+)`,
    `${site}\\/.*?x=;%3F([^&]*)`,
    `${site}\\/out\\?(.*)`,
    "^https?:\\/\\/(?:[a-z0-9-]+\\.)*?g(?:\\.[a-z]{2,}){1,}\\/url\\?q=([^&]+)",
    ".*\\?url=([^&]*)",
  ];
  const exceptions = ["^https?:\\/\\/b\\.a\\.example"];
  const list = { providers: { a: { urlPattern: site, rules: [], exceptions, redirections } } };
  const unless = "\tunless\tb.a.example\t*";
  const { rules, left } = readList("clearurls", JSON.stringify(list));
  expect(rules).toEqual([
    "*.a.example\t/out...\tunwrap q",
    unless,
    "*.a.example\t/filter/\tunwrap url,u",
    unless,
    "*.a.example\t/url\tunwrap to,q",
    unless,
    "*.a.example\t/\tunwrap go",
    unless,
  ]);
  expect(left.map((each) => each.replace(/^.*: /, ""))).toEqual([
    ...Array(4).fill("no rule can say this redirection"),
    "name the sites that forward",
  ]);
});
