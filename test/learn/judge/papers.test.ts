import { describe, expect, test } from "vitest";
import { dustBuster } from "../../proofs/learn-quality/papers/dustbuster.ts";
import { duster } from "../../proofs/learn-quality/papers/duster.ts";
import type { Labelled, Rewriter } from "../../proofs/learn-quality/papers/labelled.ts";
import { patternTree } from "../../proofs/learn-quality/papers/pattern-tree.ts";
import { rewriteRules } from "../../proofs/learn-quality/papers/rewrite-rules.ts";

const PAPERS: Readonly<Record<string, (known: readonly Labelled[]) => Rewriter>> = {
  dustBuster,
  rewriteRules,
  patternTree,
  duster,
};

/** Makes a list: for each number, targets of one page each. */
function site(count: number, make: (n: number) => Record<string, string>): Labelled[] {
  return Array.from({ length: count }, (_, n) => Object.entries(make(n + 1)))
    .flat()
    .map(([target, page]) => ({ url: `http://a.org${target}`, page }));
}

/** Returns whether a method makes two URLs one that it has not seen. */
function isOne(rewriter: Rewriter, a: string, b: string): boolean {
  return rewriter.rewrite(`http://a.org${a}`) === rewriter.rewrite(`http://a.org${b}`);
}

const SESSIONS = site(40, (n) => ({
  [`/t?id=${n}`]: `t${n}`,
  [`/t?id=${n}&sort=asc`]: `t${n}`,
  [`/t?id=${n}&page=2`]: `t${n} more`,
}));
const SPELLINGS = site(40, (n) => ({
  [`/story_${n}`]: `s${n}`,
  [`/story?id=${n}`]: `s${n}`,
}));
const ALIKE = site(40, (n) => ({
  [`/a?id=${n}`]: `a${n}`,
  [`/b?id=${n}`]: n % 2 === 0 ? `a${n}` : `b${n}`,
}));

describe.each(Object.entries(PAPERS))("%s", (name, learn) => {
  test("finds a parameter that means nothing, and keeps one that does", () => {
    const rewriter = learn(SESSIONS);
    expect(rewriter.rules).toBeGreaterThan(0);
    expect(isOne(rewriter, "/t?id=700", "/t?id=700&sort=asc")).toBe(true);
    expect(isOne(rewriter, "/t?id=700", "/t?id=700&page=2")).toBe(false);
    expect(isOne(rewriter, "/t?id=700", "/t?id=701")).toBe(false);
  });

  test("finds that two spellings are one page, if its rules can say so", () => {
    // The others copy whole components, of which none is equal in both.
    const canSay = name === "dustBuster" || name === "duster";
    const rewriter = learn(SPELLINGS);
    expect(isOne(rewriter, "/story_700", "/story?id=700")).toBe(canSay);
    expect(isOne(rewriter, "/story_700", "/story?id=701")).toBe(false);
  });

  test("takes no rule that is wrong every second time", () => {
    expect(isOne(learn(ALIKE), "/a?id=701", "/b?id=701")).toBe(false);
  });

  test("has no rules for a list without duplicates", () => {
    const { rules, rewrite } = learn(site(20, (n) => ({ [`/t?id=${n}`]: `t${n}` })));
    expect([rules, rewrite("http://a.org/t?id=7")]).toEqual([0, "http://a.org/t?id=7"]);
  });
});

test("the components of a paper are copied from one key to another", () => {
  const known = site(40, (n) => ({
    [`/topic/x${n}`]: `s${n}`,
    [`/show?topic=x${n}`]: `s${n}`,
    [`/show?topic=x${n}&print`]: `s${n}`,
  }));
  for (const learn of [rewriteRules, patternTree]) {
    const { rewrite } = learn(known);
    expect(rewrite("http://a.org/show?topic=x700")).toBe("http://a.org/topic/x700");
    expect(rewrite("http://a.org/show?topic=x700&print")).toBe("http://a.org/topic/x700");
  }
});

test("a sink is one text for all, where a paper can say it", () => {
  const known = site(60, (n) => ({
    [`/login?back=${n}`]: "login",
    [`/t/${n}`]: `t${n}`,
  }));
  expect(isOne(rewriteRules(known), "/login?back=700", "/login?back=701")).toBe(true);
  expect(isOne(patternTree(known), "/login?back=700", "/login?back=701")).toBe(true);
});
