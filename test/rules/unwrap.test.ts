import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createNormalizer, type NormalizerOptions } from "../../src/index.ts";
import { parseRule } from "../../src/site-rules/language/rule-line.ts";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const RULE_FILE = join(tempFolder(), "rules.tsv");

const RULES = [
  "#urlmill-rules 1",
  "out.a\t/l\tunwrap u,url",
  "out.a\t*\tdrop x",
  "out.b\t*\tunwrap to",
  "*.fwd.c\t* ?k\tunwrap q<*>",
  "c.d\t*\tdrop x",
  "",
].join("\n");

/** A link that forwards to itself so many times, and then to `end`. */
function nested(depth: number, end: string): string {
  let url = end;
  for (let level = 0; level < depth; level++) url = `http://out.a/l?u=${encodeURIComponent(url)}`;
  return url;
}

const CASES: readonly (readonly [url: string, expected: string, options?: NormalizerOptions])[] = [
  // Decoded once, and read as any URL; rules of the new site come after it.
  ["http://out.a/l?u=HTTP%3A%2F%2FC.d%2F%7ea%3Fx%3D1%26b%3D2&v=1", "http://c.d/~a?b=2"],
  ["http://out.a/l?u=http://b/a+b%2520c", "http://b/a+b%20c"],
  ["http://out.a/l?u=http://%C3%A4.de/%20x", "http://xn--4ca.de/%20x"],
  ["http://out.a/l?u=http%3A%2F%2Fb%2Fa%0Ab", "http://b/a%0Ab"],
  ["http://out.a/l?u=http://b/%00x", "http://b/%00x"],
  ["http://out.a/l?u=http://b", "http://b/"],
  // A value goes up to the next `&`.
  ["http://out.a/l?url=http://b/a;v=1&z", "http://b/a;v=1"],
  ["http://out.a/l?q=1;url=http://b/", "http://out.a/l?q=1;url=http://b/"],
  // The first parameter with one of the names, in the order of the URL.
  ["http://out.a/l?url=http://b/&u=http://c/", "http://b/"],
  ["http://out.a/l?u&url=http://b/", "http://out.a/l?u&url=http://b/"],
  ["http://out.a/l?u;=1&url=http://b/", "http://out.a/l?u;=1&url=http://b/"],
  ["http://out.a/l?u;http://b/", "http://out.a/l?u;http://b/"],
  ["http://out.a/l?u&http://b/", "http://out.a/l?u&http://b/"],
  // Userinfo, port and fragment are those of the value.
  ["https://me@out.a/l?u=http://u:p@b:81/%23f#outer", "http://u:p@b:81/#f"],
  ["https://me@out.a/l?u=http://b/#outer", "http://b/"],
  // What is not an http or https URL stays, and other rules have their turn.
  ["http://out.a/l?u=ftp://b/", "http://out.a/l?u=ftp://b/"],
  ["http://out.a/l?u=news://b/c", "http://out.a/l?u=news://b/c"],
  ["http://out.a/l?u=ldaps://b/c", "http://out.a/l?u=ldaps://b/c"],
  ["http://out.a/l?u=//b/", "http://out.a/l?u=//b/"],
  ["http://out.a/l?u=http:b", "http://out.a/l?u=http:b"],
  ["http://out.a/l?u=http:b/c", "http://out.a/l?u=http:b/c"],
  ["http://out.a/l?u=http:/b/c", "http://out.a/l?u=http:/b/c"],
  ["http://out.a/l?x=1&u=http%3A%2F%2F%5B::&y", "http://out.a/l?u=http%3A%2F%2F%5B::&y"],
  ["http://out.a/l?x=1&u=ftp://b/", "http://out.a/l?u=ftp://b/"],
  ["http://out.a/l?u=http://", "http://out.a/l?u=http://"],
  ["http://out.a/l?u=http%3A%2F%2F%5B::", "http://out.a/l?u=http%3A%2F%2F%5B::"],
  ["http://out.a/x?u=http://b/", "http://out.a/x?u=http://b/"],
  ["http://out.a/l", "http://out.a/l"],
  ["http://www.fwd.c/?k&qq=http://b/", "http://b/"],
  ["http://www.fwd.c/?qq=http://b/", "http://www.fwd.c/?qq=http://b/"],
  // A scheme that does not pass is not one to move to.
  ["https://out.a/l?u=http://b/", "https://out.a/l?u=http://b/", { allowedSchemes: ["https"] }],
  ["https://out.a/l?u=https://b/", "https://b/", { allowedSchemes: ["https"] }],
  // Nested, as often as rules have rounds.
  [nested(5, "http://b/"), "http://b/"],
  ["http://out.a/l?u=https%3A%2F%2Fout.b%2F%3Fto%3Dhttp%253A%252F%252Fb%252F", "http://b/"],
  // The URL that a link forwards to stays whole where its own value is not a URL.
  [
    "http://out.a/l?u=http%3A%2F%2Fout.b%2F%3Fy%3D1%26to%3Dhttp%253A%252F%252Fc.d%252F%253Fx%25",
    "http://c.d/?x%25",
  ],
  [
    "http://out.a/l?u=http%3A%2F%2Fout.b%2F%3Fy%3D1%26to%3Dhttp%253A%252F%252Flonghost.c.d:x%252F",
    "http://out.b/?y=1&to=http%3A%2F%2Flonghost.c.d:x%2F",
  ],
  [
    "http://out.a/l?u=http%3A%2F%2Fout.b%2F%3Fy%3D1%26to%3Dhttp%253A%252F%252F%255B::",
    "http://out.b/?y=1&to=http%3A%2F%2F%5B::",
  ],
];

describe.each(ENGINES)("unwrap (%s)", (engine) => {
  test.each(CASES.map(([url, expected, options]) => ({ url, expected, options })))(
    "$url",
    ({ url, expected, options }) => {
      const normalizer = createNormalizer({ ...options, rules: RULES, engine });
      expect(normalizer.normalize(url)).toBe(expected);
      expect(normalizer.normalize(expected)).toBe(expected);
    },
  );

  test("a URL that is too long, or that rules never leave alone, stays as it is", () => {
    const long = `http://out.a/l?u=http://b/${"%C3%A4".repeat(20)}`;
    const short = createNormalizer({ rules: RULES, engine, maxLength: long.length });
    expect(short.normalize(long)).toBe(`http://b/${"%C3%A4".repeat(20)}`);
    const grown = `http://out.a/l?u=http://${"%C3%A4.".repeat(28)}de/`;
    const limited = createNormalizer({ rules: RULES, engine, maxLength: grown.length });
    expect(limited.normalize(grown)).toBe(grown);
    // Other rules have their turn at the URL that stays.
    const dropped = `http://out.a/l?x=1&u=http://${"%C3%A4.".repeat(28)}de/`;
    const other = createNormalizer({ rules: RULES, engine, maxLength: dropped.length });
    expect(other.normalize(dropped)).toBe(dropped.replace("x=1&", ""));
    // Each label gets a byte longer, so the result has the bytes of the limit.
    const equal = `http://out.a/l?u=http://${"%C3%A4.".repeat(17)}de/`;
    const exact = createNormalizer({ rules: RULES, engine, maxLength: equal.length });
    expect(exact.normalize(equal)).toBe(`http://${"xn--4ca.".repeat(17)}de/`);
    const rules = "#urlmill-rules 1\na.b\t*\tunwrap u\na.b\t* ?v\tset u=http://a.b/\n";
    const restless = createNormalizer({ rules, engine });
    expect(restless.normalize("http://a.b/?v&u=http://a.b/?v&u=1")).toBe("http://a.b/?v");
  });

  test("reads nothing of the row before", () => {
    const normalizer = createNormalizer({ rules: RULES, engine, defaultScheme: "https" });
    const before = "http://out.a/l?u=http%3A%2F%2Fb%2Fc";
    const rows = ["http", "http:", "http:/", "https:/", "b%2Fc", ""].flatMap((value) => [
      before,
      `http://out.a/l?u=${value}`,
    ]);
    expect(normalizer.normalizeBatch(rows).urls).toEqual(
      rows.map((row) => (row === before ? "http://b/c" : row)),
    );
  });

  test("is explained as one step for each link, and known by its reason", () => {
    const normalizer = createNormalizer({ rules: RULES, engine });
    const { steps } = normalizer.explain(
      "http://out.a/l?u=https%3A%2F%2Fout.b%2F%3Fto%3Dhttp%253A%252F%252FB",
    );
    expect(steps.filter(({ step }) => step === "rules")).toMatchObject([
      { after: "https://out.b/?to=http%3A%2F%2FB", reference: "out.a\t/l\tunwrap u,url" },
      { after: "http://b/", reference: "out.b\t*\tunwrap to" },
    ]);
  });

  test("counts the steps that explain tells", async () => {
    const urls = [...CASES.map(([url]) => url), "http://out.a/l?u=http%3A%2F%2F%5B::&x=1"];
    writeFileSync(RULE_FILE, RULES);
    const args = ["normalize", "--rules", RULE_FILE, "--engine", engine, "--stats", "--quiet"];
    const { stderr } = await runCli(args, urls.map((url) => `${url}\n`).join(""));
    const normalizer = createNormalizer({ rules: RULES, engine: "js" });
    const counts: Record<string, number> = {};
    for (const url of urls) {
      const { steps } = normalizer.explain(url);
      const changed = steps.filter(({ before, after }) => before !== after);
      for (const step of new Set(changed.map((each) => each.step)))
        counts[step] = (counts[step] ?? 0) + 1;
    }
    expect(JSON.parse(stderr).changesByStep).toEqual(counts);
  });

  test("a template and a key are those of the URL that is reached", () => {
    const normalizer = createNormalizer({ rules: RULES, engine });
    expect(normalizer.template("http://out.a/l?u=http://b/12")).toBe("http://b/<N>");
    expect(normalizer.surt("http://out.a/l?u=http://b/12")).toBe("b)/12");
  });
});

test.each([
  ["*\t*\tunwrap u", "name the sites that forward"],
  ["a.b\t*\tunwrap", "a name is missing"],
  ["a.b\t*\tunwrap u,u", "names a parameter twice"],
  ["a.b\t*\tunwrap & u", "no normalized URL has"],
])("%s is refused: %s", (line, reason) => {
  expect(() => parseRule(line)).toThrow(reason);
});
