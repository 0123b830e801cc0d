import { expect, test } from "vitest";
import type { Changes } from "../../src/learn/count/change-list.ts";
import { ChangeFinder } from "../../src/learn/count/changes.ts";
import { hashOf, PrefixHashes } from "../../src/learn/hashes/hash.ts";
import { Buckets } from "../../src/learn/mine/buckets.ts";
import { tokenize, tokenPlaces } from "../../src/learn/mine/tokens.ts";
import { Nodes, partsOf } from "../../src/learn/site/nodes.ts";
import { TargetSearch } from "../../src/learn/site/target-search.ts";
import { targetOf } from "../../src/site-rules/apply/actions.ts";
import { applyRule } from "../../src/site-rules/apply/apply.ts";
import { parseRule } from "../../src/site-rules/index.ts";
import type { Rule } from "../../src/site-rules/rule.ts";
import { atLength } from "../shared/length.ts";
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
      const sink = parseRule(`h\t${condition}\tsink /z`);
      const passing = changedOneByOne(sink, targets).map(([node]) => node);
      let count = 0;
      finder.passing(sink.condition, () => count++);
      expect([condition, count]).toEqual([condition, passing.length]);
      expect([...finder.changes(sink).nodes].toSorted((a, b) => a - b)).toEqual(passing);
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
  const targets = [
    ...randomTargets(400),
    ...Array.from({ length: atLength(1_000, 20_000) }, (_, n) => `/q${n}`),
  ];
  const nodes = new Nodes(
    targets,
    targets.map(() => false),
  );
  const rule = parseRule(`h\t*\t${action}`);
  const finder = new ChangeFinder(nodes);
  const changes = finder.changes(rule);
  expect(inOrder(changes)).toEqual(changedOneByOne(rule, targets));
  for (const condition of ["/a...", "* ?x=1", "* ?x&!y", "/c/<N>", "* ?none"]) {
    const narrow = parseRule(`h\t${condition}\t${action}`);
    const narrowed = finder.narrowed(changes, narrow.condition);
    expect(inOrder(narrowed)).toEqual(changedOneByOne(narrow, targets));
  }
});

/** Returns the nodes that a rule changes and half the hash of what it makes of each, without any index. */
function changedOneByOne(rule: Rule, targets: readonly string[]): [number, number][] {
  const changed: [number, number][] = [];
  for (const [node, target] of targets.entries()) {
    const parts = partsOf(target, false);
    const isChanged = applyRule(parts, rule) && targetOf(parts) !== target;
    if (isChanged) changed.push([node, hashOf(targetOf(parts)).low]);
  }
  return changed;
}

function inOrder({ nodes, low }: Changes): [number, number][] {
  const changed = [...nodes].map((node, at): [number, number] => [node, low[at] as number]);
  return changed.toSorted(([a], [b]) => a - b);
}

test("a text is found in the same targets whatever was asked for before", () => {
  const targets = [...randomTargets(400), "/", "/a/a/b?x=1&x=1&z=31"];
  const search = new TargetSearch(targets);
  for (let asked = 0; asked < atLength(150, 2_000); asked++) {
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
