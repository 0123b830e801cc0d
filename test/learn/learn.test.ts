import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { writeRules } from "../../src/site-rules/language/rule-file.ts";
import { learnLines, learnNow, many, records, ruleLines } from "../shared/learn-site.ts";
import { sampleOf } from "../shared/length.ts";

describe("what is learned from fingerprints", () => {
  test("a parameter that changes no page goes", () => {
    const pages = many(40, (n) => ({
      [`/t?id=${n}`]: `p${n}`,
      [`/t?id=${n}&sid=s${n}`]: `p${n}`,
    }));
    expect(learnLines(records(pages))).toEqual(["a.org\t/t\tdrop sid"]);
  });

  test("one that names the page stays", () => {
    const pages = many(40, (n) => ({ "/t": "front", [`/t?id=${n}`]: `p${n}` }));
    expect(learnLines(records(pages))).toEqual([]);
  });

  test("a parameter goes where it has its default value", () => {
    const pages = many(40, (n) => ({
      [`/t?id=${n}`]: `p${n}`,
      [`/t?id=${n}&start=0`]: `p${n}`,
      [`/t?id=${n}&start=15`]: `p${n}, page 2`,
    }));
    expect(learnLines(records(pages))).toEqual(["a.org\t/t ?start=0\tdrop start"]);
  });

  test("parameters that only ever come together go together", () => {
    const pages = many(40, (n) => ({
      [`/t?id=${n}`]: `p${n}`,
      [`/t?id=${n}&days=0&order=asc`]: `p${n}`,
    }));
    expect(learnLines(records(pages))).toEqual(["a.org\t/t\tdrop days,order"]);
  });

  test("a parameter of one script that means something to another goes only there", () => {
    const pages = many(60, (n) => ({
      [`/view?id=${n}`]: `p${n}`,
      [`/view?id=${n}&sid=${n}`]: `p${n}`,
      [`/search?q=${n}`]: `s${n}`,
      [`/search?q=${n}&sid=${n}`]: `found ${n}`,
    }));
    const lines = learnLines(records(pages));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^a\.org\t(\/view|\* \?id|\* \?!q)\tdrop sid$/);
  });

  test("a file name that stands for its directory goes", () => {
    const pages = many(40, (n) => ({ [`/d${n}/`]: `p${n}`, [`/d${n}/index.html`]: `p${n}` }));
    expect(learnLines(records(pages))).toEqual([
      "a.org\t/d<N>/index.html\tsub /index.html<$> => /",
    ]);
  });

  test("a slash at the end goes where it changes nothing", () => {
    const pages = many(40, (n) => ({ [`/d${n}/`]: `p${n}`, [`/d${n}`]: `p${n}` }));
    expect(learnLines(records(pages))).toEqual(["a.org\t/d<N>/\tsub /<$> =>"]);
  });

  test("the order of parameters is taken for one where it is", () => {
    const pages = many(40, (n) => ({ [`/t?a=${n}&b=1`]: `p${n}`, [`/t?b=1&a=${n}`]: `p${n}` }));
    expect(learnLines(records(pages))).toEqual(["a.org\t/t\tsort"]);
  });

  test("many URLs of one page become its shortest", () => {
    const pages = many(60, (n) => ({
      "/login": "login",
      [`/posting?mode=new&f=${n}`]: "login",
      [`/t?id=${n}`]: `p${n}`,
    }));
    expect(learnLines(records(pages))).toEqual(["a.org\t/posting\tsink /login"]);
  });

  test("two sinks stay two", () => {
    const pages = many(60, (n) => ({
      [`/post/new/${n}`]: "login",
      [`/gone/old/${n}`]: "error",
    }));
    const targets = learnLines(records(pages)).map((line) => line.split("sink ")[1]);
    expect(targets).toHaveLength(2);
    expect(new Set(targets).size).toBe(2);
  });
});

describe("what is not learned", () => {
  test("nothing of fewer than five pages", () => {
    const pages = many(4, (n) => ({ [`/t?id=${n}`]: `p${n}`, [`/t?id=${n}&sid=1`]: `p${n}` }));
    expect(learnLines(records(pages))).toEqual([]);
  });

  test("no version for another, however many pages of both are equal", () => {
    const pages = many(60, (n) => ({
      [`/1.0/doc/f${n}.html`]: `p${n}`,
      [`/1.1/doc/f${n}.html`]: `p${n}`,
      [`/10/img/i${n}.png`]: `i${n}`,
      [`/11/img/i${n}.png`]: `i${n}`,
    }));
    expect(learnLines(records(pages))).toEqual([]);
  });

  test("nothing that loses more pages than the budget allows", () => {
    const right = many(200, (n) => ({ [`/t?id=${n}`]: `p${n}`, [`/t?id=${n}&x=1`]: `p${n}` }));
    const wrong = many(4, (n) => ({ [`/u?id=${n}`]: `a${n}`, [`/u?id=${n}&x=1`]: `b${n}` }));
    const all = records({ ...right, ...wrong });
    expect(learnLines(all, 0).join("\n")).not.toContain("*\tdrop x");
    expect(learnLines(all, 0.5)).toEqual(["a.org\t/t\tdrop x"]);
    expect(learnNow(all, { maxPageLoss: 0 }).sites[0]?.effect.lost).toBe(0);
  });

  test("nothing from URLs whose fingerprints are of different kinds", () => {
    const given = Array.from({ length: 40 }, (_, n) => [
      { url: `http://a.org/t?id=${n}`, fp: `raw:${n}` },
      { url: `http://a.org/t?id=${n}&sid=1`, fp: `text:${n}` },
    ]).flat();
    expect(learnLines(given)).toEqual([]);
  });

  test.each(sampleOf([302, 304, 401, 403, 404, 410, 429, 500, 503], 4))(
    "nothing from what is sent with status %i",
    (status) => {
      const given = Array.from({ length: 40 }, (_, n) => [
        { url: `http://a.org/t?id=${n}`, fp: "raw:empty", size: 9, canonical: "/", status },
        { url: `http://a.org/u?id=${n}`, fp: "raw:empty", size: 9, canonical: "/", status },
      ]).flat();
      const { sites, failed } = learnNow(given);
      expect([sites[0]?.pages, sites[0]?.selected]).toEqual([0, []]);
      expect(failed).toBe(status >= 400 ? 80 : 0);
    },
  );

  test.each(sampleOf([403, 404, 429], 3))(
    "the same rules if 30 %% of the answers are %i",
    (status) => {
      const pagesOf = (isRefused: (at: number) => boolean) =>
        Array.from({ length: 400 }, (_, at) => {
          const url = `http://shop.org/product.php?id=${at >> 1}&sid=${at}`;
          return isRefused(at)
            ? { url, fp: "raw:refused", size: 300, status }
            : { url, fp: `raw:${at >> 1}`, size: 5000 + at, status: 200 };
        });
      const rules = learnLines(pagesOf(() => false));
      expect(rules).toEqual(["shop.org\t/product.php\tdrop sid"]);
      expect(learnLines(pagesOf((at) => (at * 7) % 10 < 3))).toEqual(rules);
    },
  );
});

describe("sizes", () => {
  test.each<[string, (id: number, visit: number) => string]>([
    ["a campaign", (_, visit) => `utm_source=${visit === 0 ? "x" : "y"}`],
    ["a session", (id, visit) => `sid=${(2 * id + visit).toString(16).padStart(32, "0a1b")}`],
  ])("do not make all items one page, where URLs have %s", (_, parameter) => {
    const targetsOf = (id: number) => [
      `/item.php?id=${id}`,
      `/item.php?id=${id}&${parameter(id, 0)}`,
      `/item.php?id=${id}&${parameter(id, 1)}`,
    ];
    const given = Array.from({ length: 200 }, (_, id) =>
      targetsOf(id).map((target) => ({ url: `http://shop.org${target}`, size: 1000 + 7 * id })),
    ).flat();
    const { rules } = learnNow(given);
    expect(rules.some(({ evidence }) => evidence?.level === "size")).toBe(true);
    const n = createNormalizer({ rules: writeRules(rules), accept: "size" });
    const { urls } = n.normalizeBatch(given.map(({ url }) => url));
    expect(new Set(urls).size).toBe(200);
  });
});

describe("sites", () => {
  const pages = many(20, (n) => ({ [`/t?id=${n}`]: `p${n}`, [`/t?id=${n}&sid=1`]: `p${n}` }));

  test("each has its own rules", () => {
    const other = many(20, (n) => ({ [`/t?id=${n}`]: `p${n}`, [`/t?id=${n}&sid=1`]: `q${n}` }));
    expect(learnLines([...records(pages), ...records(other, "b.org")])).toEqual([
      "a.org\t/t\tdrop sid",
    ]);
  });

  test("a port is part of their name", () => {
    expect(learnLines(records(pages, "a.org:8080"))).toEqual(["a.org:8080\t/t\tdrop sid"]);
  });

  test("what is not an http or https URL is counted and left out", () => {
    const odd = [
      { url: "ftp://a.org/" },
      { url: "no url" },
      { url: `http://a.org/${"x".repeat(3000)}` },
    ];
    const learned = learnNow([...records(pages), ...odd]);
    expect([learned.records, learned.skipped]).toEqual([43, 3]);
    expect(ruleLines(learned)).toEqual(["a.org\t/t\tdrop sid"]);
  });

  test("a share of pages that is not a share is refused", () => {
    expect(() => learnNow([], { maxPageLoss: 2 })).toThrowError(
      expect.objectContaining({ code: "BAD_OPTION" }),
    );
    expect(() => learnNow([], { maxPageLoss: Number.NaN })).toThrowError(/maxPageLoss/);
  });

  test("no records give no rules", () => {
    const nothing = {
      rules: [],
      aliases: [],
      trust: [],
      skips: [],
      sites: [],
      records: 0,
      skipped: 0,
      failed: 0,
    };
    expect(learnNow([])).toEqual(nothing);
  });
});
