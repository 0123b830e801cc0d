import { createNormalizer } from "urlmill";
import { expect, test } from "vitest";
import { DedupedList } from "../../playground/worker/deduped-list.ts";

test("a group shows the key of its bytes, also where they are not UTF-8", async () => {
  const bytes = Buffer.from("http://a/\xe9\nHTTP://A/\xe9\n", "latin1");
  const format = { name: "lines", field: "" };
  const list = new DedupedList(
    { lines: new Blob([bytes]), format, malformed: 0 },
    createNormalizer(),
  );
  await list.read(
    () => {},
    () => false,
  );
  const [group] = await list.groups(0, 1);
  const [first] = await list.page(0);
  expect(group?.key).toBe("http://a/%E9");
  expect(first?.key).toBe(group?.key);
});
