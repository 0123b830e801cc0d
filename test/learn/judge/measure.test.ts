import { describe, expect, test } from "vitest";
import { capturesOf } from "../../proofs/learn-quality/captures.ts";
import { areOtherPages } from "../../proofs/learn-quality/clearly-other.ts";
import type { LabelledUrl } from "../../proofs/learn-quality/labelled-site.ts";
import { addMeasure, noMeasure, simulate } from "../../proofs/learn-quality/measure.ts";
import { atLength } from "../../shared/length.ts";

/** Makes URLs of a line such as `/a=page /b=page`, in this order. */
function urls(line: string, more: Partial<LabelledUrl> = {}): LabelledUrl[] {
  return line.split(" ").map((item) => {
    const [url, page] = item.split("=") as [string, string];
    return { url, page, size: undefined, ...more };
  });
}

describe("a crawl that skips URLs whose key it has seen", () => {
  test("saves those of fetched pages, and loses pages of which no URL is fetched", () => {
    const known = urls("/a=A /b=B");
    const arriving = urls("/a1=A /b1=C /d=D /d1=D");
    const measure = simulate(known, arriving, ["a", "b", "a", "b", "d", "d"]);
    expect(measure).toMatchObject({ arrived: 4, redundant: 2, right: 2, wrong: 1 });
    expect(measure).toMatchObject({ pages: 4, lost: 1, misnamed: 1, blind: 1 });
  });

  test("is wrong for a page that it has, if the key names another one", () => {
    const measure = simulate(urls("/a=A /b=B"), urls("/b1=B"), ["a", "b", "a"]);
    expect(measure).toMatchObject({ right: 1, wrong: 0, lost: 0, misnamed: 1 });
  });

  test("takes the URL that the key is for the one that it names, else the first", () => {
    const known = urls("/x=X /k=K");
    expect(simulate(known, urls("/k1=K"), ["/k", "/k", "/k"]).misnamed).toBe(0);
    expect(simulate(known, urls("/k1=K"), ["k", "k", "k"]).misnamed).toBe(1);
  });

  test("knows what fetched pages say, but for keys that it has seen", () => {
    const told = [["p", "a"], [], []];
    const arriving = urls("/t=T /p=T /a1=A");
    const measure = simulate(urls("/a=A"), arriving, ["a", "t", "p", "a"], (at) => told[at] ?? []);
    expect(measure).toMatchObject({ right: 2, wrong: 0, misnamed: 0, lost: 0 });
    expect(simulate(urls("/a=A"), arriving, ["a", "t", "p", "a"]).right).toBe(1);
  });

  test("adds up what several sites measure", () => {
    const sum = noMeasure();
    const measure = simulate(urls("/a=A"), urls("/b=B"), ["a", "a"]);
    addMeasure(sum, measure);
    addMeasure(sum, measure);
    expect(sum).toMatchObject({ wrong: 2, misnamed: 2, lost: 2, pages: 4 });
  });
});

describe("two pages are clearly other ones", () => {
  test("by simhashes that differ in more bits than texts with a Jaccard similarity of .7", () => {
    const zero = { sim: "0000000000000000" };
    expect(areOtherPages(zero, { sim: "0000000000000fff" })).toBe("similar");
    expect(areOtherPages(zero, { sim: "0000000000001fff" })).toBe("other");
  });

  test("by numbers of shingles that exclude this similarity; others leave it open", () => {
    expect(areOtherPages({ shingles: 69 }, { shingles: 100 })).toBe("other");
    expect(areOtherPages({ shingles: 100 }, { shingles: 70 })).toBe("open");
  });

  test("by nothing if only their labels are known", () => {
    expect(areOtherPages({}, { shingles: 100 })).toBe("blind");
    expect(areOtherPages({ sim: "00" }, {})).toBe("blind");
  });
});

test("captures: a share of URLs twice, a share of captures with a page of their own", () => {
  const count = atLength(5_000, 20_000);
  const known = urls(
    Array.from({ length: count }, (_, n) => `http://a.org/${n}=P${n % 99}`).join(" "),
  );
  const captures = capturesOf(known, { changed: 0.003, twice: 0.2 });
  expect(captures.length / known.length).toBeCloseTo(1.2, 1);
  const changed = captures.filter(({ fp = "" }) => fp.startsWith("cls:changed"));
  expect(changed.length / captures.length).toBeGreaterThan(0.002);
  expect(changed.length / captures.length).toBeLessThan(0.004);
  expect(new Set(changed.map(({ fp }) => fp)).size).toBe(changed.length);
  expect(capturesOf(known, { changed: 0.003, twice: 0.2 })).toEqual(captures);
  const steady = capturesOf(known, { changed: 0, twice: 0 });
  expect(steady).toEqual(known.map(({ url, page }) => ({ url, fp: `cls:${page}` })));
});
