import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderLearnReport } from "../../src/cli/report/learn-page.ts";
import type { Learned } from "../../src/learn/learn.ts";
import type { JudgedRule, LearnedSite } from "../../src/learn/learned-site.ts";
import { parseRules } from "../../src/site-rules/language/rule-file.ts";
import { parseRule } from "../../src/site-rules/language/rule-line.ts";
import type { Rule } from "../../src/site-rules/rule.ts";
import { CHROMIUM } from "../shared/chromium.ts";
import { withoutSearch } from "../shared/report.ts";

const HEAD = { files: ["crawl.tsv", "-"], maxPageLoss: 0.001, seconds: 3.44 };
const NOTHING = { right: 0, wrong: 0, unknown: 0, lost: 0, rightGroups: 0, wrongGroups: 0 };
const HOSTILE = "/<script>alert(1)</script>?\u202eexe&quot;\u0001";

function judged(
  line: string,
  effect: Partial<JudgedRule["effect"]> = {},
  examples: JudgedRule["examples"] = [],
): JudgedRule {
  return { rule: parseRule(line), effect: { ...NOTHING, ...effect }, examples };
}

function siteOf(site: string, given: Partial<LearnedSite> = {}): LearnedSite {
  const empty = {
    urls: 10,
    pages: 10,
    redundant: 0,
    selected: [],
    proposed: [],
    refused: [],
    aliases: [],
    effect: NOTHING,
  };
  return { site, ...empty, ...given };
}

function learnedOf(sites: readonly LearnedSite[], given: Partial<Learned> = {}): Learned {
  const rules = sites.flatMap(({ selected, proposed }) =>
    [...selected, ...proposed].map(({ rule }) => rule),
  );
  const aliases = sites.flatMap((site) => site.aliases);
  return { rules, aliases, sites, records: 20_000, skipped: 12, ...given };
}

const EXAMPLE = ["/viewtopic.php?t=1", "/viewtopic.php?t=1&start=0"] as const;
const FORUM = siteOf("forum.example", {
  urls: 13_424,
  pages: 6588,
  redundant: 6836,
  effect: { ...NOTHING, right: 4022, wrong: 3, lost: 3.25 },
  selected: [
    judged("forum.example\t/members/login\tsink /login?a\tE2 n=2940 ok=2940 lb=.9986", {}, [
      ["/login?a", HOSTILE],
    ]),
    judged("forum.example\t* ?start=0\tdrop start\tE2 n=1177 ok=1176 lb=.9951", {}, [EXAMPLE]),
    judged("forum.example\t*\thost forum.example => new.example\tE1 n=5 ok=5 lb=.5655"),
  ],
  refused: [
    {
      ...judged("forum.example\t*\tdrop t", { right: 7, wrong: 6458 }),
      refusal: { why: "wrong too often", reached: 0.0005, needed: 0.9, unit: "share" },
    },
    ...Array.from({ length: 24 }, (_, row) => ({
      ...judged(`forum.example\t*\tdrop p${row}`, { right: 1000 + row, lost: 0.001 }, [EXAMPLE]),
      refusal: { why: "too few pages", reached: 3, needed: 5, unit: "pages" } as const,
    })),
  ],
});
const WIKI = siteOf("wiki.example", {
  urls: 400,
  pages: 300,
  redundant: 100,
  refused: [
    {
      ...judged("wiki.example\t*\tsort", { right: 2 }),
      refusal: { why: "version-like", reached: 0.9579, needed: 0.99, unit: "share" },
    },
  ],
});
const QUIET = siteOf("quiet.example");
const LEARNED = learnedOf([QUIET, WIKI, FORUM]);

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
    "2. * ?start=0 drop start merged 1,177 right 1,176 at least 99.5 % E2 fingerprints of the pages agree",
  );
  expect(rules).toContain(
    "3. * host forum.example =&gt; new.example merged 5 right 5 at least 56.5 % E1 the site itself declares it",
  );
  const sinks = rules.slice(rules.indexOf(" Sinks "));
  expect(sinks).toContain(
    "1. /members/login sink /login?a merged 2,940 right 2,940 at least 99.8 % E2",
  );
  expect(sinks).not.toContain("drop start");
});

test("the levels of evidence are spelled out where there are rules", () => {
  const text = textOf(renderLearnReport(HEAD, LEARNED));
  expect(text).toContain(
    "What E1 to E5 mean E1 the site itself declares it E2 fingerprints of the pages agree E3 pages that you fetched agree E4 sizes or titles agree: a proposal E5 only the URLs look alike: a proposal",
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
    "#urlmill-rules 1\na\t*\tdrop s\tE2 n=9 ok=9 lb=.7\n\tnot\t/\n\tnot\t/b\n",
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
  const selected = [judged("a.example\t*\tscheme https\tE1 n=9 ok=9 lb=.7")];
  const site = siteOf("a.example", { urls: 5000, pages: 0, selected, effect });
  expect(textOf(renderLearnReport(HEAD, learnedOf([site])))).toContain(
    "also merge 1,200 URLs with another although a page is not known",
  );
});

test("proposals stand by themselves, and are not applied", () => {
  const proposed = [
    judged("log.example\t*\tdrop a\tE4 n=1200 ok=1100 lb=.9"),
    judged("log.example\t*\tdrop b\tE5 n=30 ok=0 lb=.0"),
    ...Array.from({ length: 20 }, () => judged("log.example\t*\tdrop c\tE5 n=20 ok=0 lb=.0")),
  ];
  const site = siteOf("log.example", { pages: 0, proposed });
  const text = textOf(renderLearnReport(HEAD, learnedOf([site])));
  expect(text).toContain("22 rules, 22 of them only proposed;");
  const shown = text.slice(text.indexOf(" Proposals "));
  expect(shown).toContain(
    "* drop a groups 1,200 alike 1,100 at least 90.0 % E4 sizes or titles agree: a proposal",
  );
  expect(shown).toContain("* drop b groups 30 alike at least E5 only the URLs look alike");
  expect(shown).toContain("and 2 rules more");
  expect(text).not.toContain("No rule was good enough.");
});

test("aliases of a site are counted, and the first of them shown", () => {
  const alias = (n: number) =>
    ({ site: "a.example", from: `/slug-${n}/`, to: `/?p=${n}`, level: "E2" }) as const;
  const text = (count: number) => {
    const aliases = Array.from({ length: count }, (_, n) => alias(n));
    return textOf(renderLearnReport(HEAD, learnedOf([siteOf("a.example", { aliases })])));
  };
  expect(text(1)).toContain("Aliases 1 URL of pages that have another key after the rules.");
  expect(text(1)).toMatch(/\/ \?p=0 = \/ slug-0 ?\//);
  expect(text(12)).toContain("Aliases 12 URLs of pages");
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

if (CHROMIUM === undefined) {
  console.warn(
    "\n*** SKIPPED: no Chromium found, so nobody has looked at the report on learning. Install it, or set CHROMIUM to its path. ***\n",
  );
}

describe.skipIf(CHROMIUM === undefined)("the report on learning in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "urlmill-"));
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    const long = siteOf(`${"x".repeat(200)}.example`, {
      urls: 123_456_789,
      aliases: [{ site: "x.example", from: `/${"a".repeat(3000)}`, to: HOSTILE, level: "E2" }],
      selected: [
        judged(
          `a.example\t* ?${"y".repeat(300)}\tdrop ${"z".repeat(300)}\tE2 n=1234567 ok=1234566 lb=.99`,
          {},
          [["/", `/${"q".repeat(3000)}`]],
        ),
      ],
    });
    const file = join(folder, "learn.html");
    writeFileSync(file, renderLearnReport(HEAD, learnedOf([...LEARNED.sites, long])));
    browser = await chromium.launch({
      executablePath: CHROMIUM as string,
      args: ["--no-sandbox"],
    });
    page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("dialog", (dialog) => complaints.push(dialog.message()));
    page.on("request", (request) => {
      if (!request.url().startsWith("file:")) complaints.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  test("finds rules by words, and the sites that have them", async () => {
    const search = page.getByLabel("Search");
    const sites = page.locator(".site:visible h2");
    await search.fill("members login");
    expect(await sites.allInnerTexts()).toEqual(["forum.example"]);
    expect(await page.locator("#found").innerText()).toBe("1 row has these words");
    await search.fill("wiki.example");
    expect(await sites.allInnerTexts()).toEqual(["wiki.example"]);
    await search.fill("");
    expect(await sites.count()).toBe(4);
  });

  test("unfolds the examples of a rule", async () => {
    const details = page.locator(".sinks details").first();
    await details.locator("summary").click();
    expect((await details.locator("li").innerText()).split("\n")[1]).toContain(
      "= /<script>alert(1)</script>",
    );
  });

  test("has bars as long as their counts", async () => {
    const widths = await page
      .locator(".site")
      .first()
      .locator(".rules rect.ok, .sinks rect.ok")
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    const [start, host, sink] = widths as [number, number, number];
    expect(sink).toBeGreaterThan(500);
    expect(Math.abs(start - (sink * 1176) / 2940)).toBeLessThan(2);
    expect(Math.abs(host - (sink * 5) / 2940)).toBeLessThan(2);
  });

  test("lines up figures on the right", async () => {
    const rights = await page
      .locator(".site")
      .first()
      .locator(".rules > ol > li, .sinks > ol > li")
      .evaluateAll((rows) =>
        rows.map((row) =>
          [...row.querySelectorAll(".cell")].map((cell) => cell.getBoundingClientRect().right),
        ),
      );
    expect(rights).toHaveLength(5);
    for (const row of rights) expect(row).toEqual(rights[0]);
  });

  test("fits any screen with all unfolded, light and dark", async () => {
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1200, 640, 400, 360]) {
        await page.setViewportSize({ width, height: 640 });
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect([width, overflow]).toEqual([width, 0]);
      }
      const colors = await page.evaluate(() => {
        const { color, backgroundColor } = getComputedStyle(document.body);
        return [color, backgroundColor];
      });
      expect(colors[0]).not.toBe(colors[1]);
    }
  });

  test("and nothing complained, loaded or popped up", () => {
    expect(complaints).toEqual([]);
  });
});
