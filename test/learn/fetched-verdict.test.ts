import { describe, expect, test } from "vitest";
import {
  applyVerdicts,
  type FetchedRule,
  judge,
  judgeAll,
  type Verdict,
} from "../../src/learn/fetched/index.ts";
import { wilson } from "../../src/learn/thresholds/bound.ts";
import { parseRule, writeRule } from "../../src/site-rules/language/rule-line.ts";
import type { Rule } from "../../src/site-rules/rule.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const RULE = "a.example\t*\tdrop s";

/** Results as letters: `s` same, each another page, `d` different, `-` unknown. */
function fetched(results: string, line = RULE, page = (at: number) => `p${at}`): FetchedRule {
  return {
    rule: parseRule(line),
    merged: 0,
    urls: 0,
    pairs: [...results].map((letter, at) => ({
      url: `http://a.example/${at}?s=1`,
      other: `http://a.example/${at}`,
      result: letter === "s" ? "same" : letter === "d" ? "different" : "unknown",
      page: letter === "s" ? page(at) : null,
    })),
  };
}

const verdictOf = (results: string) => judge(fetched(results)).verdict;
const same = (count: number) => "s".repeat(count);

/**
 * Wald's test without logarithms: a pair that is the same is 0.99 / 0.90 = 11/10 times as likely for a
 * right rule, a different one 0.01 / 0.10 = 1/10; the bounds are 0.95 / 0.05 = 19 and 1/19.
 */
function accepts(ok: number, different: number): boolean {
  return 11n ** BigInt(ok) >= 19n * 10n ** BigInt(ok + different);
}
function rejects(ok: number, different: number): boolean {
  return 19n * 11n ** BigInt(ok) <= 10n ** BigInt(ok + different);
}

/** Exact shares of verdicts after 50 pairs, each the same with probability `share`. */
function exactShares(share: number): Record<Verdict["verdict"], number> {
  const shares = { accepted: 0, rejected: 0, undecided: 0 };
  let states = new Map([[0, { different: 0, isAccepted: false, weight: 1 }]]);
  for (let n = 1; n <= 50; n++) {
    const next: typeof states = new Map();
    for (const state of states.values()) {
      for (const isSame of [true, false]) {
        const weight = state.weight * (isSame ? share : 1 - share);
        const different = state.different + (isSame ? 0 : 1);
        if (rejects(n - different, different)) {
          shares.rejected += weight;
          continue;
        }
        const isAccepted = state.isAccepted || accepts(n - different, different);
        const key = 2 * different + Number(isAccepted);
        const known = next.get(key);
        if (known === undefined) next.set(key, { different, isAccepted, weight });
        else known.weight += weight;
      }
    }
    states = next;
  }
  for (const { isAccepted, weight } of states.values()) {
    shares[isAccepted ? "accepted" : "undecided"] += weight;
  }
  return shares;
}

describe("judge", () => {
  const fewest = Array.from({ length: 50 }, (_, n) => n).find((n) => accepts(n, 0)) as number;

  test("the fewest pairs without a difference that accept are 31", () => {
    expect(fewest).toBe(31);
    expect(verdictOf(same(25))).toBe("undecided");
    expect(verdictOf(same(fewest - 1))).toBe("undecided");
    expect(judge(fetched(same(fewest)))).toMatchObject({
      verdict: "accepted",
      n: 31,
      ok: 31,
      bound: wilson(31, 31),
      why: "31 of 31 pairs are one page",
    });
  });

  test("one difference before that leaves it undecided for all 50", () => {
    for (let at = 0; at < fewest; at++) {
      expect(verdictOf(`${same(at)}d${same(49 - at)}`)).toBe("undecided");
    }
    expect(accepts(49, 1)).toBe(false);
  });

  test("a difference after the pair that accepts is counted, and does not take it back", () => {
    expect(judge(fetched(`${same(31)}d${same(18)}`))).toMatchObject({
      verdict: "accepted",
      n: 50,
      ok: 49,
      bound: wilson(49, 50),
    });
  });

  test("enough differences after the pair that accepts reject", () => {
    const needed = Array.from({ length: 19 }, (_, n) => n).find((n) => rejects(31, n)) as number;
    expect(verdictOf(same(31) + "d".repeat(needed - 1))).toBe("accepted");
    expect(verdictOf(same(31) + "d".repeat(needed))).toBe("rejected");
  });

  test("two differences reject while no more than 17 pairs are the same", () => {
    const most = Array.from({ length: 50 }, (_, n) => n)
      .filter((n) => rejects(n, 2))
      .at(-1);
    expect(most).toBe(17);
    expect(verdictOf("d")).toBe("undecided");
    expect(judge(fetched("dds"))).toMatchObject({
      verdict: "rejected",
      n: 2,
      ok: 0,
      bound: 0,
      why: "2 of 2 pairs are different pages",
    });
    expect(verdictOf(`d${same(17)}d`)).toBe("rejected");
    expect(verdictOf(`d${same(18)}d`)).toBe("undecided");
  });

  test("each sequence is judged as the exact test judges it", () => {
    const random = new Random(7);
    for (let round = 0; round < atLength(500, 2000); round++) {
      const oneIn = 2 + random.below(40);
      const results = Array.from({ length: 50 }, () => (random.chance(oneIn) ? "d" : "s"));
      let [ok, different, expected] = [0, 0, "undecided"];
      for (const result of results) {
        if (result === "s") ok++;
        else different++;
        if (accepts(ok, different)) expected = "accepted";
        if (rejects(ok, different)) expected = "rejected";
        if (expected === "rejected") break;
      }
      expect(judge(fetched(results.join("")))).toMatchObject({
        verdict: expected,
        ok,
        n: ok + different,
      });
    }
  });

  test("unknown pairs do not count", () => {
    expect(verdictOf(`${"-".repeat(10)}${same(30)}`)).toBe("undecided");
    expect(judge(fetched(`--${same(15)}--${same(16)}-`))).toMatchObject({
      verdict: "accepted",
      n: 31,
      ok: 31,
    });
    expect(verdictOf("d----d")).toBe("rejected");
    expect(judge(fetched("-----"))).toMatchObject({
      verdict: "undecided",
      n: 0,
      bound: 0,
      why: "no pair was judged",
    });
  });

  test("what is undecided says why", () => {
    expect(judge(fetched(same(12))).why).toBe(
      "12 pairs are too few: 31 without a difference are needed",
    );
    expect(judge(fetched(`d${same(49)}`)).why).toBe(
      "49 of 50 pairs are one page: too few to accept it, too many to reject it",
    );
  });

  test("pairs that show fewer than five pages accept nothing but a sink", () => {
    const few = (pages: number, line?: string) =>
      judge(fetched(same(50), line, (at) => `p${at % pages}`));
    expect(few(5).verdict).toBe("accepted");
    expect(few(4)).toMatchObject({
      verdict: "undecided",
      why: "its pairs show 4 of the 5 different pages that are needed",
    });
    expect(few(1, "a.example\t/login ?next\tsink /login").verdict).toBe("accepted");
  });

  test("a rule that could take versions for one is never accepted", () => {
    const line = "a.example\t*\tsub /2/ => /1/";
    expect(judge(fetched(same(50), line))).toMatchObject({
      verdict: "undecided",
      n: 50,
      ok: 50,
      why:
        "it could take versions for one, which needs a lower bound of 0.99: " +
        "50 of 50 pairs show no more than 0.9286",
    });
    expect(judge(fetched("dd", line)).verdict).toBe("rejected");
  });

  test("both errors are at most 0.05, and shares are those that are documented", () => {
    const documented: [number, number, number][] = [
      [0.85, 0.004, 0.979],
      [0.9, 0.032, 0.861],
      [0.95, 0.198, 0.436],
      [0.99, 0.732, 0.021],
      [0.995, 0.856, 0.005],
    ];
    for (const [share, accepted, rejected] of documented) {
      const shares = exactShares(share);
      expect(shares.accepted).toBeCloseTo(accepted, 3);
      expect(shares.rejected).toBeCloseTo(rejected, 3);
    }
    expect(exactShares(0.9).accepted).toBeLessThanOrEqual(0.05);
    expect(exactShares(0.99).rejected).toBeLessThanOrEqual(0.05);
  });

  test("a rule that is right 99.5 % of the time is mostly accepted, one right 85 % rejected", () => {
    const random = new Random(2026);
    const RULES = atLength(1000, 4000);
    const shareOf = (verdict: string, right: number) => {
      let count = 0;
      for (let rule = 0; rule < RULES; rule++) {
        const results = Array.from({ length: 50 }, () => (random.below(1000) < right ? "s" : "d"));
        if (verdictOf(results.join("")) === verdict) count++;
      }
      return count / RULES;
    };
    expect(shareOf("accepted", 995)).toBeGreaterThan(0.83);
    expect(shareOf("rejected", 995)).toBeLessThan(0.01);
    expect(shareOf("rejected", 850)).toBeGreaterThan(0.965);
    expect(shareOf("accepted", 850)).toBeLessThan(0.01);
  });
});

describe("judgeAll", () => {
  const verdictsOf = (...results: string[]) =>
    judgeAll(results.map((one) => fetched(one))).map(({ verdict, n, ok }) => [verdict, n, ok]);

  test("a pair that two plans have counts once, and differs if one of them says so", () => {
    expect(verdictsOf(same(16), same(16))).toEqual([["undecided", 16, 16]]);
    expect(verdictsOf(same(50), "d".repeat(50))).toEqual([["rejected", 2, 0]]);
    expect(verdictsOf(same(50), `d${same(49)}`)).toEqual([["undecided", 50, 49]]);
    expect(verdictsOf("-".repeat(31), same(31), "-".repeat(31))).toEqual([["accepted", 31, 31]]);
    const turned = fetched("dd").pairs.map(({ url, other, ...pair }) => {
      return { ...pair, url: other, other: url };
    });
    expect(judgeAll([fetched(same(31)), { ...fetched(""), pairs: turned }])).toMatchObject([
      { verdict: "rejected", n: 2 },
    ]);
  });

  test("pairs of several plans count together", () => {
    const later = (results: string) => {
      const { pairs, ...rest } = fetched("-".repeat(50) + results);
      return { ...rest, pairs: pairs.slice(50) };
    };
    expect(judgeAll([fetched(same(20)), later(same(20))])).toMatchObject([
      { verdict: "accepted", n: 40, ok: 40 },
    ]);
    // Together, 60 of 62 are one page.
    const other = later(`${same(10)}dd`);
    expect(judge(other).verdict).toBe("rejected");
    for (const plans of [
      [fetched(same(50)), other],
      [other, fetched(same(50))],
    ])
      expect(judgeAll(plans)).toMatchObject([{ verdict: "rejected", n: 12, ok: 10 }]);
  });

  test("rules differ by their exceptions, and not by evidence", () => {
    const found = `${RULE}\tpattern n=9 ok=9 lb=.7008`;
    const except = { ...fetched("dd"), rule: { ...parseRule(RULE), except: new Set(["/x"]) } };
    const verdicts = judgeAll([fetched(same(31)), fetched(same(31), found), except]);
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(["accepted", "rejected"]);
  });

  test("the counts of URLs are those of the plan with most", () => {
    const counted = (urls: number) => ({ ...fetched(`${same(49)}d`), merged: urls / 10, urls });
    expect(judgeAll([counted(100), counted(1000), counted(500)])).toMatchObject([
      { urls: 1000, lost: 2 },
    ]);
  });
});

describe("applyVerdicts", () => {
  test("accepted rules have evidence fetched, the others their reasons", () => {
    const old = `${RULE}\tpattern n=9 ok=9 lb=.7008`;
    const verdicts = [
      judge(fetched("dd", "a.example\t*\tdrop t")),
      judge(fetched(`${same(49)}d`, old)),
      judge(fetched(same(3), old)),
    ];
    const { rules, others } = applyVerdicts(verdicts);
    expect(rules.map(writeRule)).toEqual([`${RULE}\tfetched n=50 ok=49 lb=.8950`]);
    expect(others).toEqual([verdicts[0], verdicts[2]]);
    expect(writeRule((others[1] as Verdict).rule)).toBe(old);
  });

  test("rules lose no more of a site's pages than its budget, those that lose least first", () => {
    const counted = (results: string, line: string, merged: number, urls = 10_000) =>
      judge({ ...fetched(results, line), merged, urls });
    const late = `${same(49)}d`;
    const verdicts = [
      counted(late, "a.example\t*\tdrop wide", 300), // 6 pages by its pairs
      counted(late, "a.example\t*\tdrop narrow", 250), // 5 pages
      counted(late, "b.example\t*\tdrop other", 400), // 8 pages, of a site of its own
      counted(same(50), "a.example\t*\tdrop clean", 9000),
      counted(late, "a.example\t*\tdrop uncounted", 300, 0),
    ];
    const names = (share?: number) =>
      applyVerdicts(verdicts, share).rules.map(({ action }) =>
        writeRule({ ...(verdicts[0]?.rule as Rule), action }),
      );
    const lines = (...words: string[]) => words.map((word) => `a.example\t*\tdrop ${word}`);
    expect(names()).toEqual(lines("narrow", "other", "clean", "uncounted"));
    expect(names(0.0011)).toEqual(lines("wide", "narrow", "other", "clean", "uncounted"));
    expect(names(0)).toEqual(lines("clean", "uncounted"));
    expect(applyVerdicts(verdicts).others).toEqual([
      {
        ...verdicts[0],
        verdict: "undecided",
        why: "by its pairs it would lose 6.0 pages, and the rules of its site may lose 5.0 more",
      },
    ]);
  });

  test("accepted rules never move hosts in a circle", () => {
    const hosts = ["a => b", "b => c", "c => a", "c => d"].map((move) =>
      judge(fetched(same(50), `${move[0]}\t*\thost ${move}`)),
    );
    const { rules, others } = applyVerdicts(hosts);
    expect(rules.map(({ site }) => site)).toEqual(["a", "b", "c"]);
    expect(others).toEqual([
      { ...hosts[2], verdict: "undecided", why: "hosts are moved in a circle: a > b > c > a" },
    ]);
  });
});
