import { expect, test } from "vitest";
import { SiteCollector } from "../../src/learn/collect/collector.ts";
import { RuleAudit, verdictOf } from "../../src/learn/rule-audit.ts";
import { parseRules } from "../../src/site-rules/index.ts";

/** Forty pages, each at two URLs, of which so many had changed when the second was fetched. */
function pages(changed: number) {
  return Array.from({ length: 40 }, (_, id) => [
    { url: `http://a.example/p/${id}`, fp: `cls:${id}` },
    {
      url: `http://a.example/p/${id}?sid=1`,
      fp: `cls:${id} ${id < changed ? "later" : ""}`.trim(),
    },
  ]).flat();
}

/** Thirty other pages, each at two URLs, one of which was captured twice: so many had changed. */
function captures(changed: number) {
  return Array.from({ length: 30 }, (_, id) => [
    { url: `http://a.example/c/${id}`, fp: `cls:c${id}` },
    { url: `http://a.example/c/${id}?x`, fp: `cls:c${id}` },
    { url: `http://a.example/c/${id}?x`, fp: `cls:c${id} ${id < changed ? "later" : ""}`.trim() },
  ]).flat();
}

function audit(records: readonly { url: string; fp: string }[]) {
  const audited = new RuleAudit(parseRules("#urlmill-rules 1\n*\t*\tdrop sid\n"));
  const collector = new SiteCollector();
  collector.add(records);
  for (const site of collector.sites()) audited.add(site);
  return { verdict: audited.verdict(0), total: audited.total(0), kept: audited.kept() };
}

test("pages that change between captures do not speak against a rule", () => {
  const steady = audit([...pages(2), ...captures(0)]);
  expect([steady.verdict, steady.total.lost]).toEqual(["no evidence", 2]);
  const { verdict, total, kept } = audit([...pages(2), ...captures(1)]);
  expect(verdict).toBe("keep");
  expect(total).toMatchObject({ right: 38, wrong: 2, likely: 40, lost: 0 });
  expect(kept[0]?.evidence).toMatchObject({ n: 40, ok: 38 });
});

test("more wrong merges than pages change by chance speak against a rule", () => {
  expect(audit([...pages(20), ...captures(1)]).verdict).toBe("harmful");
  // Of a site that changes as a whole, nothing is known of chance.
  expect(audit([...pages(2), ...captures(15)]).verdict).toBe("no evidence");
});

test("a verdict is a bound of the likely merges", () => {
  const counted = { changed: 40, right: 34, wrong: 6, pages: 34, lost: 0 };
  expect(verdictOf({ ...counted, likely: 34 })).toBe("no evidence");
  expect(verdictOf({ ...counted, likely: 40 })).toBe("keep");
});
