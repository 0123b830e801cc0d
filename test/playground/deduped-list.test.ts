import { createNormalizer, type Normalizer } from "urlmill";
import { expect, test } from "vitest";
import { DedupedList } from "../../playground/worker/deduped-list.ts";

/** Reads a list of lines. */
async function read(bytes: Buffer<ArrayBuffer>, normalizer: Normalizer): Promise<DedupedList> {
  const format = { name: "lines", field: "" };
  const list = new DedupedList({ lines: new Blob([bytes]), format, malformed: 0 }, normalizer);
  await list.read(
    () => {},
    () => false,
  );
  return list;
}

test("a group shows the key of its bytes, also where they are not UTF-8", async () => {
  const bytes = Buffer.from("http://a/\xe9\nHTTP://A/\xe9\n", "latin1");
  const list = await read(bytes, createNormalizer());
  const [group] = await list.groups(0, 1);
  const [first] = await list.page(0);
  expect(group?.key).toBe("http://a/%E9");
  expect(first?.key).toBe(group?.key);
});

test("a long line is read a few times, whatever its length", async () => {
  const normalizer = createNormalizer();
  const normalizeWindows = normalizer.normalizeWindows.bind(normalizer);
  let taken = 0;
  normalizer.normalizeWindows = (bytes, ...others) => {
    taken += bytes.length;
    return normalizeWindows(bytes, ...others);
  };
  const bytes = Buffer.alloc(16 << 20, "a");
  const list = await read(bytes, normalizer);
  expect(list.summary().failed).toBe(1);
  expect(taken).toBeLessThan(3 * bytes.length);
});
