import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createPool } from "urlmill/pool";
import { expect, test } from "vitest";

type Write = (piece: Uint8Array, done: (error?: Error | null) => void) => void;

const MARK = Buffer.of(0xef, 0xbb, 0xbf);

/** What a stream makes of pieces. */
async function transformed(pieces: readonly unknown[]): Promise<string> {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  const out: Uint8Array[] = [];
  for await (const bytes of Readable.from(pieces).pipe(pool.transform())) out.push(bytes);
  return Buffer.concat(out).toString();
}

test.each([
  ["a string", "http://a/\n", "gave a string instead of bytes"],
  ["a number", 5, "gave something else instead of bytes"],
  ["words of two bytes", new Uint16Array(4), "gave something else instead of bytes"],
])("a stream of %s ends with BAD_INPUT", async (_, piece, message) => {
  const { code, message: said } = await new Promise<NodeJS.ErrnoException>((resolve) => {
    const pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
    const stream = pool
      .transform()
      .on("error", resolve)
      .on("close", () => pool.close());
    stream.resume().write(piece);
  });
  expect(code).toBe("BAD_INPUT");
  expect(said).toContain(message);
});

test("a Web stream of strings ends with BAD_INPUT", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  const source = new ReadableStream({
    start(controller) {
      controller.enqueue("http://a/\n");
      controller.close();
    },
  });
  const { readable, writable } = pool.webTransform();
  source.pipeTo(writable).catch(() => {}); // the reader hears of it
  await expect(readable.getReader().read()).rejects.toMatchObject({ code: "BAD_INPUT" });
});

/** Writes lines, one after the other, to the same memory, which is free again when `write` is done. */
async function writeInOneBuffer(write: (piece: Uint8Array) => Promise<void>): Promise<void> {
  const piece = Buffer.alloc(11);
  for (let line = 0; line < 9; line++) {
    piece.write(`HTTP://A/${line}\n`);
    await write(piece);
  }
}

const NINE = Array.from({ length: 9 }, (_, line) => `http://a/${line}\n`).join("");

test("memory of a piece may be written to again after its callback", async () => {
  await using pool = createPool({ threads: 1 });
  const stream = pool.transform();
  const all = text(stream);
  await writeInOneBuffer((piece) => promisify(stream.write.bind(stream) as Write)(piece));
  stream.end();
  expect(await all).toBe(NINE);
});

test("memory of a piece of a Web stream may be written to again when it is written", async () => {
  await using pool = createPool({ threads: 1 });
  const { readable, writable } = pool.webTransform();
  const all = new Response(readable).text();
  const writer = writable.getWriter();
  await writeInOneBuffer((piece) => writer.write(piece));
  await writer.close();
  expect(await all).toBe(NINE);
});

test.each([11, 2_000_000])(
  "a generator may give the same %i bytes again and again",
  async (size) => {
    await using pool = createPool({ threads: 1 });
    async function* pieces(): AsyncGenerator<Uint8Array> {
      const piece = Buffer.alloc(size, "\n");
      for (let line = 0; line < 9; line++) {
        piece.write(`HTTP://A/${line}\n`);
        yield piece;
      }
    }
    const lines = (await pipeline(pieces, pool.transform(), text)).replaceAll(/\n+/g, "\n");
    expect(lines).toBe(NINE);
  },
);

test("a byte order mark at the beginning of a stream is not written", async () => {
  const lines = Buffer.from("HTTP://A\nHTTP://B\n");
  expect(await transformed([Buffer.concat([MARK, lines])])).toBe("http://a/\nhttp://b/\n");
});

test("a byte order mark that comes byte by byte is not written", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  async function* trickle(): AsyncGenerator<Uint8Array> {
    for (const byte of [...MARK, ...Buffer.from("HTTP://A")]) {
      yield Uint8Array.of(byte);
      // Longer than a batch waits for more.
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  }
  const out: Uint8Array[] = [];
  for await (const bytes of Readable.from(trickle()).pipe(pool.transform())) out.push(bytes);
  expect(Buffer.concat(out).toString()).toBe("http://a/\n");
});

test.each([
  ["a mark alone", MARK, ""],
  ["two bytes of a mark", MARK.subarray(0, 2), "\n"],
  [
    "a mark after the first line",
    Buffer.concat([Buffer.from("http://a/\n"), MARK]),
    "http://a/\n\n",
  ],
])("a stream of %s gives what the table says", async (_, bytes, expected) => {
  expect(await transformed([bytes])).toBe(expected);
});
