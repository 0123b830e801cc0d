import { expect, test } from "vitest";
import { faultsOf } from "../shared/journal-faults.ts";
import { tempFolder } from "../shared/temp-folder.ts";

test("any operation of a journal may fail: the error says so, and no answer is lost", async () => {
  const sizes = { before: 300, batch: 100, batches: 4 };
  const codes = await faultsOf(tempFolder(), sizes, (total) =>
    Array.from({ length: total }, (_, at) => at + 1),
  );
  expect([...codes.keys()]).toEqual(["SEEN_FAILED"]);
  expect(codes.get("SEEN_FAILED")).toBeGreaterThan(30);
});
