import { describe, expect, test } from "vitest";
import { readList } from "../shared/read-list.ts";

// The lists are written here in the forms of the projects; nothing is copied from them.

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
    expect(readList("adguard", text)).toEqual({
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
    expect(readList("adguard", text)).toEqual({
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
      "@@||b.example/x$match-case,removeparam=mc_id",
      "@@$removeparam=/^x_.*_bid=.*$/",
      "@@||c.example^$removeparam=/^(ad|x_)/",
      "@@||shop.*/$removeparam=bid",
    ].join("\n");
    expect(readList("adguard", text)).toEqual({
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
    expect(readList("adguard", text)).toEqual({
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
    expect(readList("adguard", text)).toEqual({
      rules: ["*.a.example:8080\t*\tdrop & q", "\tunless\t*.b.a.example\t*"],
      left: ["2 ||a.example:443^$removeparam=q: no rule can say its pattern or domains"],
    });
    const brave = [{ include: ["*://*.c.example:81/*", "*://c.example:80/*"], params: ["q"] }];
    expect(readList("brave", JSON.stringify(brave))).toEqual({
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
    const { rules, left } = readList("adguard", text);
    expect(rules).toEqual(["*\t*\tdrop & a,c,d"]);
    expect(left).toEqual(["4 $removeparam=b: it depends on the blocker (#if)"]);
  });

  test("a line after the hint PLATFORM is for other blockers", () => {
    const text = [
      "!+ NOT_OPTIMIZED PLATFORM(windows, mac)",
      "!+ NOT_OPTIMIZED",
      "$removeparam=a",
      "$removeparam=b",
      "!+ PLATFORM(ext_ublock)",
      "@@||b.example^$removeparam=b",
      "!+ NOT_PLATFORM(ios)",
      "$removeparam=c",
    ].join("\n");
    expect(readList("adguard", text)).toEqual({
      rules: ["*\t*\tdrop & b", "\tunless\t*.b.example\t*", "*\t*\tdrop & c"],
      left: ["3 $removeparam=a: it depends on the blocker (PLATFORM)"],
    });
  });

  test("badfilter turns off a line for the domains that both name, in any order of modifiers", () => {
    const text = [
      "$removeparam=a,domain=a.example|b.example",
      "$domain=a.example,removeparam=a,badfilter",
      "$removeparam=b,domain=a.example|b.example",
      "$removeparam=b,domain=b.example|a.example|c.example,badfilter",
      "$removeparam=c,domain=c.example|c.co.example|d.example",
      "$queryprune=c,from=c.*,badfilter",
      "$removeparam=d",
      "@@$removeparam=d,domain=a.example|b.example",
      "@@$removeparam=d,badfilter,domain=B.example",
      "$removeparam=e,domain=a.example",
      "$removeparam=e,domain=a.example|~b.a.example,badfilter",
      "$removeparam=e,badfilter",
    ].join("\n");
    expect(readList("adguard", text)).toEqual({
      rules: [
        "*.b.example\t*\tdrop & a",
        "*.d.example\t*\tdrop & c",
        "*\t*\tdrop & d",
        "\tunless\t*.a.example\t*",
        "*.a.example\t*\tdrop & e",
      ],
      left: [
        "3 $removeparam=b,domain=a.example|b.example: another line turns it off with badfilter",
        "11 $removeparam=e,domain=a.example|~b.a.example,badfilter: it turns off no line of the list",
        "12 $removeparam=e,badfilter: it turns off no line of the list",
      ],
    });
  });

  test("badfilter for another blocker turns off lines that remove parameters, but no exception", () => {
    const text = [
      "$removeparam=a",
      "@@||a.example^$removeparam=a",
      "$removeparam=b",
      "!#if ext_abp",
      "@@||a.example^$removeparam=a,badfilter",
      "$removeparam=b,badfilter",
      "!#endif",
    ].join("\n");
    expect(readList("adguard", text)).toEqual({
      rules: ["*\t*\tdrop & a", "\tunless\t*.a.example\t*"],
      left: [
        "5 @@||a.example^$removeparam=a,badfilter: it depends on the blocker (#if)",
        "3 $removeparam=b: another line turns it off with badfilter",
      ],
    });
  });

  test("exceptions with document or urlblock keep all parameters of their URLs", () => {
    const text = [
      "$removeparam=a",
      "@@||a.example^$urlblock",
      "@@||b.example^$important,doc",
      "@@||c.example^$document,badfilter",
      "@@||c.example^$document",
      "@@||d.example^$document,removeparam=b",
      "@@||e.example^$elemhide",
      "||f.example^$document",
      "||g.example^$removeparam",
      "@@||g.example^$urlblock",
    ].join("\n");
    expect(readList("adguard", text)).toEqual({
      rules: ["*\t*\tdrop & a"].concat(
        ["a", "b", "g"].map((name) => `\tunless\t*.${name}.example\t*`),
      ),
      left: [
        "7 @@||e.example^$elemhide: it removes no parameter",
        "8 ||f.example^$document: it removes no parameter",
        "5 @@||c.example^$document: another line turns it off with badfilter",
        "9 : it never applies: an exception has *.g.example *",
      ],
    });
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
    expect(readList("adguard", text)).toEqual({
      rules: [
        "*\t*\tdrop & gid",
        "\tunless\t*\t/...unsub",
        "\tunless\t*\t/out/...",
        "\tunless\t*.a.example\t*",
        "\tunless\t*.b.example\t*",
        "\tunless\t*.c.example\t*",
      ],
      left: ["2 @@/unsub?$removeparam=gid", "3 @@||shop.*/out/$removeparam=gid"].map(
        (each) => `${each}: it is compared with case: no rule can compare without`,
      ),
    });
  });

  test("an exception for a path is widened up to its first letter, if it has no match-case", () => {
    const text = [
      "$removeparam=x",
      "@@||a.example/Path$removeparam=x",
      "@@||b.example/7/-/path$removeparam=x",
      "@@||c.example/7/-$removeparam=x",
      "@@||d.example/%C3%84$removeparam=x",
      "@@||e.example/ä$removeparam=x",
      "@@||f.example/Path$removeparam=x,match-case",
      "@@/unsub?$removeparam=x,domain=g.example",
    ].join("\n");
    expect(readList("adguard", text)).toEqual({
      rules: [
        "*\t*\tdrop & x",
        "\tunless\t*.a.example\t*",
        "\tunless\t*.b.example\t/7/-/...",
        "\tunless\t*.c.example\t/7/-...",
        "\tunless\t*.d.example\t*",
        "\tunless\t*.e.example\t*",
        "\tunless\t*.f.example\t/Path...",
        "\tunless\t*.g.example\t*",
      ],
      left: [],
    });
  });

  test("a host without an ending is not a host", () => {
    const text = ["||shop.$removeparam=gid", "$removeparam=hid", "@@||shop.$removeparam=hid"];
    const { rules, left } = readList("adguard", text.join("\n"));
    expect(rules).toEqual([]);
    expect(left.map((each) => each.split(" ")[0])).toEqual(["1", "3", "2"]);
  });

  test("exceptions keep rules away from their URLs", () => {
    const text = [
      "$removeparam=gid",
      "$removeparam=other",
      "||a.example^$removeparam=gid",
      "||b.example^$removeparam=gid",
      "@@||a.example/login^$removeparam=gid,match-case",
      "@@||www.a.example^$removeparam,xmlhttprequest",
    ].join("\n");
    expect(readList("adguard", text).rules).toEqual([
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
    const { rules, left } = readList("adguard", text);
    expect(rules).toEqual([]);
    expect(left.map((each) => Number(each.split(" ")[0])).toSorted((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 14,
    ]);
  });
});
