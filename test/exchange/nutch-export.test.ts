import { describe, expect, test } from "vitest";
import { exportNutchRules } from "../../src/exchange/index.ts";
import { type NutchRegex, readNutchXml } from "../../src/exchange/nutch-xml.ts";
import { createNormalizer } from "../../src/js.ts";
import { applyRule } from "../../src/site-rules/apply/apply.ts";
import { parseRule } from "../../src/site-rules/index.ts";
import { joinParts, splitParts } from "../../src/url/parts.ts";
import { Random } from "../shared/random.ts";

/** Java's `replaceAll`, for patterns that begin at `^` or go on at `\G`. */
function replaceAll(url: string, { pattern, substitution }: NutchRegex): string {
  const first = new RegExp(pattern.replaceAll("\\G(?!^)", "(?!)"), "y");
  const next = new RegExp(pattern.replaceAll("\\G(?!^)", "").replaceAll("(^", "((?!)"), "y");
  let written = "";
  let at = 0;
  for (let regex = first; ; regex = next) {
    regex.lastIndex = at;
    const match = regex.exec(url);
    if (match === null) return written + url.slice(at);
    written += substitution.replace(/\\(.)|\$(\d)/g, (_, literal, group) =>
      group === undefined ? literal : (match[Number(group)] ?? ""),
    );
    at = regex.lastIndex;
    if (!pattern.includes("\\G")) return written + url.slice(at);
  }
}

const RULES = [
  "h.example | * | drop sid",
  'h.example | * | drop sid,a,""',
  "h.example:8080 | * | drop sid",
  "* | * | drop a.b,x",
  "h.example | /a/... | drop sid,x",
  "h.example | /*.html ?a&!x | drop sid",
  "h.example | /<N>/* ?x=1 | drop sid",
  "h.example | * ?x= | drop a",
  "h.example | * | drop & sid,x",
  "* | /a/... | drop & a",
  "h.example | * | cut a",
  "* | * ?a | cut 12",
  "h.example | /a/... | cut a.b",
  "h.example | /a/* | path /*/* => /<2>",
  "h.example | * | path /a/<N> => /<1>",
  "h.example | * ?!sid | path /<N>/....html => /<1>/0<2>",
  "h.example | * | path /a/... => /$",
  "h.example | * | sub /a => ",
  "h.example | * | sub /<N> => /",
  "h.example | * | sub a/<T>& => <1>&",
  "h.example | * | sub a => ",
  "h.example | * | sub 12 => 1",
  "h.example | * | sub /a<$> => /",
  "h.example | * | sub ?sid=<T><$> => ",
  "h.example | * | sub =<H> => =$",
  "h.example | * | sub x=1 => 0",
  "h.example | * ?a | sub // => /",
  "* | /a/... | sub a.b => a",
].map((text) => parseRule(text.replaceAll(" | ", "\t").replace(/=> $/, "=>")));

const PIECES = (
  "/ // ? & && ; = # a a/ /a b x 12 1 /12 .html a.b /a.b ?sid=1 &sid=2 ;sid &sid= ?a x=1 &x=1 &x= ?x= &a=3 " +
  "0123456789abcdef 0123456789ABCDEF0g $ /a/b.html aXb"
).split(" ");

const PATHS = ["", "a", "a/12", "12/a", "12/x.html", "x.html", "a/a.b/a", "a/b/c.html"];
const PARAMS = [
  "sid=1",
  "sid",
  "x=1",
  "x=",
  "a",
  "a=2",
  "a.b=c",
  "",
  "y=0123456789abcdef0",
  "y;sid=3",
];

describe("rules as Nutch's regex-normalize.xml", () => {
  const normalizer = createNormalizer();
  const random = new Random(11);
  const origins = [
    "http://h.example",
    "https://h.example",
    "http://u:p@h.example",
    "http://h.example:8080",
    "http://other.example",
    "http://hxexample",
    "ftp://h.example",
  ];
  const urls = Array.from({ length: 6000 }, (_, index) => {
    const rest = random.chance(2)
      ? Array.from({ length: random.below(8) }, () => random.pick(PIECES)).join("")
      : `${random.pick(PATHS)}?${Array.from({ length: 4 }, () => random.pick(PARAMS)).join("&")}`;
    return normalizer.normalize(`${origins[index < 3000 ? 0 : index % 7]}/${rest}`);
  });

  test.each(RULES.map((rule) => [JSON.stringify(rule.action), rule] as const))("%s", (_, rule) => {
    const { xml, ignored } = exportNutchRules([rule]);
    expect(ignored).toEqual([]);
    const regexes = readNutchXml(xml).regexes.map(({ regex }) => regex as NutchRegex);
    let changed = 0;
    for (const url of urls) {
      const parts = splitParts(url);
      const site = parts.host + parts.port;
      const isRuled = /^https?$/.test(parts.scheme) && (rule.site === "*" || rule.site === site);
      if (isRuled && applyRule(parts, rule)) changed++;
      const expected = joinParts(parts);
      const written = regexes.reduce((text, regex) => replaceAll(text, regex), url);
      if (written !== expected) expect.fail(`${url}: ${written}, not ${expected}\n${xml}`);
    }
    expect(changed).toBeGreaterThan(2);
  });

  test("are XML, escaped", () => {
    const rule = parseRule("a.b\t*\tsub &x=1& => &");
    const { xml } = exportNutchRules([rule]);
    expect(xml).toContain("<substitution>$1$2&amp;</substitution>");
    expect(xml).toMatch(/<pattern>[^<>]*&amp;x=1&amp;[^<>]*<\/pattern>/);
    expect(exportNutchRules([]).xml).toBe(
      '<?xml version="1.0"?>\n<regex-normalize>\n</regex-normalize>\n',
    );
  });

  test.each([
    ["a.b\t*\tkeep id", "keep is not one of drop, cut, path and sub"],
    ["a.b\t*\tsort", "sort is not one of drop, cut, path and sub"],
    ["a.b\t*\tlower path", "lower is not one"],
    ["a.b\t*\thost a.b => b.c", "host is not one"],
    ["a.b\t*\tscheme https", "scheme is not one"],
    ["a.b\t/a/b\tsink /", "sink is not one"],
    ["a.b\t*\tset a=1", "set is not one"],
    ["a.b\t*\tdropif a=1", "dropif is not one"],
    ["a.b\t* ?a=1\tdrop a", "it tests a parameter that it drops"],
  ])("are returned where Java cannot say them: %j", (line, reason) => {
    const rule = parseRule(line);
    expect(exportNutchRules([rule]).ignored).toEqual([
      { rule, reason: expect.stringContaining(reason) },
    ]);
  });
});
