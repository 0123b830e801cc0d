import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import type { LearnRecord } from "../../src/learn/records/record.ts";
import { writeRules } from "../../src/site-rules/index.ts";
import { learnLines, learnNow, many, records } from "../shared/learn-site.ts";

const list = (
  count: number,
  make: (number: number) => LearnRecord | LearnRecord[],
): LearnRecord[] => Array.from({ length: count }, (_, number) => make(number)).flat();

test("three permanent redirects to another host move a site there", () => {
  const www = (count: number) =>
    list(count, (n) => ({
      url: `http://www.a.org/${n}`,
      status: 301,
      redirect: `http://a.org/${n}`,
    }));
  expect(learnLines(www(2))).toEqual([]);
  expect(learnNow(www(3)).rules).toMatchObject([
    {
      site: "www.a.org",
      action: { type: "host", to: "a.org" },
      evidence: { level: "declared", n: 3, ok: 3 },
    },
  ]);
});

test("a refresh declares as a permanent redirect does, and what its page shows is nobody's", () => {
  const stubs = list(30, (n) => [
    { url: `http://a.org/old-${n}.html`, status: 200, refresh: `/new-${n}.html`, fp: "cls:stub" },
    { url: `http://a.org/new-${n}.html`, status: 200, fp: `cls:${n}` },
  ]);
  const { rules, sites } = learnNow(stubs);
  expect(rules).toMatchObject([{ evidence: { level: "declared", n: 30, ok: 30 } }]);
  const { urls } = createNormalizer({ rules: writeRules(rules) }).normalizeBatch([
    "http://a.org/old-99.html",
  ]);
  expect(urls).toEqual(["http://a.org/new-99.html"]);
  expect(sites[0]?.pages).toBe(30);
});

test.each(["redirect", "refresh"])("an empty %s does not hide the canonical URL", (name) => {
  const pages = list(3, (n) => ({
    url: `http://a.org/t?id=${n}&sid=7`,
    canonical: `/t?id=${n}`,
    [name]: "",
  }));
  expect(learnNow(pages).rules).toMatchObject([{ evidence: { level: "declared", n: 3, ok: 3 } }]);
});

test("one redirect elsewhere is against it", () => {
  const given = list(9, (n) => ({
    url: `http://www.a.org/${n}`,
    redirect: n === 4 ? "http://a.org/gone" : `http://a.org/${n}`,
  }));
  expect(learnLines(given)).toEqual([]);
});

test("one odd redirect does not cancel sixty", () => {
  const given = list(61, (n) => ({
    url: `http://www.a.org/${n}`,
    redirect: n === 4 ? "http://a.org/gone" : n === 5 ? "http://b.org/x" : `http://a.org/${n}`,
  }));
  expect(learnNow(given).rules).toMatchObject([
    { action: { type: "host", to: "a.org" }, evidence: { level: "declared", n: 61, ok: 59 } },
  ]);
  const slashes = list(61, (n) => ({
    url: `http://a.org/p${n}/`,
    redirect: n === 4 ? "/gone" : `/p${n}`,
  }));
  const odd = { url: "http://a.org/p4", redirect: "/p4" };
  const [site] = learnNow([...slashes, odd]).sites;
  expect(site?.selected).toMatchObject([
    { rule: { action: { type: "sub" }, evidence: { level: "declared", n: 61, ok: 60 } } },
  ]);
});

describe("a redirect that changes several things in one hop speaks for each of them:", () => {
  const keysOf = (given: LearnRecord[]) => {
    const rules = writeRules(learnNow(given).rules);
    return createNormalizer({ rules }).normalizeBatch(given.map(({ url }) => url)).urls;
  };

  test("scheme and host", () => {
    const given = list(5, (n) => ({
      url: `http://www.a.org/${n}`,
      redirect: `https://a.org/${n}`,
    }));
    expect(learnLines(given)).toEqual([
      "www.a.org\t*\tscheme https",
      "www.a.org\t*\thost www.a.org => a.org",
    ]);
    expect(keysOf(given)).toEqual(given.map(({ redirect }) => redirect));
  });

  test("scheme and a slash at the end", () => {
    const given = list(5, (n) => ({
      url: `http://a.org/p${n}/`,
      redirect: `https://a.org/p${n}`,
    }));
    expect(learnLines(given).toSorted()).toEqual([
      "a.org\t*\tscheme https",
      "a.org\t*\tsub /<$> =>",
    ]);
    expect(keysOf(given)).toEqual(given.map(({ redirect }) => redirect));
  });

  test("scheme, host and a slash at the end", () => {
    const given = list(5, (n) => ({
      url: `http://www.a.org/p${n}/`,
      redirect: `https://a.org/p${n}`,
    }));
    expect(keysOf(given)).toEqual(given.map(({ redirect }) => redirect));
  });
});

describe("redirects to the same path with a slash", () => {
  const adding = (count: number, from = 0) =>
    list(count, (n) => ({ url: `http://a.org/d/p${n + from}`, redirect: `/d/p${n + from}/` }));
  const removing = (count: number) =>
    list(count, (n) => ({ url: `http://a.org/r${n}/`, redirect: `/r${n}` }));

  test("teach the rule that adds it, from three on", () => {
    expect(learnLines(adding(2))).toEqual([]);
    expect(learnNow(adding(3)).rules).toMatchObject([
      { action: { type: "slash" }, evidence: { level: "declared", n: 3, ok: 3 } },
    ]);
  });

  test("give keys that answer, also where scheme and host change in the same hop", () => {
    const given = list(5, (n) => ({
      url: `http://www.a.org/p${n}?q`,
      status: 301,
      redirect: `https://a.org/p${n}/?q`,
    }));
    const rules = writeRules(learnNow(given).rules);
    const keys = createNormalizer({ rules }).normalizeBatch(given.map(({ url }) => url)).urls;
    expect(keys).toEqual(given.map(({ redirect }) => redirect));
  });

  test("teach it where fingerprints say that both forms are one page, too", () => {
    const seen = records(many(40, (n) => ({ [`/d/p${n}/`]: `p${n}`, [`/d/p${n}`]: `p${n}` })));
    expect(learnLines([...seen, ...adding(40)])).toEqual(["a.org\t*\tslash path"]);
  });

  test("say nothing of files", () => {
    const files = list(40, (n) => ({ url: `http://a.org/f${n}.html`, fp: `cls:f${n}` }));
    const given = [...adding(5), ...files];
    const rules = writeRules(learnNow(given).rules);
    expect(rules).toContain("slash path");
    expect(createNormalizer({ rules }).normalize("http://a.org/f1.html")).toBe(
      "http://a.org/f1.html",
    );
  });

  test("teach nothing if the site takes slashes away as often", () => {
    expect(learnLines([...adding(9), ...removing(9)])).toEqual([]);
    expect(learnLines([...adding(1), ...removing(9)])).toEqual([]);
  });

  test("teach it if five in a hundred speak against it, and not if more do", () => {
    expect(learnLines([...adding(60), ...removing(3)])).toEqual(["a.org\t*\tslash path"]);
    expect(learnLines([...adding(60), ...removing(4)])).toEqual([]);
    const staying = (count: number) =>
      list(count, (n) => ({ url: `http://a.org/s${n}`, canonical: `/s${n}` }));
    expect(learnLines([...adding(60), ...staying(3)])).toEqual(["a.org\t*\tslash path"]);
    expect(learnLines([...adding(60), ...staying(4)])).toEqual([]);
  });

  test("teach nothing where other pages answer without a slash", () => {
    const pages = records(many(20, (n) => ({ [`/about${n}`]: `a${n}` })));
    expect(learnLines([...adding(9), ...pages])).toEqual([]);
  });

  test("do not hinder the rule for a slash that the site takes away", () => {
    const [site] = learnNow([...adding(1, 100), ...removing(60)]).sites;
    expect(site?.selected).toMatchObject([{ rule: { action: { type: "sub" } } }]);
  });
});

test("redirects from https to http speak against a site being https", () => {
  const up = list(5, (n) => ({ url: `http://a.org/${n}`, redirect: `https://a.org/${n}` }));
  const down = list(5, (n) => ({ url: `https://a.org/d${n}`, redirect: `http://a.org/d${n}` }));
  expect(learnLines(down)).toEqual([]);
  expect(learnLines([...up, ...down])).toEqual([]);
  const sixty = list(60, (n) => ({ url: `http://a.org/${n}`, redirect: `https://a.org/${n}` }));
  expect(learnLines([...sixty, ...down.slice(0, 1)])).toEqual(["a.org\t*\tscheme https"]);
});

test("a site that declares a URL of its own is not moved", () => {
  const moved = list(9, (n) => ({ url: `http://www.a.org/${n}`, redirect: `http://a.org/${n}` }));
  const own = { url: "http://www.a.org/own", canonical: "/own" };
  expect(learnLines(moved)).toEqual(["www.a.org\t*\thost www.a.org => a.org"]);
  expect(learnLines([...moved, own])).toEqual([]);
});

test("unless it only says that it is https", () => {
  const moved = list(9, (n) => [
    { url: `http://www.a.org/${n}`, redirect: `https://www.a.org/${n}` },
    { url: `https://www.a.org/${n}`, redirect: `https://a.org/${n}` },
  ]);
  expect(learnLines(moved)).toEqual([
    "www.a.org\t*\tscheme https",
    "www.a.org\t*\thost www.a.org => a.org",
  ]);
});

test("rules of a site that is another's work before it becomes the other", () => {
  const moved = list(8, (n) => ({
    url: `http://www.a.org/${n}`,
    redirect: `http://a.org/${n}`,
  }));
  const given = records(
    many(40, (n) => ({ [`/t?id=${n}`]: `p${n}`, [`/t?id=${n}&sid=${n}`]: `p${n}` })),
    "www.a.org",
  );
  const { rules } = learnNow([...moved, ...given]);
  const normalizer = createNormalizer({ rules: writeRules(rules) });
  expect(normalizer.normalize("http://www.a.org/t?id=1&sid=7")).toBe("http://a.org/t?id=1");
});

test("hosts that send to each other stay two", () => {
  const given = list(8, (n) => {
    const [from, to] = n % 2 === 0 ? ["a.org", "b.org"] : ["b.org", "a.org"];
    return { url: `http://${from}/${n}`, redirect: `http://${to}/${n}` };
  });
  expect(learnLines(given)).toEqual([]);
});

test("fingerprints alone never lead from one host to another", () => {
  const given = list(200, (n) => ({
    url: `http://${n % 2 ? "www." : ""}a.org/${n >> 1}`,
    fp: `cls:${n >> 1}`,
  }));
  expect(learnLines(given)).toEqual([]);
});

test("redirects to https make a site https", () => {
  const given = list(5, (n) => ({ url: `http://a.org/${n}`, redirect: `https://a.org/${n}` }));
  expect(learnLines(given)).toEqual(["a.org\t*\tscheme https"]);
});

test("rel=canonical decides the slash at the end", () => {
  const given = list(5, (n) => ({ url: `http://a.org/p${n}/`, canonical: `/p${n}` }));
  expect(learnLines(given)).toEqual(["a.org\t*\tsub /<$> =>"]);
});

test("and the parameters that do not matter", () => {
  const given = list(5, (n) => ({
    url: `http://a.org/p${n}?from=${n}`,
    canonical: `http://a.org/p${n}`,
  }));
  expect(learnLines(given)).toEqual(["a.org\t/p<N>\tdrop from"]);
});

test("temporary redirects declare nothing", () => {
  const given = list(9, (n) => ({
    url: `http://a.org/p${n}?from=${n}`,
    status: 302,
    redirect: `http://a.org/p${n}`,
  }));
  expect(learnLines(given)).toEqual([]);
});

test("two declarations of one URL that contradict each other declare nothing", () => {
  const given = list(5, (n) => [
    { url: `http://a.org/p${n}?x=1`, canonical: `/p${n}` },
    { url: `http://a.org/p${n}?x=1`, canonical: `/q${n}` },
  ]);
  expect(learnLines(given)).toEqual([]);
});

test("fingerprints that say otherwise are against a declaration", () => {
  const given = list(20, (n) => [
    { url: `http://a.org/p${n}?page=2`, canonical: `/p${n}`, fp: `cls:second ${n}` },
    { url: `http://a.org/p${n}`, fp: `cls:first ${n}` },
  ]);
  expect(learnLines(given)).toEqual([]);
});

test("redirects in a circle declare nothing", () => {
  const given = list(6, (n) => ({ url: `http://a.org/p${n}`, redirect: `/p${(n + 1) % 6}` }));
  expect(learnLines(given)).toEqual([]);
});

test("three declarations do not speak for a hundred URLs that declare nothing", () => {
  const content = list(100, (n) => ({ url: `http://a.org/t?id=${n}` }));
  const few = list(3, (n) => ({ url: `http://a.org/u${n}?id=9`, canonical: `/u${n}` }));
  expect(learnLines([...content, ...few])).not.toContain("a.org\t/u<N>\tdrop id");
  expect(learnLines(few)).toEqual(["a.org\t/u<N>\tdrop id"]);
});

test("a few declarations do not speak for taking versions for one", () => {
  const given = list(12, (n) => ({
    url: `http://a.org/docs/1.4/p${n}`,
    canonical: `http://a.org/docs/2.0/p${n}`,
  }));
  expect(learnLines(given)).toEqual([]);
});
