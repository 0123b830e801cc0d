import { expect, test } from "vitest";
import { renderLearnReport } from "../../src/runs/report/learn-page.ts";
import { parseRules } from "../../src/site-rules/language/rule-file.ts";
import type { Rule } from "../../src/site-rules/rule.ts";
import {
  FORUM,
  HEAD,
  judged,
  LEARNED,
  learnedOf,
  NOTHING,
  QUIET,
  siteOf,
  WIKI,
} from "../shared/made-up-report.ts";
import { withoutSearch } from "../shared/report.ts";

/** What people read, without tags. */
function textOf(page: string): string {
  const body = page.slice(page.indexOf("<body>"));
  return body.replaceAll(/<title>.*?<\/title>|<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

test("a report on learning is one page that loads nothing and runs nothing but its search", () => {
  const page = renderLearnReport(HEAD, LEARNED);
  expect(page).toMatch(/^<!doctype html>/);
  expect(withoutSearch(page)).not.toMatch(/<script|src=|href=|@import|url\(/i);
  expect(page).toContain("default-src 'none'");
});

test("the head names files, rules, budget and time", () => {
  expect(textOf(renderLearnReport(HEAD, LEARNED))).toContain(
    "Learned from crawl.tsv, standard input 3 rules; at most 0.1 % of the pages of a site may be lost; 3.4 s",
  );
});

test("the overview adds up all sites", () => {
  const text = textOf(renderLearnReport(HEAD, LEARNED));
  for (const tile of [
    "20,000 records",
    "12 left out 0.06 %",
    "3 sites",
    "13,834 URLs",
    "6,898 pages 50 % of the URLs",
    "6,936 redundant URLs 50 % of the URLs",
    "4,022 removed by the rules 58 % of the redundant",
    "3.3 pages lost 0.047 % of the pages",
  ]) {
    expect(text).toContain(tile);
  }
});

test("a report on evidence that was counted earlier is silent about records", () => {
  const text = textOf(renderLearnReport(HEAD, learnedOf([FORUM], { records: 0, skipped: 0 })));
  expect(text).not.toContain("records");
  expect(text).toContain("1 site ");
});

test("sites with the most redundant URLs come first", () => {
  const page = renderLearnReport(HEAD, LEARNED);
  const names = [...page.matchAll(/<h2[^>]*><bdi dir="ltr">(.*?)<\/bdi>/g)].map(([, name]) => name);
  expect(names).toEqual(["forum.example", "wiki.example", "quiet.example"]);
});

test("a site shows its figures", () => {
  expect(textOf(renderLearnReport(HEAD, learnedOf([FORUM])))).toContain(
    "forum.example 13,424 URLs 6,588 pages 49 % 6,836 redundant 51 % 4,022 removed 59 % 3.3 lost 0.049 %",
  );
});

test("rules have their places in the order, conditions, actions and evidence; sinks stand by themselves", () => {
  const text = textOf(renderLearnReport(HEAD, learnedOf([FORUM])));
  const rules = text.slice(text.indexOf(" Rules "), text.indexOf(" Refused "));
  expect(rules).toContain(
    "2. * ?start=0 drop start merged 1,177 right 1,176 at least 99.5 % fingerprint fingerprints of the pages agree",
  );
  expect(rules).toContain(
    "3. * host forum.example =&gt; new.example merged 5 right 5 at least 56.5 % declared the site itself declares it",
  );
  const sinks = rules.slice(rules.indexOf(" Sinks "));
  expect(sinks).toContain(
    "1. /members/login sink /login?a merged 2,940 right 2,940 at least 99.8 % fingerprint",
  );
  expect(sinks).not.toContain("drop start");
});

test("the levels of evidence are spelled out where there are rules", () => {
  const text = textOf(renderLearnReport(HEAD, LEARNED));
  expect(text).toContain(
    "What the evidence means declared the site itself declares it fingerprint fingerprints of the pages agree fetched pages that you fetched agree list a list has it: a proposal size sizes or titles agree: a proposal pattern only the URLs look alike: a proposal",
  );
});

test("an example marks the difference between its URLs", () => {
  expect(renderLearnReport(HEAD, LEARNED)).toContain(
    "/viewtopic.php?t=1<mark>&amp;start=0</mark></bdi>",
  );
});

test("words that differ are marked as a whole", () => {
  const rule = judged("a.example\t*\tdrop t", {}, [["/?t=1013&x", "/?t=1023&x"]]);
  const page = renderLearnReport(HEAD, learnedOf([siteOf("a.example", { selected: [rule] })]));
  expect(page).toContain("/?t=<mark>1013</mark>&amp;x");
  expect(page).toContain("/?t=<mark>1023</mark>&amp;x");
});

test("a refusal says the figure that was reached and the one that was needed", () => {
  const text = textOf(renderLearnReport(HEAD, learnedOf([WIKI, FORUM])));
  expect(text).toContain("version-like, 0.957 of 0.99");
  expect(text).toContain("too few pages, 3 of 5 pages");
});

test("a rule with exceptions says how many, and one with too many says so", () => {
  const [rule] = parseRules(
    "#urlmill-rules 1\na\t*\tdrop s\tfingerprint n=9 ok=9 lb=.7\n\tnot\t/\n\tnot\t/b\n",
  );
  const selected = [{ ...judged("a\t*\tsort"), rule: rule as Rule }];
  const refusal = {
    why: "too many exceptions",
    reached: 30,
    needed: 25,
    unit: "exceptions",
  } as const;
  const refused = [{ ...judged("a\t*\tdrop t", { right: 100 }), refusal }];
  const text = textOf(renderLearnReport(HEAD, learnedOf([siteOf("a", { selected, refused })])));
  expect(text).toContain("drop s but 2 exceptions merged 9");
  expect(text).toContain("too many exceptions, 30 of 25 exceptions");
});

test("refusals are counted by reason, and the 20 with the most right merges shown", () => {
  const page = renderLearnReport(HEAD, learnedOf([FORUM]));
  const text = textOf(page);
  const refused = text.slice(text.indexOf(" Refused "));
  expect(refused).toContain("25 rules, each counted as if it were the only one. The 20 with");
  expect(refused).toContain("too few pages not enough different pages speak for it 24");
  expect(refused).toContain("wrong too often it makes different pages one 1");
  expect(refused).toContain("drop p23 right 1,023 wrong 0 lost &lt; 0.1");
  expect(refused).toContain("and 4 rules more");
  expect(page.match(/drop p\d+/g)?.map((action) => Number(action.slice(6)))).toEqual(
    Array.from({ length: 20 }, (_, index) => 23 - index),
  );
});

test("of refused rules that do the same, one is shown: that with the most right merges", () => {
  const refused = [0.45, 0.6, 0.75, 0.89].map((reached, at) => ({
    ...judged(`a\t/d${at}/...\tdrop t`, { right: 10 + at }),
    refusal: { why: "wrong too often", reached, needed: 0.9, unit: "share" } as const,
  }));
  const text = textOf(renderLearnReport(HEAD, learnedOf([siteOf("a", { refused })])));
  expect(text.match(/drop t/g)).toHaveLength(1);
  expect(text).toContain("wrong too often, 0.89 of 0.9");
  expect(text).toContain(
    "1 rule, each counted as if it were the only one. 3 more rules would do the same",
  );
});

test("a site where no rule was good enough says so", () => {
  expect(textOf(renderLearnReport(HEAD, learnedOf([WIKI])))).toContain("No rule was good enough.");
});

test("a site where nothing was found says so, with nothing to unfold", () => {
  const page = renderLearnReport(HEAD, learnedOf([QUIET]));
  expect(textOf(page)).toContain("Nothing was found.");
  expect(page).not.toContain("<details");
});

test("rules for URLs of which no page is known tell what they merge", () => {
  const effect = { ...NOTHING, unknown: 1200 };
  const selected = [judged("a.example\t*\tscheme https\tdeclared n=9 ok=9 lb=.7")];
  const site = siteOf("a.example", { urls: 5000, pages: 0, selected, effect });
  expect(textOf(renderLearnReport(HEAD, learnedOf([site])))).toContain(
    "also merge 1,200 URLs with another although a page is not known",
  );
});

test("proposals stand by themselves, and are not applied", () => {
  const proposed = [
    judged("log.example\t*\tdrop a\tsize n=1200 ok=1100 lb=.9"),
    judged("log.example\t*\tdrop b\tpattern n=30 ok=0 lb=.0"),
    ...Array.from({ length: 20 }, () => judged("log.example\t*\tdrop c\tpattern n=20 ok=0 lb=.0")),
  ];
  const site = siteOf("log.example", { pages: 0, proposed });
  const text = textOf(renderLearnReport(HEAD, learnedOf([site])));
  expect(text).toContain("22 rules, 22 of them only proposed;");
  const shown = text.slice(text.indexOf(" Proposals "));
  expect(shown).toContain(
    "* drop a groups 1,200 alike 1,100 at least 90.0 % size sizes or titles agree: a proposal",
  );
  expect(shown).toContain("* drop b groups 30 alike at least pattern only the URLs look alike");
  expect(shown).toContain("and 2 rules more");
  expect(text).not.toContain("No rule was good enough.");
});

test("aliases of a site are counted, and the first of them shown", () => {
  const alias = (n: number) =>
    ({ site: "a.example", from: `/slug-${n}/`, to: `/?p=${n}`, level: "fingerprint" }) as const;
  const text = (count: number) => {
    const aliases = Array.from({ length: count }, (_, n) => alias(n));
    return textOf(renderLearnReport(HEAD, learnedOf([siteOf("a.example", { aliases })])));
  };
  expect(text(1)).toContain("Aliases 1 alias of pages that have another key after the rules.");
  expect(text(1)).toMatch(/\/ \?p=0 = \/ slug-0 ?\//);
  expect(text(12)).toContain("Aliases 12 aliases of pages");
  expect(text(12)).toContain("and 2 more aliases");
  expect(text(12)).not.toContain("slug-10");
  expect(text(0)).not.toContain("Aliases");
});

test("a rule that somebody wrote has no evidence to show", () => {
  const selected = [judged("a.example\t*\tdrop x", { right: 3, wrong: 1 })];
  expect(textOf(renderLearnReport(HEAD, learnedOf([siteOf("a.example", { selected })])))).toContain(
    "drop x merged 4 right 3 at least",
  );
});

test("no record at all gives a page that says so", () => {
  const text = textOf(renderLearnReport(HEAD, learnedOf([], { records: 0, skipped: 0 })));
  expect(text).toContain("0 records");
  expect(text).toContain("No site: no record has a URL to learn from.");
  expect(text).not.toMatch(/NaN|Infinity|undefined/);
});

test("of many sites the 200 with the most redundant URLs are shown, and the others counted", () => {
  const sites = Array.from({ length: 1234 }, (_, index) =>
    siteOf(`s${index}.example`, { redundant: index }),
  );
  const page = renderLearnReport(HEAD, learnedOf(sites));
  expect(page.match(/<section class="site">/g)).toHaveLength(200);
  expect(page).toContain("s1233.example");
  expect(page).not.toContain("s1033.example");
  expect(textOf(page)).toContain("1,034 more sites with less redundancy left out.");
});

test("hostile texts are escaped, and their controls replaced", () => {
  const site = siteOf("<i>\u202e", { selected: FORUM.selected });
  const page = renderLearnReport({ ...HEAD, files: ["<b>.tsv"] }, learnedOf([site]));
  expect(withoutSearch(page)).not.toMatch(/<script|<b>\.tsv|<i>\ufffd/);
  for (const control of ["\u202e", "\u0001"]) expect(page).not.toContain(control);
  expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;?\ufffdexe&amp;quot;\ufffd");
});

test("a share that is not all is never shown as 100 %", () => {
  const effect = { ...NOTHING, right: 99_999 };
  const site = siteOf("a.example", { urls: 200_000, pages: 1, redundant: 100_000, effect });
  expect(textOf(renderLearnReport(HEAD, learnedOf([site])))).toContain("99,999 removed 99.9 %");
});

test("a site whose URLs newly merge is shown after any number of others", () => {
  const url = "http://late.example/a";
  const late = siteOf("late.example", {
    selected: [judged("late.example\t*\tdrop sid")],
    change: { merged: 1, split: 0, keys: 1, merges: [[url, url, `${url}?sid=1`]] },
  });
  const others = Array.from({ length: 205 }, (_, n) => siteOf(`${n}.example`, { redundant: 9 }));
  const text = textOf(renderLearnReport(HEAD, learnedOf([...others, late])));
  expect(text).toMatch(/late\.example .*Older rules keep 1 URL apart that have/);
  expect(text).toContain("5 more sites with less redundancy left out.");
});
