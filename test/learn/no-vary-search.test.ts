import { describe, expect, test } from "vitest";
import {
  countSite,
  EvidenceReader,
  type LearnRecord,
  mineSite,
  SiteCollector,
  selectSites,
  writeEvidenceLines,
} from "../../src/learn/index.ts";
import { expectLinear } from "../shared/hostile-pages.ts";
import { learnNow, ruleLines } from "../shared/learn-site.ts";

const list = (
  count: number,
  make: (number: number) => LearnRecord | LearnRecord[],
): LearnRecord[] => Array.from({ length: count }, (_, number) => make(number)).flat();

/** The rules with evidence `declared`, as lines. */
function learnLines(given: readonly LearnRecord[], maxPageLoss = 0.001): string[] {
  const { rules } = learnNow(given, { maxPageLoss });
  return ruleLines({ rules: rules.filter(({ evidence }) => evidence?.level === "declared") });
}

/** Answers of a path, each with a parameter that its header says does not matter. */
const answers = (count: number, noVarySearch: string, path = "/t"): LearnRecord[] =>
  list(count, (n) => ({ url: `http://a.org${path}?id=${n}&sid=${n * 7}&x`, noVarySearch }));

describe("answers that say by No-Vary-Search what of their query does not matter", () => {
  test("declare rules, from three on", () => {
    expect(learnLines(answers(2, 'params=("sid")'))).toEqual([]);
    expect(learnNow(answers(3, 'params=("sid" "ref")')).rules).toMatchObject([
      {
        site: "a.org",
        action: { type: "drop", params: ["ref", "sid"], whole: true },
        evidence: { level: "declared", n: 3, ok: 3 },
      },
    ]);
    expect(learnLines(answers(3, 'except=("id")'))).toEqual(["a.org\t/t\tkeep & id"]);
    expect(learnLines(answers(3, 'params, except=("id")'))).toEqual(["a.org\t/t\tkeep & id"]);
    expect(learnLines(answers(3, "params=(broken)"))).toEqual([]);
    const orders = list(3, (n) => [
      { url: `http://a.org/t?b=${n}&a=1`, noVarySearch: "key-order" },
      { url: `http://a.org/t?a=1&b=${n}`, noVarySearch: "key-order" },
    ]);
    expect(learnLines(orders)).toEqual(["a.org\t/t\tsort"]);
  });

  test("declare them for the paths whose answers have the header", () => {
    const others = list(30, (n) => ({ url: `http://a.org/u?id=${n}&sid=1`, fp: `cls:u${n}` }));
    expect(learnLines([...answers(9, 'except=("id")'), ...others])).toEqual([
      "a.org\t/t\tkeep & id",
    ]);
    const shop = ["/shop/a", "/shop/b", "/shop/c"].flatMap((path) =>
      answers(3, 'except=("id")', path),
    );
    expect(learnLines([...shop, ...others])).toEqual(["a.org\t/shop/...\tkeep & id"]);
    const site = ["/", "/b", "/c"].flatMap((path) => answers(9, 'except=("id")', path));
    expect(learnLines(site)).toEqual(["a.org\t*\tkeep & id"]);
    const bare = list(30, (n) => ({ url: `http://a.org/item?key=${n}` }));
    const search = ["/find", "/search"].flatMap((path) => answers(9, 'except=("id")', path));
    expect(learnLines([...search, ...bare])).toEqual([
      "a.org\t/find\tkeep & id",
      "a.org\t/search\tkeep & id",
    ]);
    const lacking = list(3, (n) => ({ url: `http://a.org/t?id=${n}&y`, fp: `cls:${n}` }));
    expect(learnLines([...answers(9, 'except=("id")'), ...lacking])).not.toContain(
      "a.org\t/t\tkeep & id",
    );
  });

  const paged = (wrong: number): LearnRecord[] =>
    list(100, (n) =>
      [1, 2].map((page) => ({
        url: `http://a.org/t?id=${n}&page=${page}`,
        fp: `cls:${n} ${n < wrong ? page : ""}`,
        noVarySearch: 'params=("page")',
      })),
    );

  test("are refused if more than 5 in 100 known pairs differ", () => {
    expect(learnLines(paged(5), 1)).toEqual(["a.org\t/t\tdrop & page"]);
    const levels = learnNow(paged(6), { maxPageLoss: 1 }).rules.map(
      ({ evidence }) => evidence?.level,
    );
    expect(levels).toEqual(["fingerprint"]);
    expect(learnNow(paged(30), { maxPageLoss: 1 }).rules).toEqual([]);
  });

  test("do not make the site's other declarations doubtful", () => {
    const canonical = list(30, (n) => [
      { url: `http://a.org/p${n}?s=1`, canonical: `/p${n}`, fp: `cls:p${n}` },
      { url: `http://a.org/p${n}`, fp: `cls:p${n}` },
    ]);
    const known = learnNow([...paged(100), ...canonical]).rules;
    expect(known).toMatchObject([{ action: { params: ["s"] }, evidence: { level: "declared" } }]);
  });

  test("yield to what a page says of its URL", () => {
    const own = answers(9, 'params=("sid")').map((record) => ({
      ...record,
      canonical: record.url,
    }));
    expect(learnLines(own)).toEqual([]);
  });

  test("count only if they are pages", () => {
    const missing = answers(9, 'params=("sid")').map((record) => ({ ...record, status: 404 }));
    expect(learnLines(missing)).toEqual([]);
  });

  test("take time by their number, however many headers they have", async () => {
    await expectLinear(["", "{i} "], 60_000, (text) => {
      const collector = new SiteCollector();
      const urls = text.trim().split(" ");
      collector.add(
        urls.map((n) => ({
          url: `http://a.org/t?id=${n}`,
          noVarySearch: `params=("s${Number(n) % (urls.length / 3)}")`,
        })),
      );
      for (const site of collector.sites())
        for (const _ of writeEvidenceLines(countSite(site, mineSite(site))));
    });
  });

  test("declare the same rules by way of files of evidence", () => {
    const given = [...answers(9, 'key-order, except=("id")'), ...answers(9, "key-order", "/u")];
    const collector = new SiteCollector();
    collector.add(given);
    const reader = new EvidenceReader();
    for (const site of collector.sites())
      for (const line of writeEvidenceLines(countSite(site, mineSite(site)))) reader.add(line);
    const { rules } = selectSites(reader.sites());
    expect(ruleLines({ rules })).toContain("a.org\t/t\tkeep & id");
    expect(ruleLines({ rules })).toEqual(ruleLines(learnNow(given)));
  });
});
