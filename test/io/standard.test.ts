import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import { InputPeek } from "../../src/io/input-peek.ts";
import { descriptorStats, standardStreams, withStreams } from "../../src/io/standard.ts";

const STREAMS = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };

test("a command has the streams that it was given, and the process's come back after it", async () => {
  expect(await withStreams(STREAMS, async () => standardStreams())).toBe(STREAMS);
  const failure = withStreams(STREAMS, () => Promise.reject(new Error("failed")));
  await expect(failure).rejects.toThrow("failed");
  expect(standardStreams()).toBe(process);
});

test("a command with streams of its own takes none of the process's descriptors", async () => {
  const found = await withStreams(STREAMS, async () => [0, 1, 2].map(descriptorStats));
  expect(found).toEqual([null, null, null]);
  expect(descriptorStats(1)).not.toBeNull();
});

test("two commands at a time are refused, whoever's streams they have", async () => {
  for (const streams of [STREAMS, process]) {
    const first = withStreams(streams, () => new Promise<void>((resolve) => setImmediate(resolve)));
    const second = withStreams(STREAMS, async () => standardStreams());
    await expect(second).rejects.toThrow("another command has the standard streams");
    await first;
  }
});

test("standard input that two flags name is looked at twice, and read from its beginning", async () => {
  const stdin = Readable.from([Buffer.from("http://a/\n"), Buffer.from("http://b/\n")]);
  await withStreams({ ...STREAMS, stdin }, async () => {
    const peek = new InputPeek();
    const lines: string[] = [];
    for (let flag = 0; flag < 2; flag++) {
      const firstLine = (bytes: Buffer): string | null =>
        bytes.includes("\n") ? String(bytes).slice(0, 9) : null;
      lines.push(await peek.ask("-", true, firstLine));
    }
    expect(lines).toEqual(["http://a/", "http://a/"]);
    const bytes = Buffer.alloc(100);
    expect(await peek.take("-")?.read(bytes)).toBe(10);
    await peek.close();
  });
});
