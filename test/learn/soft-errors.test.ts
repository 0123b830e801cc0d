import { describe, expect, test } from "vitest";
import type { LearnRecord } from "../../src/learn/records/record.ts";
import { learnNow, readSite, ruleLines } from "../shared/learn-site.ts";
import { sampleOf, testAtLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const TOPICS: readonly LearnRecord[] = Array.from({ length: 60 }, (_, t) =>
  ["", "&sid=1", "&sid=2"].map((sid) => ({
    url: `http://a.org/topic.php?t=${t}${sid}`,
    status: 200,
    fp: `cls:${t}`,
  })),
).flat();

/** Records of which 30 % got another answer, drawn at random. */
function spoiled(
  given: readonly LearnRecord[],
  answer: Partial<LearnRecord>,
  seed = 1,
): LearnRecord[] {
  const random = new Random(seed);
  return given.map((record) => (random.below(100) < 30 ? { ...record, ...answer } : record));
}

const SID = ["a.org\t/topic.php\tdrop sid"];

test.each([403, 404, 410, 429, 500, 503])(
  "30 %% of answers with status %d hide no rule",
  (status) => {
    const learned = learnNow(spoiled(TOPICS, { status, fp: "cls:error" }));
    expect(ruleLines(learned)).toEqual(SID);
    expect(learned.failed).toBeGreaterThan(40);
    expect(learned.sites[0]?.softErrors).toBe(0);
  },
);

describe("30 % of errors with the status of a page", () => {
  test.each(sampleOf([1, 2, 3, 4, 5], 3))("hide no rule (seed %d)", (seed) => {
    const learned = learnNow(spoiled(TOPICS, { fp: "cls:error" }, seed));
    expect(ruleLines(learned)).toEqual(SID);
    expect(learned.sites[0]?.softErrors).toBeGreaterThan(40);
    expect(learned.sites[0]?.pages).toBeLessThanOrEqual(60);
  });

  testAtLength.each([{ fp: "cls:error" }, { status: 429 }])(
    "hide nothing of a forum: its rules remove what they remove without (%o)",
    (answer) => {
      const forum = readSite("forum");
      const [plain, learned] = [learnNow(forum), learnNow(spoiled(forum, answer))];
      const share = ({ sites }: typeof plain) =>
        (sites[0]?.effect.right ?? 0) / (sites[0]?.redundant ?? 1);
      expect(share(learned)).toBeGreaterThan(share(plain) - 0.03);
      expect(learned.sites[0]?.effect.lost).toBeLessThan(1);
    },
  );
});

describe("a page that many URLs have is not an error", () => {
  const kept = (records: readonly LearnRecord[]) => learnNow(records).sites[0]?.softErrors;

  test("if it is what a parameter shows", () => {
    const login = TOPICS.map((record, at) =>
      at % 3 === 2 ? { ...record, url: `${record.url}&mode=reply`, fp: "cls:login" } : record,
    );
    expect(kept(login)).toBe(0);
  });

  test("if things are missing under all of their URLs", () => {
    const missing = TOPICS.map((record, at) =>
      at % 9 < 3 ? { ...record, fp: "cls:missing" } : record,
    );
    expect(kept(missing)).toBe(0);
  });

  test("if it is one thing with many URLs", () => {
    const posts = Array.from({ length: 90 }, (_, p) =>
      ["", "&sid=1", "&hl=1"].map((more) => ({
        url: `http://a.org/topic.php?p=${p}${more}`,
        fp: `cls:t${p < 40 ? 0 : p}`,
      })),
    ).flat();
    expect(kept(posts)).toBe(0);
  });
});
