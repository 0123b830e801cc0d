import { join } from "node:path";
import { expect, test } from "vitest";
import { addUnseen } from "../../src/crawlee/index.ts";
import { SeenSet } from "../../src/seen/index.ts";
import { tempFolder } from "../shared/temp-folder.ts";

/** A queue that remembers what it was given. */
function makeQueue<T>() {
  const requests: T[] = [];
  return { requests, add: async (added: T[]) => requests.push(...added) };
}

test("each page is added once, and every request is in one of the lists", async () => {
  await using seen = new SeenSet({ preset: "crawl" });
  await seen.addBatch(["http://a.org/old"]);
  const queue = makeQueue<{ url: string }>();
  const requests = [
    { url: "http://a.org/b?d&c" },
    { url: "http://a.org/old#e" },
    { url: "http://A.org/b?c&d&gclid=1" },
    { url: "mailto:a@b.org" },
    { url: "http://a.org/f" },
  ];
  const result = await addUnseen(requests, seen, queue.add);
  expect(result).toEqual({
    added: [requests[0], requests[4]],
    seen: [requests[1], requests[2]],
    refused: [requests[3]],
  });
  expect(queue.requests).toEqual(result.added);
  expect(await seen.stats()).toMatchObject({ size: 3, held: 0 });
  expect((await addUnseen(requests, seen, queue.add)).added).toEqual([]);
});

test("strings are requests", async () => {
  await using seen = new SeenSet();
  const queue = makeQueue<string>();
  await addUnseen(new Set(["http://a.org/", "http://A.org"]), seen, queue.add);
  expect(queue.requests).toEqual(["http://a.org/"]);
});

test("one string or request is not a list", async () => {
  await using seen = new SeenSet();
  const queue = makeQueue<unknown>();
  for (const wrong of ["http://a.org/", { url: "http://a.org/" }, null]) {
    const adding = addUnseen(wrong as unknown as string[], seen, queue.add);
    await expect(adding).rejects.toMatchObject({ code: "BAD_INPUT" });
  }
  expect(queue.requests).toEqual([]);
});

test("requests that are more than their URL are left to the queue", async () => {
  await using seen = new SeenSet({ preset: "crawl" });
  const url = "http://a.org/";
  await seen.addBatch([url]);
  const forms = [
    { url, method: "POST", payload: "b=1" },
    { url, method: "POST", payload: "b=2" },
    { url: `${url}#/b`, keepUrlFragment: true },
    { url, method: "HEAD" },
  ];
  const requests = [{ url, method: "get" }, ...forms, { url, payload: "" }];
  const queue = makeQueue<(typeof requests)[number]>();
  await addUnseen(requests, seen, queue.add);
  expect(queue.requests).toEqual(forms);
});

test("nothing is recorded before the queue has the requests", async () => {
  await using seen = new SeenSet();
  await addUnseen(["http://a.org/"], seen, async () => {
    expect(await seen.stats()).toMatchObject({ size: 0, held: 1 });
  });
  expect(await seen.stats()).toMatchObject({ size: 1, held: 0 });
});

test("requests that the queue did not take are new again", async () => {
  await using seen = new SeenSet();
  const refusal = new Error("the queue is full");
  const added = addUnseen(["http://a.org/"], seen, () => Promise.reject(refusal));
  await expect(added).rejects.toBe(refusal);
  expect(await seen.stats()).toMatchObject({ size: 0, held: 0 });
  const queue = makeQueue<string>();
  await addUnseen(["http://a.org/"], seen, queue.add);
  expect(queue.requests).toEqual(["http://a.org/"]);
});

test("a journal remembers what was added, and not what the queue did not take", async () => {
  const path = join(tempFolder(), "crawl.seen");
  const first = await SeenSet.open(path, { preset: "aggressive" });
  const queue = makeQueue<string>();
  await addUnseen(["http://a.org/b/"], first, queue.add);
  await expect(
    addUnseen(["http://a.org/c"], first, () => Promise.reject(new Error("full"))),
  ).rejects.toThrow("full");
  await first.close();
  await using second = await SeenSet.open(path, { preset: "aggressive" });
  await addUnseen(["http://a.org/b?utm_source=d", "http://a.org/c"], second, queue.add);
  expect(queue.requests).toEqual(["http://a.org/b/", "http://a.org/c"]);
});
