import { expect, test } from "vitest";
import type { FormatName } from "../../src/formats/index.ts";
import { readChunks } from "../../src/io/chunk-reader.ts";
import type { Source } from "../../src/io/source.ts";
import { type Slot, Slots } from "../../src/threads/slots.ts";
import { formatNamed } from "../formats/whole.ts";
import { atLength, sampleOf, testAtLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { sourceOf } from "../shared/random-source.ts";

/** The chunks of a text: records as text, pieces of long lines in parentheses. */
async function chunksOf(
  name: FormatName,
  text: string,
  random: Random,
  maxLine: number | null,
): Promise<string[]> {
  const slots: Slots<ArrayBufferLike> = Slots.unshared(2, 64);
  const format = formatNamed(name);
  const chunks: string[] = [];
  const reading = {
    boundary: format.boundary(),
    lastByte: name === "sitemap" ? null : 0x0a,
    maxLine,
    size: 1 + random.below(40),
  };
  for await (const chunk of readChunks(sourceOf(Buffer.from(text), random), "x", slots, reading)) {
    if (chunk.kind === "long") {
      chunks.push(
        `(${Buffer.from(chunk.bytes)}${chunk.end === null ? "" : `)${Buffer.from(chunk.end)}`}`,
      );
      continue;
    }
    chunks.push(Buffer.from(chunk.slot.input, 0, chunk.length).toString());
    // What is written here later must not be read again.
    new Uint8Array(chunk.slot.input).fill(0x21);
    slots.release(chunk.slot);
  }
  return chunks;
}

test("lines are whole in their chunk, wherever reads end, and none is lost", async () => {
  const random = new Random(21);
  for (let round = 0; round < atLength(100, 2_000); round++) {
    const lines = Array.from({ length: random.below(12) }, () => "x".repeat(random.below(30)));
    const text = lines.join(random.pick(["\n", "\r\n"])) + random.pick(["", "\n"]);
    const chunks = await chunksOf("lines", text, random, 100);
    for (const chunk of chunks) expect(chunk.endsWith("\n")).toBe(true);
    const ended = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    expect(chunks.join("")).toBe(ended);
  }
});

test("a line over the limit comes in pieces, between the lines around it", async () => {
  const random = new Random(22);
  for (let round = 0; round < atLength(100, 2_000); round++) {
    const lines = Array.from({ length: 1 + random.below(8) }, () =>
      random.pick(["a", "b", "c\r"]).repeat(random.below(60)),
    );
    const text = lines.join(random.pick(["\n", "\r\n"])) + random.pick(["", "\n", "\r", "\r\n"]);
    const chunks = await chunksOf("lines", text, random, 20);
    let seen = "";
    let inLong = false;
    let line = "";
    for (const chunk of chunks) {
      if (!chunk.startsWith("(")) {
        expect(inLong).toBe(false);
        seen += chunk;
        continue;
      }
      // The last piece has the whole line end, the others none of it.
      const [piece = "", end] = chunk.slice(1).split(")");
      line = inLong ? line + piece : piece;
      inLong = end === undefined;
      if (end !== undefined) expect(end).toMatch(line.endsWith("\r") ? /^\r\n$/ : /^\r?\n$/);
      seen += chunk.replaceAll(/[()]/g, "");
    }
    expect(inLong).toBe(false);
    expect(seen).toBe(text === "" || text.endsWith("\n") ? text : `${text}\n`);
    // What is in one chunk with others is within the limit but for what one read brings.
    for (const chunk of chunks.filter((part) => !part.startsWith("("))) {
      for (const line of chunk.split("\n")) expect(line.length).toBeLessThanOrEqual(20 + 1 + 40);
    }
  }
});

test("elements of a sitemap are whole in their chunk, and every byte comes once", async () => {
  const random = new Random(23);
  for (let round = 0; round < atLength(60, 500); round++) {
    const entries = Array.from(
      { length: random.below(6) },
      (_, row) => `<url><loc>http://a/${row}</loc>${" ".repeat(random.below(9))}</url>`,
    );
    const text = `<urlset>${entries.join(random.pick(["", "\n"]))}</urlset>`;
    const chunks = await chunksOf("sitemap", text, random, null);
    expect(chunks.join("")).toBe(text);
    for (const chunk of chunks) {
      expect(chunk.split("<url>").length).toBe(chunk.split("</url>").length);
    }
  }
});

/** A source of so many bytes without a line end, 256 KiB at a time. */
function endless(bytes: number, head: string): Source {
  let left = bytes;
  return {
    taken: 0,
    read: async (into) => {
      const length = Math.min(into.length, left, 1 << 18);
      into.fill(0x61, 0, length);
      if (left === bytes) into.set(Buffer.from(head));
      left -= length;
      return length;
    },
    close: async () => {},
  };
}

test.each(sampleOf(["tsv", "sitemap"] as const, 2))(
  "a record of %s over 64 MiB is refused after one look at each byte",
  async (name) => {
    const boundaryOf = formatNamed(name).boundary();
    const head = name === "sitemap" ? "<urlset><url>" : "";
    let looked = 0;
    const boundary = (bytes: Uint8Array, from: number): number => {
      looked += bytes.length - from;
      return boundaryOf(bytes, from);
    };
    const slots: Slots<ArrayBufferLike> = Slots.unshared(2, 1 << 18);
    let largest = 0;
    const take = slots.take.bind(slots);
    const taken: Slot<ArrayBufferLike>[] = [];
    slots.take = () => {
      const slot = take();
      taken.push(slot);
      return slot;
    };
    const reading = { boundary, lastByte: 0x0a, maxLine: null, size: 1 << 18 };
    const chunks = readChunks(endless(200 * 2 ** 20, head), "-", slots, reading);
    await expect(chunks.next()).rejects.toThrow(
      "standard input has a record of more than 64 MiB, the longest that is read; check --format",
    );
    for (const slot of taken) largest += slot.input.byteLength;
    expect(looked).toBeLessThanOrEqual(65 * 2 ** 20);
    expect(largest).toBeLessThanOrEqual(65 * 2 ** 20);
  },
);

testAtLength("a record of 64 MiB is read whole, and what follows it too", async () => {
  const format = formatNamed("jsonl");
  const text = Buffer.alloc((1 << 26) + 10, 0x61);
  text.write("\nb\n", (1 << 26) - 1);
  text.write("\n", (1 << 26) + 9); // which the reader adds
  const reading = {
    boundary: format.boundary(),
    lastByte: 0x0a,
    maxLine: null,
    size: 1 << 18,
  };
  const chunks: Buffer[] = [];
  for await (const chunk of readChunks(
    sourceOf(text.subarray(0, -1), new Random(24)),
    "x",
    Slots.unshared(2, 64),
    reading,
  )) {
    if (chunk.kind === "records") chunks.push(Buffer.from(chunk.slot.input.slice(0, chunk.length)));
  }
  expect(Buffer.concat(chunks).equals(text)).toBe(true);
});
