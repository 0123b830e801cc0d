import { expect, test } from "vitest";
import { DropRun } from "../../src/learn/count/drop-run.ts";
import { changesOfAll, settled } from "../../src/learn/count/settled.ts";
import { Nodes } from "../../src/learn/site/nodes.ts";
import { parseRule } from "../../src/site-rules/index.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const CONDITIONS = ["*", "/a", "/b/...", "* ?x", "* ?y=1", "* ?!x", "* ?!z&y", "/a ?x=2&!y"];
const DROPS = ["x", "y", "z", "x,y", "x,z", "y,z,w"];

const write = (random: Random): string => {
  const param = () =>
    random.pick(["x", "y", "z", "w", "x", "y"]) + random.pick(["=1", "=2", "=", ""]);
  const query = Array.from({ length: random.below(5) }, param).join(random.pick(["&", ";"]));
  return random.pick(["/a", "/b/", "/b/c"]) + (query === "" ? random.pick(["", "?"]) : `?${query}`);
};

test("drops that are counted without writing URLs do what the rules make of each URL", () => {
  const random = new Random(23);
  const targets = [...new Set(Array.from({ length: 400 }, () => write(random)))].toSorted();
  const nodes = new Nodes(
    targets,
    targets.map((_, at) => at % 3 === 0),
  );
  let several = 0;
  for (let set = 0; set < atLength(40, 2000); set++) {
    const rules = Array.from({ length: 1 + random.below(3) }, () =>
      parseRule(`a.org\t${random.pick(CONDITIONS)}\tdrop ${random.pick(DROPS)}`),
    );
    const found = changesOfAll(rules, nodes);
    const expected: number[][] = [];
    for (const [node, target] of targets.entries()) {
      const url = { target, isHttps: node % 3 === 0 };
      const applied = new Set<unknown>();
      const made = settled(url, rules, (rule) => applied.add(rule));
      if (applied.size > 1) several++;
      const hash = { low: 0, high: 0 };
      nodes.hashTarget(made.target, made.isHttps, hash);
      if (made !== url) expected.push([node, hash.low, hash.high]);
    }
    const own = Array.from(found.nodes, (node, at) => [node, found.low[at], found.high[at]]);
    expect(own, JSON.stringify(rules)).toEqual(expected);
  }
  expect(several).toBeGreaterThan(atLength(500, 1000));
});

test("rules of which one does not drop parameters by their names are left to others", () => {
  const nodes = new Nodes(["/?a=1"], [false]);
  const read = (...actions: readonly string[]) =>
    actions.map((action) => parseRule(`a.org\t*\t${action}`));
  expect(DropRun.of(read("drop a", "drop b"), nodes)).not.toBeNull();
  expect(DropRun.of(read("drop a", "sort"), nodes)).toBeNull();
  expect(DropRun.of(read("drop a<*>"), nodes)).toBeNull();
});
