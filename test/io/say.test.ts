import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { say } from "../../src/io/say.ts";
import { withStreams } from "../../src/io/standard.ts";

const WORDS = "a run whose first values are such dates says so, and what to add to its command";

/** What a sentence looks like on a stream of errors. */
async function shown(sentence: string, stream: { isTTY?: boolean; columns?: number }) {
  const stderr = Object.assign(new PassThrough(), stream);
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
  await withStreams(streams, async () => say(sentence));
  return String(stderr.read());
}

test("a sentence is wrapped at blanks to the width of the terminal", async () => {
  expect(await shown(WORDS, { isTTY: true, columns: 40 })).toBe(
    "urlmill: a run whose first values are\n  such dates says so, and what to add\n  to its command\n",
  );
  expect(await shown(WORDS, { isTTY: true, columns: 120 })).toBe(`urlmill: ${WORDS}\n`);
});

test("a command at the end of a sentence stays on one line", async () => {
  const command = "jq -r '.[]' 'a file.json' | urlmill …";
  for (const before of ["it is a JSON array; run: ", "make a list of it: "]) {
    const text = await shown(before + command, { isTTY: true, columns: 30 });
    expect(text.split("\n").at(-2)).toBe(`  ${command}`);
  }
});

test("a sentence for a pipe, or for a terminal that does not say its width, is one line", async () => {
  for (const stream of [{ columns: 40 }, { isTTY: true }, { isTTY: true, columns: 0 }]) {
    expect(await shown(WORDS, stream)).toBe(`urlmill: ${WORDS}\n`);
  }
});
