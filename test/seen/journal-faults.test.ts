import { expect, test } from "vitest";
import { faultsOf } from "../shared/journal-faults.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

test("any operation of a journal may fail: the error says so, and no answer is lost", async () => {
  const sizes = { before: 300, batch: 100, batches: 4 };
  const codes = await faultsOf(tempFolder(), sizes, (total) =>
    sampleOf(
      Array.from({ length: total }, (_, at) => at + 1),
      5,
    ),
  );
  expect([...codes.keys()]).toEqual(["SEEN_FAILED"]);
  expect(codes.get("SEEN_FAILED")).toBeGreaterThan(atLength(5, 30));
});

test("a batch of several blocks of which one cannot be written is new again", async () => {
  const sizes = { before: 0, batch: 70_000, batches: 1 };
  const codes = await faultsOf(tempFolder(), sizes, (total) =>
    Array.from({ length: atLength(5, total - 12) }, (_, at) => total - 12 - at),
  );
  expect([...codes.keys()]).toEqual(["SEEN_FAILED"]);
});
