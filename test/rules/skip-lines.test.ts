import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPool } from "urlmill/pool";
import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { PageTrust } from "../../src/learn/index.ts";
import {
  parseCrawlLines,
  parseRules,
  parseTrust,
  RULES_HEADER,
  SkipFilter,
  writeRules,
} from "../../src/site-rules/index.ts";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const EVIDENCE = "declared n=12 ok=12 lb=.7575";
const DAY = "2026-11-28";

const file = (...lines: string[]) =>
  `${RULES_HEADER}\na.org\t*\tdrop sid\n${lines.join("\n")}\nb.org\t*\tsort\n`;

/** Malformed lines, and what the reason says. */
const MALFORMED = [
  ["a day after noindex", `a.org\t*\tnoindex ${DAY}`, "is not noindex, or exhausted and a day"],
  ["exhausted without a day", "a.org\t*\texhausted", '"exhausted" is not noindex, or exhausted'],
  ["month 13", "a.org\t*\texhausted 2026-13-01", "is not noindex, or exhausted and a day"],
  ["day 0", "a.org\t*\texhausted 2026-11-00", "is not noindex, or exhausted and a day"],
  ["two spaces", `a.org\t*\texhausted  ${DAY}`, "is not noindex, or exhausted and a day"],
  ["a day and more", `a.org\t*\texhausted ${DAY}x`, "is not noindex, or exhausted and a day"],
  ["another action that begins so", "a.org\t*\tnoindexed", "there is no action"],
  ["a path without /", "a.org\tprint\tnoindex", '"print"'],
  ["a condition of three parts", "a.org\t/a ?b ?c\tnoindex", "has more than a path and parameters"],
  ["a value of an absent parameter", "a.org\t* ?!a=1\tnoindex", "an absent parameter cannot have"],
  ["another host", "A.org\t*\tnoindex", '"A.org" is not a host of a normalized URL'],
  ["every host", "*\t*\tnoindex", '"*" is not a host of a normalized URL'],
  ["a domain", "*.a.org\t*\tnoindex", '"*.a.org" is not a host of a normalized URL'],
  ["evidence without counts", "a.org\t*\tnoindex\tsure", '"sure" is not evidence'],
  ["more right than all", "a.org\t*\tnoindex\tdeclared n=1 ok=2 lb=1", "n=1 ok=2"],
  ["five columns", `a.org\t*\tnoindex\t${EVIDENCE}\tx`, "is not noindex, or exhausted"],
] as const;

/** Returns code and message of what a call throws or rejects with. */
async function errorOf(call: () => unknown): Promise<{ code: string; message: string }> {
  try {
    await call();
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error("not refused");
}

describe("a malformed line of URLs to skip is refused with its line and the reason", () => {
  describe.each(MALFORMED)("%s", (_, line, reason) => {
    const rules = file(line);
    test.each([
      ...ENGINES.map(
        (engine) => [`engine ${engine}`, () => createNormalizer({ engine, rules })] as const,
      ),
      ["a pool", () => createPool({ rules, threads: 1 })] as const,
      ["parseCrawlLines", () => parseCrawlLines(rules)] as const,
      ["PageTrust", () => new PageTrust(rules)] as const,
      ["SkipFilter", () => new SkipFilter(rules, [])] as const,
    ])("by %s", async (_, call) => {
      const { code, message } = await errorOf(call);
      expect(code).toBe("BAD_RULES");
      expect(message).toMatch(/^line 3 of the rules: /);
      expect(message).toContain(reason);
    });
  });
});

const LINES = [
  `a.org\t/print/...\tnoindex\t${EVIDENCE}`,
  "a.org:8080\t*\tnoindex",
  `a.org\t/cal/<N> ?y&!z&w=1\texhausted ${DAY}\tfingerprint n=400 ok=399 lb=.9860`,
  "a.org\t*\ttrust og",
];

test("well formed lines are read and written again, and are neither rules nor trust", () => {
  const rules = file(...LINES);
  expect(parseRules(rules)).toHaveLength(2);
  expect(parseTrust(rules)).toHaveLength(1);
  expect(writeRules([], "json", parseCrawlLines(rules))).toBe(
    `${RULES_HEADER}\n${LINES.join("\n")}\n`,
  );
});

test.each(ENGINES)("well formed lines change no URL and no profile, engine %s", (engine) => {
  const n = createNormalizer({ engine, rules: file(...LINES) });
  expect(n.normalize("http://a.org/print/7?sid=3")).toBe("http://a.org/print/7");
  expect(n.profileId).toBe(createNormalizer({ engine, rules: file() }).profileId);
});

describe("SkipFilter", () => {
  const rules = file(
    "a.org\t/print/...\tnoindex",
    "a.org\t/w ?action=edit\tnoindex",
    "a.org:8080\t*\tnoindex",
    `a.org\t/cal/...\texhausted ${DAY}`,
    "a.org\t/cal/x\tnoindex",
  );
  const now = Date.parse(`${DAY}T12:00:00Z`);
  const day = 86_400_000;

  test("finds the URLs of a site whose condition is met, for the reasons that are given", () => {
    const filter = new SkipFilter(rules, ["noindex"]);
    const skipped = (urls: string[]) => urls.filter((url) => filter.why(url) === "noindex");
    const all = [
      "http://a.org/print/7",
      "https://a.org/print/",
      "http://u@a.org/w?x&action=edit#f",
      "http://a.org:8080/",
      "http://a.org/cal/x",
    ];
    expect(skipped(all)).toEqual(all);
    const others = [
      "http://a.org/printer",
      "http://a.org/w?action=editor",
      "http://b.org/print/7",
      "http://a.org:80800/print/7",
      "http://a.org.evil.example/print/7",
      "http://evil.example/?http://a.org/print/7",
      "ftp://x/a.org/print/7",
      "mailto:a.org/print/7",
      "a.org/print/7",
      "",
    ];
    expect(skipped(others)).toEqual([]);
    expect(new SkipFilter(rules, []).why("http://a.org/print/7")).toBeNull();
    expect(new SkipFilter(rules, ["exhausted"]).why("http://a.org/print/7")).toBeNull();
  });

  test("lets one URL in twenty of an exhausted pattern pass, always the same, but none of noindex", () => {
    const filter = new SkipFilter(rules, ["exhausted", "noindex"], { now });
    const urls = Array.from({ length: 4000 }, (_, n) => `http://a.org/cal/${n}`);
    const passing = urls.filter((url) => filter.why(url) === null);
    expect(passing.length).toBeGreaterThan(140);
    expect(passing.length).toBeLessThan(260);
    // Python passes the same ones: python/tests/test_trust.py has them, too.
    expect(passing.slice(0, 3)).toEqual([20, 59, 68].map((n) => `http://a.org/cal/${n}`));
    expect(filter.why("http://a.org/cal/x")).toBe("noindex");
  });

  test("ignores an exhausted pattern that is older than its days", () => {
    const url = "http://a.org/cal/1";
    const why = (options: { days?: number; now: number }) =>
      new SkipFilter(rules, ["exhausted"], options).why(url);
    expect(why({ now })).toBe("exhausted");
    expect(why({ now: now + 7 * day })).toBe("exhausted");
    expect(why({ now: now + 8 * day })).toBeNull();
    expect(why({ now: now + 8 * day, days: 8 })).toBe("exhausted");
    expect(why({ now: now + day, days: 0 })).toBeNull();
  });

  test("refuses a reason that does not exist, and days that cannot be", () => {
    const make = (reason: string, days?: number) =>
      new SkipFilter(rules, [reason as "noindex"], days === undefined ? {} : { days });
    for (const call of [
      () => make("nofollow"),
      () => make("noindex", -1),
      () => make("noindex", NaN),
    ])
      expect(call).toThrow(expect.objectContaining({ code: "BAD_OPTION" }));
  });
});

test("the command line names the line and the reason", async () => {
  const path = join(tempFolder(), "rules.tsv");
  writeFileSync(path, file("a.org\t*\texhausted today"));
  const { code, stderr } = await runCli(["normalize", "--rules", path], "http://a.org/\n");
  expect(code).toBe(2);
  expect(stderr).toContain('line 3 of the rules: "exhausted today" is not noindex, or exhausted');
});
