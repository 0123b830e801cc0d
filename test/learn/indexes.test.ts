import { expect, test } from "vitest";
import { ChangeFinder } from "../../src/learn/count/changes.ts";
import { Buckets } from "../../src/learn/mine/buckets.ts";
import { tokenize, tokenPlaces } from "../../src/learn/mine/tokens.ts";
import { hashOf, PrefixHashes } from "../../src/learn/site/hash.ts";
import { Nodes } from "../../src/learn/site/nodes.ts";
import { TargetSearch } from "../../src/learn/site/target-search.ts";
import { parseRule } from "../../src/site-rules/index.ts";
import { Random } from "../shared/random.ts";

const random = new Random(5);
const PIECES = ["/a", "/b", "/a/b", "/c/7", "?x=1", "?x=2", "?y", "&x=1", "&x=", "&z=3", ";x=1"];

function randomTargets(count: number): string[] {
  const targets = new Set<string>();
  while (targets.size < count) {
    const pieces = Array.from({ length: 1 + random.below(4) }, () => random.pick(PIECES));
    targets.add(`/${pieces.join("").slice(1)}`);
  }
  return [...targets];
}

test.each(["sorted", "as they come"])(
  "an index finds what looking at every node finds: %s",
  (order) => {
    const made = randomTargets(400);
    const targets = order === "sorted" ? made.toSorted() : made;
    const nodes = new Nodes(
      targets,
      targets.map(() => false),
    );
    const finder = new ChangeFinder(nodes);
    for (const condition of [
      "/a...",
      "/a/b...",
      "* ?x=1",
      "* ?x=",
      "* ?x",
      "/a/... ?x=1&!y",
      "/c/<N>",
      "* ?none=1",
    ]) {
      const rule = parseRule(`h\t${condition}\tsort`);
      const passing = [...targets.keys()].filter((node) => finder.passes(node, rule.condition));
      expect([condition, finder.countPassing(rule.condition)]).toEqual([condition, passing.length]);
      const sink = parseRule(`h\t${condition}\tsink /`);
      const changed = passing.filter((node) => targets[node] !== "/");
      expect([...finder.changes(sink).nodes].toSorted((a, b) => a - b)).toEqual(changed);
    }
  },
);

test.each([
  "sub /a/b => /a",
  "sub x=<N>&z => z",
  "sub /c/<N><$> => /",
  "sub ;x=1 =>",
  "path /a/... => /<1>",
  "cut b",
  "dropif x=1",
  "set x=2",
  "drop x,y",
  "keep z",
  "lower path",
])("an index leaves out no URL that a rule changes: %s", (action) => {
  const targets = [...randomTargets(400), ...Array.from({ length: 20_000 }, (_, n) => `/q${n}`)];
  const nodes = new Nodes(
    targets,
    targets.map(() => false),
  );
  const rule = parseRule(`h\t*\t${action}`);
  const indexed = new ChangeFinder(nodes).changes(rule);
  const all = new ChangeFinder(nodes).changes(rule, nodes.targets.keys());
  const inOrder = ({ nodes: changed, low }: typeof all) =>
    [...changed].map((node, at) => [node, low[at]] as const).toSorted(([a], [b]) => a - b);
  expect(inOrder(indexed)).toEqual(inOrder(all));
});

test("a text is found in the same targets whatever was asked for before", () => {
  const targets = [...randomTargets(400), "/", "/a/a/b?x=1&x=1&z=31"];
  const search = new TargetSearch(targets);
  for (let asked = 0; asked < 2000; asked++) {
    const target = random.pick(targets);
    const start = random.below(target.length);
    const text = target.slice(start, start + 1 + random.below(8)) + (random.chance(20) ? "q" : "");
    const having = [...targets.keys()].filter((node) => targets[node]?.includes(text));
    expect([text, ...search.containing(text)]).toEqual([text, ...having]);
  }
});

test("the hash of a text without a part of it is the hash of what is left", () => {
  const places = new Int32Array(2048);
  const hashes = new PrefixHashes();
  const left = { low: 0, high: 0 };
  for (const target of randomTargets(50)) {
    const tokens = tokenize(target);
    const count = tokenPlaces(target, places);
    expect(
      Array.from(places.subarray(0, count), (at, token) => target.slice(at, places[token + 1])),
    ).toEqual(tokens);
    hashes.read(target, places, count, 0);
    for (let from = 0; from <= count; from++) {
      for (let to = from; to <= count; to++) {
        hashes.without(from, to, left);
        const rest = [...tokens.slice(0, from), ...tokens.slice(to)].join("");
        expect(left).toEqual(hashOf(rest));
      }
    }
  }
});

test("buckets of two to six members are kept, in the order they came, and larger ones are not", () => {
  const buckets = new Buckets(2);
  for (let bucket = 0; bucket < 8; bucket++) {
    for (let member = 0; member <= bucket; member++) {
      buckets.add({ low: bucket, high: 7 }, 100 * bucket + member);
    }
  }
  const lists = [...buckets.lists(1)];
  expect(lists.map(({ length }) => length)).toEqual([2, 3, 4, 5, 6]);
  expect(lists[1]).toEqual([200, 201, 202]);
  expect(buckets.count).toBe(5);
  expect([...buckets.lists(2)].map(({ length }) => length)).toEqual([2, 4, 6]);
});
