import { createPool } from "urlmill/pool";
import { expect, expectTypeOf, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";

// `npm run typecheck` holds what these say of types.

const lines = new TextEncoder().encode("HTTP://A\n");

test("bytes that come out can be the body of a response, and be digested", async () => {
  const n = createNormalizer();
  const { bytes, status } = n.normalizeLines(lines);
  expect(await new Response(bytes).text()).toBe("http://a/\n");
  expect((await crypto.subtle.digest("SHA-256", bytes)).byteLength).toBe(32);
  expectTypeOf(status).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
  const { fingerprints } = n.fingerprintBatch(["http://a"]);
  expect((await crypto.subtle.digest("SHA-256", fingerprints)).byteLength).toBe(32);
  const column = n.normalizeColumn({ data: lines, offsets: Int32Array.of(0, 8) });
  expect(await new Response(column.data).text()).toBe("http://a/");
  expectTypeOf(column.offsets).toEqualTypeOf<Int32Array<ArrayBuffer>>();
  expectTypeOf(n.normalizeBatch([]).status).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
});

test("a pool's result has the kind of memory that its input has", async () => {
  await using pool = createPool({ threads: 1 });
  const own = await pool.normalizeLines(lines);
  expect(await new Response(own.bytes).text()).toBe("http://a/\n");
  const shared = new Uint8Array(new SharedArrayBuffer(lines.length));
  shared.set(lines);
  const stays = await pool.normalizeLines(shared);
  expectTypeOf(stays.bytes).toEqualTypeOf<Uint8Array<SharedArrayBuffer>>();
  expect(stays.bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
  const { fingerprints } = await pool.fingerprintBatch(["http://a"]);
  expectTypeOf(fingerprints).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
});
