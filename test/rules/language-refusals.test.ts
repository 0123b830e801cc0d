import { describe, expect, test } from "vitest";
import { UrlmillError } from "../../src/base/errors.ts";
import { parseRules, RULES_HEADER, ruleFromJson } from "../../src/site-rules/index.ts";
import { atLength } from "../shared/length.ts";

/** Line, all of which but the last say nothing that is refused, and what the reason says. */
function refusal(text: string): { line: number; reason: string } {
  try {
    parseRules(text);
  } catch (error) {
    expect(error).toBeInstanceOf(UrlmillError);
    expect((error as UrlmillError).code).toBe("BAD_RULES");
    const [, line, reason = ""] =
      /^line (\d+) of the rules: (.*)$/s.exec((error as Error).message) ?? [];
    return { line: Number(line), reason };
  }
  throw new Error(`not refused: ${text}`);
}

const ABOVE = [RULES_HEADER, "# above", "", "good.example\t*\tsort"];

function expectRefused(line: string, reason: string | RegExp): void {
  const found = refusal([...ABOVE, line, "below.example\t*\tsort"].join("\n"));
  expect(found.reason).toMatch(reason);
  expect(found.line).toBe(ABOVE.length + 1);
}

const action = (text: string) => `a.example\t*\t${text}`;
const condition = (text: string) => `a.example\t${text}\tsort`;
const evidence = (text: string) => `a.example\t*\tsort\t${text}`;
const json = (value: unknown) => JSON.stringify(value);

describe("a file is refused without its header", () => {
  test.each([
    ["", 1, 'begins with the line "#urlmill-rules 1"'],
    ["a.b\t*\tsort", 1, 'begins with the line "#urlmill-rules 1"'],
    ["# comment first\n#urlmill-rules 1", 1, "begins with the line"],
    ["#urlmill-rulesx 1", 1, "begins with the line"],
    ["#urlmill-rules 2\n", 1, '"#urlmill-rules 2" is another version than "#urlmill-rules 1"'],
    ["#urlmill-rules", 1, "another version"],
    ["#urlmill-rules 1\na.b\t*\tsort\n#urlmill-rules 2\n", 3, "another version"],
  ])("%j", (text, line, reason) => {
    const found = refusal(text);
    expect(found.line).toBe(line);
    expect(found.reason).toContain(reason);
  });
});

describe("a line is refused with its number and why", () => {
  test.each([
    ["one column", "a.example", "site, condition, action and perhaps evidence"],
    ["two columns", "a.example\t*", "site, condition, action and perhaps evidence"],
    ["spaces for TAB", "a.example * sort", "with a TAB between"],
    ["five columns", "a.example\t*\tsort\t\tx", "with a TAB between"],
    ["a TAB after", "a.example\t*\tsort\t\t", "with a TAB between"],
    ["something else than JSON", '{"site":', "not JSON: "],
    ["a list", "[]", "with a TAB between"],
    [
      "another key",
      json({ site: "a", condition: "*", action: "sort", x: 1 }),
      'a rule cannot have "x"',
    ],
    ["a number", json({ site: 1, condition: "*", action: "sort" }), "are texts"],
    ["a TAB in JSON", json({ site: "a", condition: "*", action: "drop a\tb" }), "without TAB"],
  ])("%s", (_, line, reason) => expectRefused(line, reason));

  test.each([
    ["", "is not a host"],
    ["http://a.example", "is not a host"],
    ["a.example/", "is not a host"],
    ["A.example", "is not a host"],
    ["*.", "is not a host"],
    ["*.*.example", "is not a host"],
    ["**.example", "is not a host"],
    ["*.1.2.3.4", '"1.2.3.4" is an address: no host is below it'],
    ["*.[::1]", '"[::1]" is an address: no host is below it'],
    [`*.${"a.".repeat(32)}b`, "has more than 32 labels: name a domain above it"],
    ["a b", "is not a host"],
    ["a.example:080", "is not a host"],
    ["a.example:65536", "is not a host"],
    ["[::01]", "is not a host"],
    ["m\u00fcnchen.de", "is not a host"],
    ["\u65e5\u672c.example", "is not a host"],
    ["user@a.example", "is not a host"],
    ["1.2.3", "is not a host"],
  ])("site %j", (site, reason) => expectRefused(`${site}\t*\tsort`, reason));

  test("as long as it is read as JSON alone", () => {
    for (const value of [null, 1, "a", []]) {
      expect(() => ruleFromJson(value)).toThrow("a rule must be an object");
    }
  });
});

describe("a condition is refused", () => {
  test.each([
    ["a", "does not begin with /"],
    ["*.html", "does not begin with /"],
    [".../a", "does not begin with /"],
    ["/a b", '"b" tests no parameter'],
    ["/a ?b c", "more than a path and parameters"],
    ["?b /a", "the path must come first"],
    ["* ?", "tests no parameter"],
    ["* ?a&&b", "a name is missing"],
    ["* ?!", "a name is missing"],
    ["* ?=1", "a name is missing"],
    ["* ?!a=1", "an absent parameter cannot have a value"],
    ["* ?a;b", "; ends it"],
    ["* ?a=b;c", "; ends it"],
    ["* ?a\\=b", 'no parameter is named "a=b"'],
    ["* ?a#b", "# ends it"],
    ["* ?a'b", "is always encoded"],
    ["/a?b", "more than a path"],
    ["/a#b", "fragment"],
    ["/<X>", "there is no <X> in a pattern: <N>, <H>, <T>, <$>"],
    ["/<>", "there is no <>"],
    ["/<n>", "there is no <n>"],
    ["/a<b", '"<" is always encoded'],
    ["/a😀b", '"😀" is always encoded'],
    ["/a%C😀b", '"%C😀" is not a whole triplet'],
    ["/<T>", "cannot have <$> or <T>"],
    ["/a<$>", "cannot have <$> or <T>"],
    ["/<N><H>", "there must be text between two marks"],
    ["/**", "there must be text between two marks"],
    ["/*<N>", "there must be text between two marks"],
    ["/.../<N>", "only text can follow ..."],
    ["/......", "only text can follow ..."],
    ["/<N>5", '"5" belongs to the <N> before it'],
    ["/<H>f", '"f" belongs to the <H> before it'],
    ["/a\\", "ends in a backslash"],
  ])("%j", (text, reason) => expectRefused(condition(text), reason));
});

describe("text that no normalized URL has is refused", () => {
  test.each([
    ['/a"b', 'no normalized URL has "/a\\"b"'.replace("\\", "")],
    ["/a\\\\b", "is always encoded"],
    ["/a[b]", '"[" is always encoded'],
    ["/a|b", '"|" is always encoded'],
    ["/a^b", '"^" is always encoded'],
    ["/a`b", '"`" is always encoded'],
    ["/a{b}", '"{" is always encoded'],
    ["/\u00fc", "is always encoded"],
    ["/\u0001", "is always encoded"],
    ["/\u007f", "is always encoded"],
    ["/a%", '"%" is not a whole triplet'],
    ["/a%2", '"%2" is not a whole triplet'],
    ["/a%2/", '"%2/" is not a whole triplet'],
    ["/a%<N>", '"%" is not a whole triplet'],
    ["/a%2f", '"%2f" is always written "%2F"'],
    ["/a%41", '"%41" is always written "A"'],
    ["/a/./b", 'the dot-segment "." is always removed'],
    ["/a/..", 'the dot-segment ".." is always removed'],
    ["/../a", 'the dot-segment ".." is always removed'],
  ])("in a path: %j", (text, reason) => expectRefused(condition(text), reason));

  test.each([
    ["drop a b", '" " is always encoded'],
    ["drop a[]", '"[" is always encoded'],
    ["drop a'", '"\'" is always encoded'],
    ["set a=\u00fc", "is always encoded"],
    ["dropif a=%zz", "is not a whole triplet"],
    ["sub a  => b", "is always encoded"],
    ["sub abc => a ", "is always encoded"],
    ["sub abc => %", "is not a whole triplet"],
    ["sub /a<N> => %<1>", "is not a whole triplet"],
    ["path /aaaaaa => /a/../b", "dot-segment"],
    ["path /aaaaaa => /.", "dot-segment"],
    ["cut ..", "is not a path segment"],
    ["cut a|b", "is always encoded"],
    ["sink /..", "dot-segment"],
    ["sink /?'", "is always encoded"],
  ])("in an action: %j", (text, reason) => expectRefused(action(text), reason));
});

describe("an action is refused", () => {
  test.each([
    ["", 'there is no action "": drop, keep'],
    ["Drop a", 'there is no action "Drop"'],
    ["delete a", 'there is no action "delete"'],
    ["toString", 'there is no action "toString"'],
    ["drop", 'a name is missing: write the name of a parameter without a name as ""'],
    ["drop a,", "a name is missing"],
    ["drop a,a", "names a parameter twice"],
    ["drop a&b", "& ends it"],
    ["keep a=b", "no parameter is named"],
    ["dropif a", '"a" is not name=value'],
    ["dropif =1", "a name is missing"],
    ["set a=b&c", "& ends it"],
    ["sort name", 'sort takes no "name"'],
    ["lower", 'lower takes "path", not ""'],
    ["lower host", 'lower takes "path", not "host"'],
    ["scheme http", 'scheme takes "https", not "http"'],
    ["sub", "sub takes A => B"],
    ["sub a", "sub takes A => B"],
    ["sub a=>b", "sub takes A => B"],
    ["sub abc => b => c", "sub takes A => B"],
    ["sub  => a", "does not begin with text"],
    ["sub <N>a => a", "does not begin with text"],
    ["sub a#b => a", "fragment"],
    ["sub abc => #", "fragment"],
    ["sub /<N><$>a => /", "nothing can follow <$>"],
    ["sub /<N><T> => /", "there must be text between two marks"],
    ["sub /<T>a => /", '"a" belongs to the <T> before it'],
    ["path a => b", "does not begin with /"],
    ["path /aa => ", "the new path must begin with /"],
    ["path /aa => a", "the new path must begin with /"],
    ["path /a/* => <1>", "the new path must begin with /"],
    ["path /aaaa => /?a", "the new path must not have a query"],
    ["cut", "is not a path segment"],
    ["cut a/b", "is not a path segment"],
    ["cut a?b", "is not a path segment"],
    ["sink", "sink takes a path"],
    ["sink login", "sink takes a path"],
    ["sink /#", "sink takes a path"],
    ["host b.example", "host takes a.example => B"],
    ["host b.example => c.example", "host takes a.example => B"],
    ["host a.example => B.example", "is not a host of a normalized URL"],
    ["host a.example => *", "is not a host of a normalized URL"],
    ["host a.example => ", "is not a host of a normalized URL"],
    ["host a.example => a.example", "a.example and a.example are the same host"],
  ])("%j", (text, reason) => expectRefused(action(text), reason));

  test("that moves every host", () => {
    expectRefused("*\t*\thost * => b.example", "a rule for every site cannot have the action host");
    const named = "*.a.example\t*\thost a.example => b.example";
    expectRefused(named, "a rule for a domain cannot have the action host");
    const ofDomain = "*.a.example\t*\thost *.a.example => b.example";
    expectRefused(ofDomain, "a rule for a domain cannot have the action host");
  });
});

describe("captures are refused", () => {
  test.each([
    ["sub /p/<N> => /<2>", "the pattern has no capture <2>"],
    ["sub /p/<$> => /<1>", "the pattern has no capture <1>"],
    ["path /p => /<1>", "the pattern has no capture <1>"],
    ["path /ppp/*/* => /<1><1>", "<1> is copied twice"],
    ["path /ppp/*/*/* => /<3>/<2>/<3>", "<3> is copied twice"],
    ["path /p/* => /<N>", "there is no <N> in a template: <1> to <9>"],
    ["path /p/* => /<0>", "there is no <0> in a template"],
    ["path /p/* => /<10>", "there is no <10> in a template"],
    ["path /p/* => /<1", "is always encoded"],
  ])("%j", (text, reason) => expectRefused(action(text), reason));
});

describe("a rule that does not decrease is refused", () => {
  const LONGER = "it can make a URL longer";
  const AS_LONG = "as long and not smaller";
  test.each([
    ["sub a => ab", LONGER],
    ["sub a => %20", LONGER],
    ["path /<N> => /aaa<1>", LONGER],
    ["path /a/... => /a/b/", LONGER],
    ["sub /<N> => /aa", LONGER],
    ["sub a => a", AS_LONG],
    ["sub a => b", AS_LONG],
    ["sub ab => ac", AS_LONG],
    ["path /*/* => /<2>/<1>", AS_LONG],
    ["path /a<N> => /<1>a", AS_LONG],
    ["path /<N>/a => /<1>/b", AS_LONG],
    ["sub /<N> => /a", AS_LONG],
    ["path /a/... => /b/", AS_LONG],
    ["path /a/... => /a/", AS_LONG],
  ])("%j", (text, reason) => expectRefused(action(text), reason));

  test.each([
    ["sub b => a"],
    ["path /<N>/b => /<1>/a"],
    ["sub /<H> => /aaaaaaaaaaaaaaa"],
    ["path /b/... => /a/"],
    ["path /ab/*/* => /<2>/<1>"],
  ])("but %j is not", (text) => {
    expect(parseRules(`${RULES_HEADER}\n${action(text)}`)).toHaveLength(1);
  });
});

describe("a sink is refused that is longer than what it matches", () => {
  test.each([
    ["*", "sink /x", 1],
    ["/login/... ?a", "sink /login?from", 9],
    ["/<N>/* ?a=b", "sink /aaaaaaaaaa", 8],
    ["* ?a&!b", "sink /aaa", 3],
    ["* ?aa&aa=bb", "sink /aaaaaa", 7],
    ["* ?aa=b&aa=b", "sink /aaaaa", 6],
  ])("%j %s", (where, sink, shortest) => {
    const target = sink.slice("sink ".length);
    const tooLong = `${target}${"a".repeat(Math.max(0, shortest + 1 - target.length))}`;
    expectRefused(
      `a.example\t${where}\tsink ${tooLong}`,
      `is longer than the shortest URL that the rule can match (${shortest} bytes)`,
    );
    const fitting = tooLong.slice(0, shortest);
    expect(parseRules(`${RULES_HEADER}\na.example\t${where}\tsink ${fitting}`)).toHaveLength(1);
  });
});

describe("a pattern that could take quadratic time is refused", () => {
  test.each([
    ["sub 1a1<N> => a", '"1" before <N> can be one of its bytes'],
    ["sub a<H> => a", '"a" before <H> can be one of its bytes'],
    ["sub x<T> => x", '"x" before <T> can be one of its bytes'],
    ["sub -<T>/ => /", '"-" before <T> can be one of its bytes'],
    ["sub a/<N>/a<H> => /", '"a" before <H> can be one of its bytes'],
  ])("%j", (text, reason) => expectRefused(action(text), reason));

  test.each([
    "sub a1<N> => a",
    "sub /<N>/a<H> => /",
    "sub /<N>-<T>/ => /<1>/",
    "sub ?<N>-<T><$> => ?<1>",
  ])("but not if no match can begin within a run: %j", (text) => {
    expect(parseRules(`${RULES_HEADER}\na.example\t*\t${text}`)).toHaveLength(1);
  });
});

describe("hosts moved in a circle are refused at the last line of the circle", () => {
  const move = (from: string, to: string, where = "*") =>
    `${from}\t${where}\thost ${from} => ${to}`;
  test.each([
    ["two", [move("a.b", "c.d"), move("c.d", "a.b")], 3, "a.b > c.d > a.b"],
    ["three", [move("c", "a"), move("a", "b"), move("b", "c"), "z\t*\tsort"], 4, "c > a > b > c"],
    [
      "in any order",
      [move("b", "c"), move("c", "a"), move("x", "y"), move("a", "b")],
      5,
      "b > c > a > b",
    ],
    ["after another", [move("x", "a"), move("a", "b"), move("b", "a")], 4, "a > b > a"],
    [
      "with another rule for the same host",
      [move("a", "c", "/x"), move("a", "b"), move("c", "a")],
      4,
      "a > c > a",
    ],
  ])("%s", (_, lines, line, circle) => {
    const found = refusal([RULES_HEADER, ...lines].join("\n"));
    expect(found).toEqual({ line, reason: `hosts are moved in a circle: ${circle}` });
  });

  test("but not hosts that are moved to one, and in linear time", () => {
    const COUNT = atLength(8_000, 20_000);
    const hosts = Array.from({ length: COUNT }, (_, index) => `h${index}.example`);
    const moves = hosts.map((host, index) => move(host, `h${index + 1}.example`));
    expect(parseRules([RULES_HEADER, ...moves].join("\n"))).toHaveLength(COUNT);
    expect(parseRules([RULES_HEADER, ...moves.toReversed()].join("\n"))).toHaveLength(COUNT);
    expect(parseRules([RULES_HEADER, move("a", "c"), move("b", "c")].join("\n"))).toHaveLength(2);
  });
});

describe("evidence is refused", () => {
  test.each([
    ["fingerprint", "is not evidence such as"],
    ["E6 n=1 ok=1 lb=.1", "is not evidence such as"],
    ["fingerprint n=1 ok=1 lb=0.1", "is not evidence such as"],
    ["fingerprint n=1 ok=1 lb=1.0", "is not evidence such as"],
    ["fingerprint n=1 ok=1 lb=.12345", "is not evidence such as"],
    ["fingerprint n=-1 ok=1 lb=.1", "is not evidence such as"],
    ["fingerprint n=1 ok=1 lb=.1 ", "is not evidence such as"],
    ["fingerprint ok=1 n=1 lb=.1", "is not evidence such as"],
    ["fingerprint n=1 ok=2 lb=.1", "ok is above n"],
    ["fingerprint n=9007199254740993 ok=1 lb=.1", "too large to count with"],
  ])("as TSV: %j", (text, reason) => expectRefused(evidence(text), reason));

  test.each([
    [null, "evidence is a level"],
    ["fingerprint n=1 ok=1 lb=.1", "evidence is a level"],
    [{ level: "E6", n: 1, ok: 1, lb: 0.1 }, "evidence is a level"],
    [{ level: "fingerprint", n: 1.5, ok: 1, lb: 0.1 }, "evidence is a level"],
    [{ level: "fingerprint", n: -1, ok: -1, lb: 0.1 }, "evidence is a level"],
    [{ level: "fingerprint", n: 1, ok: 1, lb: 1.1 }, "evidence is a level"],
    [{ level: "fingerprint", n: 1, ok: 1 }, "evidence is a level"],
    [{ level: "fingerprint", n: 1, ok: 1, lb: 0.1, p: 1 }, "evidence is a level"],
    [{ level: "fingerprint", n: 1, ok: 2, lb: 0.1 }, "ok (2) above n (1)"],
  ])("as JSON: %j", (value, reason) => {
    expectRefused(
      json({ site: "a.example", condition: "*", action: "sort", evidence: value }),
      reason,
    );
  });
});
