import { expect, test } from "vitest";
import { escapeLine } from "../../src/io/text/line-escape.ts";
import { MergedGroups } from "../../src/runs/report/merged-groups.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

/** Returns the list of merged records, as a run gives it. */
function listOf(records: readonly (readonly [key: string, record: string])[]): Uint8Array {
  const lines = records.map(([key, record]) => `${escapeLine(key)}\t${escapeLine(record)}\n`);
  return Buffer.from(lines.join(""), "latin1");
}

test("groups are what a Map counts, with their first five different records", () => {
  const random = new Random(7);
  const groups = new MergedGroups();
  const model = new Map<string, { merged: number; examples: string[] }>();
  const hosts = new Map<string, number>();
  for (let list = 0; list < 50; list++) {
    const records = Array.from({ length: random.below(400) }, () => {
      const host = `h${random.below(9)}.example`;
      const key = `http://${host}/${"p".repeat(random.below(40))}\\${random.below(30)}`;
      return [host, key, `${key}#${random.below(8)}\t${random.chance(9) ? "\x01\r" : ""}`] as const;
    });
    for (const [host, key, record] of records) {
      const group = model.get(key) ?? { merged: 0, examples: [] };
      model.set(key, group);
      group.merged++;
      if (group.examples.length < 5 && !group.examples.includes(record))
        group.examples.push(record);
      hosts.set(host, (hosts.get(host) ?? 0) + 1);
    }
    groups.add(listOf(records.map(([, key, record]) => [key, record])));
  }
  const largest = [...model].toSorted(([, a], [, b]) => b.merged - a.merged);
  expect(groups.largest(100)).toEqual(largest.slice(0, 100).map(([key, of]) => ({ key, ...of })));
  expect(new Map(groups.hosts(20))).toEqual(hosts);
  expect(groups.isPartial).toBe(false);
});

test("a key or a record may be empty, and so may the list", () => {
  const groups = new MergedGroups();
  expect([groups.largest(5), groups.hosts(5)]).toEqual([[], []]);
  groups.add(new Uint8Array(0));
  groups.add(
    listOf([
      ["", ""],
      ["", "a"],
      ["http://a/", ""],
    ]),
  );
  expect(groups.largest(5)).toEqual([
    { key: "", merged: 2, examples: ["", "a"] },
    { key: "http://a/", merged: 1, examples: [""] },
  ]);
});

test("the rarest groups are forgotten where there are too many, and their hosts are still counted", () => {
  const groups = new MergedGroups();
  const each = atLength(14_000, 20_000);
  const rare = 5 * each;
  const common = Array.from({ length: 300 }, (_, at) => `http://common${at % 3}/${at}`);
  for (let first = 0; first < rare; first += each) {
    const records = Array.from(
      { length: each },
      (_, at) => [`http://rare/${first + at}`, `http://rare/${first + at}#`] as const,
    );
    groups.add(listOf([...common.map((key) => [key, `${key}#`] as const), ...records]));
  }
  expect(groups.isPartial).toBe(true);
  expect(groups.largest(300).map(({ key, merged }) => [key, merged])).toEqual(
    common.map((key) => [key, 5]),
  );
  expect(groups.largest(1)[0]?.examples).toEqual(["http://common0/0#"]);
  expect(groups.hosts(5)).toEqual([
    ["rare", rare],
    ["common0", 500],
    ["common1", 500],
    ["common2", 500],
  ]);
});
