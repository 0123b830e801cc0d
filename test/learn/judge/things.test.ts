import { expect, test } from "vitest";
import { methodsOfThings } from "../../proofs/learn-quality/things.ts";

/** Makes things of four switches; every third has one page, of the others `one` of 30 looks so until the last. */
function site(lookAlike: number) {
  return Array.from({ length: 120 }, (_, id) =>
    ["a", "b", "c", "d"].map((view, at) => {
      const isOne = id % 3 === 0 || (id % 30 < lookAlike && at < 3);
      return {
        url: `http://a.org/w?id=t${id}x&view=${view}`,
        page: isOne ? `t${id}` : `t${id} ${view}`,
      };
    }),
  ).flat();
}

/** Returns whether the fourth URL of a thing, which is not known, is made one with the others. */
function isMerged(method: number, lookAlike: number, id: number): boolean {
  const all = site(lookAlike);
  const known = all.filter(({ url }) => url !== all[4 * id + 3]?.url).map(labelled);
  const learnt = methodsOfThings(0.001)[method]?.learn(known);
  const [first, last] = learnt?.keysOf([all[4 * id]?.url ?? "", all[4 * id + 3]?.url ?? ""]) ?? [];
  expect(first).toBeDefined();
  return first === last;
}

const labelled = (url: { url: string; page: string }) => ({ ...url, size: undefined });
const [TODAY, TRIED, NONE_REFUSED] = [0, 1, 2];

test("things whose known URLs have one page give it to their others, as far as that is right", () => {
  expect(isMerged(TODAY, 0, 30)).toBe(false);
  expect(isMerged(TRIED, 0, 30)).toBe(true);
  expect(isMerged(TRIED, 0, 31)).toBe(false);
});

test("they do not where the last URL of many has another page", () => {
  expect(isMerged(TRIED, 20, 30)).toBe(false);
  expect(isMerged(NONE_REFUSED, 20, 30)).toBe(true);
});
