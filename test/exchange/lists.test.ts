import { describe, expect, test } from "vitest";
import { importList, type ListName } from "../../src/exchange/lists/import-list.ts";
import { createNormalizer } from "../../src/index.ts";
import { writeRules } from "../../src/site-rules/index.ts";

// The lists are written here in the forms of the projects; nothing is copied from them.

const DAY = "2026-11-26";

/** The lines of the rules of a list, without header and evidence, and what was left out as `LINE reason`. */
function read(from: ListName, text: string): { rules: string[]; left: string[] } {
  const { rules, leftOut } = importList(text, from, DAY);
  const lines = writeRules(rules).trimEnd().split("\n").slice(1);
  const evidence = `\tlist:${from} ${DAY}`;
  for (const line of lines)
    expect(line.endsWith(evidence) || line.startsWith("\tunless")).toBe(true);
  return {
    rules: lines.map((line) => line.replace(evidence, "")),
    left: leftOut.map(({ line, text: shown, reason }) => `${line} ${shown}: ${reason}`),
  };
}

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
      "\tunless\t*.bank.example\t/login...",
      "\tunless\ta.example\t*",
      "\tunless\tc.example\t/oauth...",
    ];
    expect(read("clearurls", text)).toEqual({
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
    const { rules, left } = read("clearurls", text);
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

describe("an exception of ClearURLs that no rule can say", () => {
  /** The places that rules leave alone for an exception; null if they are left out. */
  function unlessOf(exception: string): string[] | null {
    const a = { urlPattern: ".*", rules: ["x"], exceptions: [exception] };
    const { rules } = importList(JSON.stringify({ providers: { a } }), "clearurls", DAY);
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

  test("for hosts of any ending exempts common endings, and is listed", () => {
    const host = "^https?:\\/\\/(?:docs|my).shop(?:\\.[a-z]{2,}){1,}";
    const places = unlessOf(host) as string[];
    for (const end of ["com", "de", "co.uk", "com.br"])
      expect(places).toEqual(expect.arrayContaining([`docs.shop.${end}\t*`, `my.shop.${end}\t*`]));
    const a = { urlPattern: ".*", rules: ["x"], exceptions: [host] };
    const { left } = read("clearurls", JSON.stringify({ providers: { a } }));
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
  const { rules, left } = read("clearurls", JSON.stringify(list));
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
  expect(read("brave", JSON.stringify(list, null, 1))).toEqual({
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

describe("AdGuard", () => {
  test("names, hosts, paths, domains and regular expressions become rules", () => {
    const text = [
      "! Title: a list",
      "$removeparam=gid",
      "||shop.example^$removeparam=sid",
      "||shop.example/item/$removeparam=ref,document",
      "$removeparam=src,domain=a.example|~b.a.example",
      "$removeparam=/^mc_/",
      "||c.example^$removeparam=/^(cb|_)=\\d+$/",
      "||c.example^$removeparam=/^h=[0-9a-f]{32}$/i",
      "||d.example^$removeparam",
      "||e.example^$removeparam=~id",
      "||f.example^$removeparam=/^g=/",
    ].join("\n");
    expect(read("adguard", text)).toEqual({
      rules: [
        "*\t*\tdrop & gid,mc_<*>",
        "*.shop.example\t*\tdrop & sid",
        "*.shop.example\t/item/...\tdrop & ref",
        "*.a.example\t*\tdrop & src",
        "\tunless\t*.b.a.example\t*",
        "*.c.example\t*\tdropif & cb=<N>",
        "*.c.example\t*\tdropif & _=<N>",
        "*.c.example\t*\tdropif & h=<H32>",
        "*.d.example\t*\tkeep &",
        "*.e.example\t*\tkeep & id",
        "*.f.example\t*\tdropif & g=<*>",
      ],
      left: [],
    });
  });

  test("expressions without a beginning, paths that end, and stars in paths become rules for fewer URLs", () => {
    const text = [
      "||a.example^$removeparam=/mc_|^bid_.*$/",
      "||b.example/find?$removeparam=ref",
      "||c.example/?$removeparam=ref",
      "||d.example/*/item/$removeparam=ref",
      "||e.example^$removeparam=/^(f|g)=.*$/i",
    ].join("\n");
    expect(read("adguard", text)).toEqual({
      rules: [
        "*.a.example\t*\tdrop & mc_<*>,bid_<*>",
        "*.b.example\t/find\tdrop & ref",
        "*.c.example\t/\tdrop & ref",
        "*.d.example\t/*/item/...\tdrop & ref",
        "*.e.example\t*\tdropif & f=<*>",
        "*.e.example\t*\tdropif & g=<*>",
      ],
      left: [
        "1 ||a.example^$removeparam=/mc_|^bid_.*$/: only names that begin with it are taken: no rule can say any place in a name",
      ],
    });
  });

  test("an exception of names is for these alone, also where an expression removes others", () => {
    const text = [
      "$removeparam=/^mc_/",
      "$removeparam=/^(adid|bid)=/",
      "@@||a.example^$removeparam=ref",
      "@@||b.example^$removeparam=mc_id",
      "@@||b.example/x$removeparam=mc_id",
      "@@$removeparam=/^x_.*_bid=.*$/",
      "@@||c.example^$removeparam=/^(ad|x_)/",
      "@@||shop.*/$removeparam=bid",
    ].join("\n");
    expect(read("adguard", text)).toEqual({
      rules: [
        "*\t*\tdrop & mc_<*>",
        "\tunless\t*.b.example\t* ?mc_id",
        "\tunless\t*.b.example\t/x... ?mc_id",
        "*\t*\tdropif & adid=<*>",
        "\tunless\t*.c.example\t*",
      ],
      left: [
        "8 @@||shop.*/$removeparam=bid: no rule can say this exception, which keeps its rules out; --lose-exceptions takes them",
        "2 $removeparam=/^(adid|bid)=/: bid: no rule can say its exception in line 8: @@||shop.*/$removeparam=bid",
      ],
    });
  });

  test("an exception of names that end alike is for these alone", () => {
    const text = "$removeparam=/^adgroup=/\n$removeparam=/^a/\n@@$removeparam=/^.*_to_url=.*$/";
    expect(read("adguard", text)).toEqual({
      rules: ["*\t*\tdropif & adgroup=<*>"],
      left: ["2 a<*>: it never applies: an exception has * *"],
    });
  });

  test("a pattern with a port is for this port, its exceptions are for all", () => {
    const text = [
      "||a.example:8080^$removeparam=q",
      "||a.example:443^$removeparam=q",
      "@@||b.a.example:8080^$removeparam=q",
    ].join("\n");
    expect(read("adguard", text)).toEqual({
      rules: ["*.a.example:8080\t*\tdrop & q", "\tunless\t*.b.a.example\t*"],
      left: ["2 ||a.example:443^$removeparam=q: no rule can say its pattern or domains"],
    });
    const brave = [{ include: ["*://*.c.example:81/*", "*://c.example:80/*"], params: ["q"] }];
    expect(read("brave", JSON.stringify(brave))).toEqual({
      rules: ["*.c.example:81\t*\tdrop & q"],
      left: ["1 *://c.example:80/*: no rule can say this pattern"],
    });
  });

  test("lines for any blocker but one are read", () => {
    const text = [
      "!#if !ext_ubol",
      "$removeparam=a",
      "!#if (adguard && !adguard_ext_firefox) || env_mobile",
      "$removeparam=b",
      "!#else",
      "$removeparam=c",
      "!#endif",
      "!#endif",
      "!#if !(x || y)",
      "$removeparam=d",
      "!#endif",
    ].join("\n");
    const { rules, left } = read("adguard", text);
    expect(rules).toEqual(["*\t*\tdrop & a,c,d"]);
    expect(left).toEqual(["4 $removeparam=b: it depends on the blocker (#if)"]);
  });

  test("exceptions that no rule can say are widened to their path, or to their domains", () => {
    const text = [
      "$removeparam=gid",
      "@@/unsub?$removeparam=gid",
      "@@||shop.*/out/$removeparam=gid",
      "@@/embed/comments^$removeparam,domain=a.example|b.example",
      "@@|wss://$removeparam",
      "@@||c.example^$removeparam=/^g.*$/i",
      "@@||d.example^$removeparam=/^x_.*=1$/",
    ].join("\n");
    expect(read("adguard", text)).toEqual({
      rules: [
        "*\t*\tdrop & gid",
        "\tunless\t*\t/...unsub",
        "\tunless\t*\t/out/...",
        "\tunless\t*.a.example\t*",
        "\tunless\t*.b.example\t*",
        "\tunless\t*.c.example\t*",
      ],
      left: [],
    });
  });

  test("a host without an ending is not a host", () => {
    const text = ["||shop.$removeparam=gid", "$removeparam=hid", "@@||shop.$removeparam=hid"];
    const { rules, left } = read("adguard", text.join("\n"));
    expect(rules).toEqual([]);
    expect(left.map((each) => each.split(" ")[0])).toEqual(["1", "3", "2"]);
  });

  test("exceptions keep rules away from their URLs", () => {
    const text = [
      "$removeparam=gid",
      "$removeparam=other",
      "||a.example^$removeparam=gid",
      "||b.example^$removeparam=gid",
      "@@||a.example/login^$removeparam=gid",
      "@@||www.a.example^$removeparam,xmlhttprequest",
    ].join("\n");
    expect(read("adguard", text).rules).toEqual([
      "*\t*\tdrop & gid",
      "\tunless\t*.a.example\t/login...",
      "\tunless\t*.www.a.example\t*",
      "*\t*\tdrop & other",
      "\tunless\t*.www.a.example\t*",
      "*.a.example\t*\tdrop & gid",
      "\tunless\t*.a.example\t/login...",
      "\tunless\t*.www.a.example\t*",
      "*.b.example\t*\tdrop & gid",
    ]);
  });

  test("what no rule can say is listed with its line", () => {
    const text = [
      "||a.example^$removeparam=x,third-party",
      "||a.example^*/b$removeparam=x",
      "/a\\.example/$removeparam=x",
      "||google.*^$removeparam=x",
      "||a.example^$removeparam=/x=\\d+/",
      "||a.example^$removeparam=/^h=[0-9a-f]{32}$/",
      "||a.example^",
      "!#if (adguard_ext_safari)",
      "$removeparam=y",
      "!#endif",
      "$removeparam=bad",
      "$removeparam=bad,badfilter",
      "$removeparam=z",
      "@@/z/$removeparam=z",
    ].join("\n");
    const { rules, left } = read("adguard", text);
    expect(rules).toEqual([]);
    expect(left.map((each) => Number(each.split(" ")[0])).toSorted((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 14,
    ]);
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
    const { rules, left } = read("brave", text);
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
    expect(read("firefox", "aid bid\ncid").rules).toEqual(["*\t*\tdrop & aid,AID,bid,BID,cid,CID"]);
    const records = { data: [{ stripList: ["aid"], allowList: ["a.example"] }] };
    expect(read("firefox", JSON.stringify(records)).rules).toEqual([
      "*\t*\tdrop & aid,AID",
      "\tunless\t*.a.example\t*",
    ]);
    const share = {
      global: { queryParams: ["aid"], topLevelSites: ["*"] },
      b: { queryParams: ["bid"], topLevelSites: ["www.b.example"] },
    };
    expect(read("firefox", JSON.stringify(share)).rules).toEqual([
      "*\t*\tdrop & aid,AID",
      "www.b.example\t*\tdrop & bid,BID",
    ]);
  });

  test("names of Firefox are removed as they are listed, in lower and in upper case", () => {
    const { rules } = importList("mc_Id", "firefox", DAY);
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
    expect(read("pywb", text)).toEqual({
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
    const { rules, left } = read("pywb", text);
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
    const { rules, left } = read("pywb", text);
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
    const { rules, left } = read("pywb", text);
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
  expect(read("clearurls", JSON.stringify({ providers: { a: provider } }, null, 1))).toEqual({
    rules: [],
    left: ["6 x", "7 y"].map((each) => `${each}: it never applies: an exception has a.example *`),
  });
  const filters = [
    "||a.example/x/y$removeparam=q",
    "||b.a.example^$removeparam=q",
    "||a.example/x$removeparam=q",
    "@@||a.example/x/$removeparam=q",
    "@@||b.a.example^$removeparam=q",
  ].join("\n");
  expect(read("adguard", filters)).toEqual({
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
  expect(importList(text, "adguard", DAY).rules).toEqual([]);
  const { rules, leftOut } = importList(text, "adguard", DAY, true);
  expect(rules).toHaveLength(1);
  expect(leftOut.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
    "2 no rule can say this exception, which is lost",
  ]);
});

test("a text of another form is refused", () => {
  for (const [from, text] of [
    ["clearurls", "{}"],
    ["clearurls", "x"],
    ["brave", "{}"],
    ["firefox", "{}"],
    ["pywb", "a: b"],
  ] as const) {
    expect(() => importList(text, from, DAY), from).toThrow("the list");
  }
});

test("imported rules are applied if lists are accepted, on both engines", () => {
  const text = "$removeparam=/^mc_/\n@@||a.example^$removeparam";
  const rules = writeRules(importList(text, "adguard", DAY).rules);
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
