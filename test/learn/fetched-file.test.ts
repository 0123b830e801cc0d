import { describe, expect, test } from "vitest";
import { SiteCollector } from "../../src/learn/collect/collector.ts";
import {
  applyVerdicts,
  type FetchedRule,
  judge,
  PLAN_HEADER,
  planPairs,
  readVerdicts,
  writePlan,
} from "../../src/learn/fetched/index.ts";
import { parseRules, writeRules } from "../../src/site-rules/language/rule-file.ts";
import { parseRule, writeRule } from "../../src/site-rules/language/rule-line.ts";
import type { Rule } from "../../src/site-rules/rule.ts";
import { Random } from "../shared/random.ts";

const LINES = [
  "a.example\t/p ?id\tdrop sid,s\tsize n=40 ok=40 lb=.9123",
  "a.example\t*\tdrop page",
  "b.example\t*\tdrop s",
];

/** A plan for these rules; b.example has no URL. */
function plan(): string {
  const collector = new SiteCollector();
  const urls = Array.from({ length: 60 }, (_, at) => [
    `http://a.example/p?id=${at}`,
    `http://a.example/p?id=${at}&sid=${at}`,
    `http://a.example/q${at}?page=1`,
    `http://a.example/q${at}?page=2`,
  ]);
  collector.add(urls.flat().map((url) => ({ url })));
  return writePlan(planPairs(LINES.map(parseRule), collector.sites()));
}

/** The plan with what `fetch` says after each pair. */
function filledIn(text: string, fetch: (url: string, other: string) => readonly string[]): string {
  return text.replaceAll(/^\d+\t\d+\t(\S+)\t(\S+)$/gm, (line, url: string, other: string) =>
    [line, ...fetch(url, other)].join("\t"),
  );
}

/** The page of a URL of the sites above: `sid` says nothing of it, `page` does. */
function pageAt(url: string): string {
  const { pathname, searchParams } = new URL(url);
  return `${pathname} ${searchParams.get("id")} ${searchParams.get("page")}`;
}

const RULE = "#rule\t1\ta.example\t*\tdrop s";
const HEAD = [PLAN_HEADER, "rule\tpair\turl\tother"];
const PAIR = "1\t1\thttp://a.example/?s=1\thttp://a.example/";

function outcome(...columns: string[]) {
  const [rule] = readVerdicts([...HEAD, RULE, [PAIR, ...columns].join("\t")].join("\n"));
  const { result, page } = rule?.pairs[0] ?? {};
  return [result, page];
}

describe("writePlan", () => {
  test("writes the rules and their pairs as lines", () => {
    const lines = plan().split("\n");
    expect(lines.slice(0, 2)).toEqual(["#urlmill-plan 1", "rule\tpair\turl\tother"]);
    const counts = ["60\t240", "60\t240", "0\t0"];
    const heads = LINES.map((line, at) => [
      `#rule\t${at + 1}\t${line}`,
      `#merged\t${at + 1}\t${counts[at]}`,
    ]);
    expect(lines.slice(2, 8)).toEqual(heads.flat());
    expect(lines[8]).toMatch(/^1\t1\thttp:\/\/a\.example\/p\?id=(\d+)&sid=\1\thttp:.*id=\1$/);
    expect(lines).toHaveLength(8 + 100 + 1);
  });
});

describe("readVerdicts", () => {
  test("a plan without results is unknown throughout", () => {
    const read = readVerdicts(plan());
    expect(read.map(({ rule }) => writeRule(rule))).toEqual(LINES);
    expect(read.map(({ pairs }) => pairs.length)).toEqual([50, 50, 0]);
    expect(new Set(read.flatMap(({ pairs }) => pairs).map(({ result }) => result))).toEqual(
      new Set(["unknown"]),
    );
  });

  test("plan, filled in by words or fingerprints, becomes rules", () => {
    const byWord = (url: string, other: string) => [
      pageAt(url) === pageAt(other) ? "same" : "different",
    ];
    const byFingerprint = (url: string, other: string) => [pageAt(url), pageAt(other)];
    for (const fetch of [byWord, byFingerprint]) {
      const verdicts = readVerdicts(filledIn(plan(), fetch)).map(judge);
      const { rules, others } = applyVerdicts(verdicts);
      expect(writeRules(rules)).toBe(
        "#urlmill-rules 1\na.example\t/p ?id\tdrop sid,s\tfetched n=50 ok=50 lb=.9286\n",
      );
      expect(others.map(({ rule, verdict, why }) => [writeRule(rule), verdict, why])).toEqual([
        [LINES[1], "rejected", "2 of 2 pairs are different pages"],
        [LINES[2], "undecided", "no pair was judged"],
      ]);
    }
  });

  test("lines of pairs may come in any order, and end in CR LF", () => {
    const random = new Random(1);
    const text = filledIn(plan(), () => [random.chance(9) ? "different" : "same"]);
    const lines = text.trimEnd().split("\n");
    const [head, pairs] = [lines.slice(0, 5), lines.slice(5)];
    const mixed = pairs.map((line) => [random.below(1e6), line] as const);
    mixed.sort(([a], [b]) => a - b);
    const again = [...head, ...mixed.map(([, line]) => line)].join("\r\n");
    expect(readVerdicts(again)).toEqual(readVerdicts(text));
  });

  test("one column is a result", () => {
    expect(outcome("same")).toEqual(["same", "http://a.example/"]);
    expect(outcome("same", "")).toEqual(["same", "http://a.example/"]);
    expect(outcome("different")).toEqual(["different", null]);
    expect(outcome("unknown")).toEqual(["unknown", null]);
    expect(outcome("")).toEqual(["unknown", null]);
  });

  test("two columns are fingerprints", () => {
    expect(outcome("x y", "x y")).toEqual(["same", "x y"]);
    expect(outcome("x", "X")).toEqual(["different", null]);
    for (const columns of [
      ["x", ""],
      ["", "x"],
      ["", ""],
      ["unknown", "x"],
      ["x", "unknown"],
    ]) {
      expect(outcome(...columns)).toEqual(["unknown", null]);
    }
  });

  test("columns that were added may have names, and comments say nothing", () => {
    const text = [PLAN_HEADER, `${HEAD[1]}\ta\tb`, "# mine", RULE, "", `${PAIR}\tx\tx`].join("\n");
    expect(readVerdicts(text)[0]?.pairs[0]?.result).toBe("same");
  });

  test("malformed files are refused with line and reason", () => {
    const cases: [string[], string][] = [
      [[], 'line 1 of the plan: a plan begins with the line "#urlmill-plan 1"'],
      [["#urlmill-plan 2"], '1 of the plan: "#urlmill-plan 2" is another version than "'],
      [[PLAN_HEADER, PAIR], "line 2 of the plan: the columns of a plan are rule, pair, url, other"],
      [
        [...HEAD, "#rule\tx\ta.example\t*\tdrop s"],
        'line 3 of the plan: "x" is not the number of a rule',
      ],
      [[...HEAD, "#rule\t1"], 'line 3 of the plan: "" is not the number of a rule'],
      [
        [...HEAD, "#rule\t1\ta.example\t*\tburn s"],
        'line 3 of the plan: there is no action "burn"',
      ],
      [[...HEAD, RULE, RULE], "line 4 of the plan: there is a rule 1 already"],
      [[...HEAD, RULE, "#merged\t1\t9"], 'line 4 of the plan: "9 " are not two counts of URLs'],
      [
        [...HEAD, "#merged\t1\t9\t9"],
        "line 3 of the plan: no line before this one says what rule 1",
      ],
      [[...HEAD, PAIR], "line 3 of the plan: no line before this one says what rule 1 is"],
      [[...HEAD, RULE, "1\t1\thttp://a.example/"], "line 4 of the plan: a pair is rule, pair, url"],
      [[...HEAD, RULE, PAIR, PAIR], "line 5 of the plan: rule 1 has a pair 1 already"],
      [
        [...HEAD, RULE, PAIR.replace("1\t1", "1\t51")],
        '4 of the plan: "51" is not the number of a pair',
      ],
      [
        [...HEAD, RULE, PAIR.replace("1\t1", "1\t0")],
        '4 of the plan: "0" is not the number of a pair',
      ],
      [[...HEAD, RULE, PAIR.replace("http:", "ftp:")], '/?s=1" is not a normalized URL'],
      [
        [...HEAD, RULE, "1\t1\thttp://a.example/?s=1\thttp://a.example/x"],
        "rule 1 does not make http://a.example/?s=1 and http://a.example/x one",
      ],
      [[...HEAD, RULE, "1\t1\thttp://a.example/\thttp://a.example/"], "rule 1 does not make"],
      [
        [...HEAD, RULE, `${PAIR}\tyes`],
        'line 4 of the plan: "yes" is not a result: same, different',
      ],
      [[...HEAD, RULE, `${PAIR}\tdifferent\tdifferent`], '"different" is not a fingerprint'],
      [
        [...HEAD, RULE, `${PAIR}\tsame\tx`],
        '"same" is not a fingerprint, and the other column has one',
      ],
      [[...HEAD, RULE, `${PAIR}\tx\tx\tx`], "a pair has 3 columns after it, not one result or two"],
    ];
    for (const [lines, message] of cases) {
      const read = () => readVerdicts(lines.join("\n"));
      expect(read).toThrow(message);
      expect(read).toThrow(expect.objectContaining({ code: "BAD_RULES" }));
    }
  });
});

test("a plan keeps the exceptions of a rule, and its pairs are none of these", () => {
  const [rule] = parseRules("#urlmill-rules 1\na\t*\tdrop sid\n\tnot\t/1\n\tnot\t/2\n") as [Rule];
  const collector = new SiteCollector();
  collector.add(
    [0, 1, 2, 3].flatMap((n) => [{ url: `http://a/${n}?sid=1` }, { url: `http://a/${n}?sid=2` }]),
  );
  const text = writePlan(planPairs([rule], collector.sites()));
  expect(text).toContain("#rule\t1\ta\t*\tdrop sid\n#not\t1\t/1\n#not\t1\t/2\n");
  expect(text.match(/http:\/\/a\/\d/g)?.toSorted()).toEqual([
    "http://a/0",
    "http://a/0",
    "http://a/3",
    "http://a/3",
  ]);
  const [read] = readVerdicts(text) as [FetchedRule];
  expect(read.rule).toEqual(rule);
  expect(() => readVerdicts(`${text}#not\t2\t/1\n`)).toThrow("says what rule 2 is");
  expect(() => readVerdicts(`${text}#not\t1\t/1\n`)).toThrow("/1 is listed twice");
});
