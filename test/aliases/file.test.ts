import { describe, expect, test } from "vitest";
import { UrlmillError } from "../../src/base/errors.ts";
import { ALIASES_HEADER, parseAliases, writeAliases } from "../../src/site-rules/index.ts";

const file = (...lines: string[]) => [ALIASES_HEADER, ...lines, ""].join("\n");

/** What a file is refused for. */
function refusal(text: string): string {
  try {
    parseAliases(text);
  } catch (error) {
    expect(error).toBeInstanceOf(UrlmillError);
    expect((error as UrlmillError).code).toBe("BAD_RULES");
    return (error as Error).message;
  }
  throw new Error(`not refused: ${text}`);
}

describe("a file of aliases", () => {
  const text = file(
    "example.org\t/?p=12\t/news/\tfingerprint",
    "example.org\t/?p=13\t/news/\tdeclared",
    "example.org:8080\t/?\t/",
    "[::1]\t/%C3%A9?a=%2F%27\t/x;y'?q=(1)\tstandard",
    "xn--9ca.fr\t//a\t/b?c?d&e",
    "xn--9ca.fr\t/t?p=<0..41>&x\t/t?p=42&x\tfingerprint",
    "xn--9ca.fr\t/t?p=<43..999999999>&x\t/t?p=42&x\tfingerprint",
    "xn--9ca.fr\t/w&;?<*>\t/w&;",
    "xn--9ca.fr\t/s?id=5=?&<*>\t/s?id=5=?&a",
  );

  test("is read and written without loss", () => {
    expect(writeAliases(parseAliases(text))).toBe(text);
    expect(parseAliases(text)[0]).toEqual({
      site: "example.org",
      from: "/?p=12",
      to: "/news/",
      level: "fingerprint",
    });
    expect(parseAliases(text)[2]?.level).toBeNull();
    expect(writeAliases([])).toBe(file());
    expect(parseAliases(writeAliases([]))).toEqual([]);
  });

  test("may begin with a byte order mark, end lines with CR LF, and have comments and empty lines", () => {
    const lines = ["\uFEFF#urlmill-aliases 1", "", "# a comment", "a.b\t/x\t/y\tfingerprint"];
    expect(parseAliases(lines.join("\r\n"))).toEqual(
      parseAliases(file("a.b\t/x\t/y\tfingerprint")),
    );
  });

  test("can be concatenated with another one", () => {
    const second = file("c.d\t/x\t/y");
    expect(parseAliases(text + second)).toEqual([...parseAliases(text), ...parseAliases(second)]);
  });

  test("may have one URL on two sites, and one target for several URLs", () => {
    expect(parseAliases(file("a.b\t/x\t/y", "c.d\t/x\t/y", "c.d\t/y2\t/y"))).toHaveLength(3);
    expect(parseAliases(file("a.b\t/x\t/y", "c.d\t/y\t/x"))).toHaveLength(2);
  });

  test("may have ranges beside each other, beside URLs, and equal ones on two sites", () => {
    const lines = ["a.b\t/<5..9>\t/y", "a.b\t/<2..3>\t/z", "a.b\t/4\t/y", "c.d\t/<2..3>\t/z"];
    expect(parseAliases(file(...lines))).toHaveLength(4);
    const others = ["a.b\t/a<1..9>\t/y", "a.b\t/b<1..9>\t/y", "a.b\t/a<1..9>?\t/a09"];
    expect(parseAliases(file(...others))).toHaveLength(3);
  });

  test("may have any other parameters of what other lines name, and of their own targets", () => {
    const lines = ["/x?<*>\t/x?a", "/x?b\t/v", "/x?<1..9>\t/y", "/x?b&<*>\t/z", "/s?a&<*>\t/s?a&b"];
    expect(parseAliases(file(...lines.map((line) => `a.b\t${line}`)))).toHaveLength(5);
  });
});

test.each([
  ["", 1, 'a file of aliases begins with the line "#urlmill-aliases 1"'],
  ["#urlmill-rules 1\n", 1, "a file of aliases begins with"],
  ["#urlmill-aliasesx 1\n", 1, "a file of aliases begins with"],
  ["#urlmill-aliases 2\n", 1, '"#urlmill-aliases 2" is another version'],
  [file("a.b\t/x\t/y", "#urlmill-aliases 2"), 3, "is another version"],
  [file("a.b\t/x\t/y", "\uFEFFc.d\t/x\t/y"), 3, "a byte order mark, which only a file can"],
  [file("a.b\t/x"), 2, "an alias is site, URL, target and perhaps evidence"],
  [file("a.b\t/x\t/y\tfingerprint\tmore"), 2, "an alias is site, URL, target and perhaps evidence"],
  [file("a.b /x /y"), 2, "an alias is site, URL, target and perhaps evidence"],
  [file("*\t/x\t/y"), 2, '"*" is not a host of a normalized URL'],
  [file("A.b\t/x\t/y"), 2, '"A.b" is not a host of a normalized URL'],
  [file("\t/x\t/y"), 2, '"" is not a host of a normalized URL'],
  [file("a.b/x\t/x\t/y"), 2, "is not a host of a normalized URL"],
  [file("a.b\tx\t/y"), 2, 'a path and perhaps a query, not "x"'],
  [file("a.b\t\t/y"), 2, 'a path and perhaps a query, not ""'],
  [file("a.b\t/x#f\t/y"), 2, 'a path and perhaps a query, not "/x#f"'],
  [file("a.b\t/x\thttp://a.b/y"), 2, 'a path and perhaps a query, not "http://a.b/y"'],
  [file("a.b\t/x y\t/y"), 2, '" " is always encoded'],
  [file("a.b\t/é\t/y"), 2, '"é" is always encoded'],
  [file("a.b\t/x\t/y{"), 2, '"{" is always encoded'],
  [file("a.b\t/x?'\t/y"), 2, `"'" is always encoded`],
  [file("a.b\t/%c3\t/y"), 2, '"%c3" is always written "%C3"'],
  [file("a.b\t/x?%4\t/y"), 2, '"%4" is not a whole triplet'],
  [file("a.b\t/x\t/a/../y"), 2, 'the dot-segment ".." is always removed'],
  [file("a.b\t/x/.\t/y"), 2, 'the dot-segment "." is always removed'],
  [
    file("a.b\t/x\t/y\tE6"),
    2,
    '"E6" is not a level of evidence: standard, declared, fingerprint, fetched, list, size, pattern',
  ],
  [file("a.b\t/x\t/y\tfingerprint n=1 ok=1 lb=1"), 2, "is not a level of evidence"],
  [file("a.b\t/x\t/x"), 2, "/x is its own target; remove the line"],
  [file("a.b\t/x\t/y", "", "a.b\t/x\t/z"), 4, "/x is already in line 2; keep one of the two lines"],
  [file("a.b\t/x\t/y", "a.b\t/x\t/y"), 3, "/x is already in line 2"],
  [file("a.b\t/y\t/z", "a.b\t/x\t/y"), 3, "the target /y is itself an alias, in line 2"],
  [file("a.b\t/x\t/y", "a.b\t/y\t/x"), 2, "the target /y is itself an alias, in line 3"],
  [file("a.b\t/x?<*>\t/y", "a.b\t/x?<*>\t/z"), 3, "/x?<*> is already in line 2"],
  [file("a.b\t/x?<*>\t/y", "a.b\t/z\t/x?a"), 3, "the target /x?a is itself an alias, in line 2"],
  [
    file("a.b\t/x?a&<*>\t/y", "a.b\t/z\t/x?b&a"),
    3,
    "the target /x?b&a is itself an alias, in line 2",
  ],
  [file("a.b\t/x\t/y?<*>"), 2, '"<" is always encoded'],
  [file("a.b\tx?<*>\t/y"), 2, 'a path and perhaps a query, not "x"'],
  [file("a.b\t/x?é&<*>\t/y"), 2, '"é" is always encoded'],
  ...[
    "/x<*>",
    "/x&<*>",
    "/x??<*>",
    "/x?a<*>",
    "/x?a?<*>",
    "/x?&<*>",
    "/x?a&b&<*>",
    "/x?a;b&<*>",
    "/x?<*>&a",
    "/x?a=<*>",
    "/x?<*>#",
    "?<*>",
    "/<1..9",
    "/<1>",
    "/<>",
    "/<N>",
    "/<..9>",
    "/<01..9>",
    "/<1..09>",
    "/<1..1000000000>",
    "/<-1..9>",
    "/<9..9>",
    "/<9..1>",
    "/1<2..3>",
    "/<1..2>3",
    "/<1..2>/<3..4>",
    "/<1..2>/x1",
    "<1..2>",
  ].map((url): [string, number, string] => [
    file(`a.b\t${url}\t/y`),
    2,
    `a range such as <12..34> is the last number of ${url}: two numbers of at most nine digits, the smaller one first`,
  ]),
  [file("a.b\tx<1..2>\t/y"), 2, 'a path and perhaps a query, not "x1"'],
  [file("a.b\t/{<1..2>\t/y"), 2, '"{" is always encoded'],
  [file("a.b\t/%<41..42>\t/y"), 2, '"%41" is always written "A"'],
  [file("a.b\t/x\t/<1..2>"), 2, '"<" is always encoded'],
  [file("a.b\t/<1..9>\t/y", "a.b\t/<1..9>\t/z"), 3, "/<1..9> is already in line 2"],
  [file("a.b\t/<1..5>\t/y", "a.b\t/<5..9>\t/y"), 3, "/<5..9> has a URL of line 2; keep each"],
  [file("a.b\t/<5..9>\t/y", "a.b\t/<1..5>\t/y"), 3, "/<1..5> has a URL of line 2; keep each"],
  [file("a.b\t/<1..9>\t/y", "a.b\t/<3..4>\t/y"), 3, "/<3..4> has a URL of line 2; keep each"],
  [file("a.b\t/<3..4>\t/y", "a.b\t/<1..9>\t/y"), 3, "/<1..9> has a URL of line 2; keep each"],
  [file("a.b\t/<1..9>\t/y", "a.b\t/9\t/y"), 3, "/9 has a URL of line 2; keep each"],
  [file("a.b\t/1\t/y", "a.b\t/<1..9>\t/y"), 2, "/1 has a URL of line 3; keep each"],
  [file("a.b\t/<1..9>\t/5"), 2, "the target /5 is itself an alias, in line 2"],
  [file("a.b\t/x\t/5", "a.b\t/<1..9>\t/y"), 2, "the target /5 is itself an alias, in line 3"],
  [file("a.b\t/<1..9>\t/x", "a.b\t/x\t/y"), 2, "the target /x is itself an alias, in line 3"],
])("the file %j is refused in line %i: %s", (text, line, reason) => {
  const message = refusal(text);
  expect(message.startsWith(`line ${line} of the aliases: `)).toBe(true);
  expect(message).toContain(reason);
});
