import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { type BytesOptions, type Normalizer, Status } from "../../src/index.ts";
import { toColumn } from "../shared/columns.ts";
import { describeEngines } from "../shared/engines.ts";
import { expectEqual } from "../shared/equal.ts";

const KEY = Uint8Array.from({ length: 16 }, (_, at) => at);
const ZEROS = new Array(16).fill(0);
/** What JavaScript callers pass where a URL belongs. */
const MISFITS: readonly unknown[] = [null, undefined, 7, 7n, {}, ["http://a/"], Symbol("s"), true];
const code = (name: string) => expect.objectContaining({ code: name });
/** A value as the type it is not. */
const as = <T>(value: unknown): T => value as T;

describeEngines("what is not a URL", (create) => {
  const normalizer = create();

  test.each(MISFITS)("is NOT_A_STRING, alone: %s", (misfit) => {
    const url = as<string>(misfit);
    expect(normalizer.tryNormalize(url)).toMatchObject({ url: null, status: Status.NOT_A_STRING });
    const refusal = expect.objectContaining({ code: "NOT_A_STRING", offset: -1 });
    for (const method of ["normalize", "surt", "urlkey", "template"] as const) {
      expect(() => normalizer[method](url)).toThrow(refusal);
    }
    const explanation = { url: null, error: "NOT_A_STRING", offset: -1, steps: [] };
    expect(normalizer.explain(url)).toEqual(explanation);
  });

  test("is NOT_A_STRING in a batch, and leaves the rows around it alone", () => {
    const urls = MISFITS.flatMap((misfit) => ["HTTP://A", misfit, "http://b/"]) as string[];
    const normalized = normalizer.normalizeBatch(urls, { base: "http://h/" });
    expect(normalized.urls).toEqual(MISFITS.flatMap(() => ["http://a/", null, "http://b/"]));
    expect([...normalized.status]).toEqual(MISFITS.flatMap(() => [1, Status.NOT_A_STRING, 0]));
    const { fingerprints, status } = normalizer.fingerprintBatch(urls, { key: KEY });
    expect([...status]).toEqual([...normalized.status]);
    expect([...fingerprints.subarray(16, 32)]).toEqual(ZEROS);
    const alone = normalizer.fingerprintBatch(["http://b/"], { key: KEY }).fingerprints;
    expect(fingerprints.subarray(32, 48)).toEqual(alone);
  });

  test("is NOT_A_STRING where an array has a hole", () => {
    const urls = ["http://a/"];
    urls[2] = "http://c/";
    expect([...normalizer.normalizeBatch(urls).status]).toEqual([0, Status.NOT_A_STRING, 0]);
  });

  test.each([null, 7, {}, Symbol("s")])("is BAD_BASE as a base: %s", (misfit) => {
    const base = as<string>(misfit);
    expect(normalizer.tryNormalize("x", base)).toMatchObject({
      url: null,
      status: Status.BAD_BASE,
    });
    expect(() => normalizer.normalize("x", base)).toThrow(code("BAD_BASE"));
    expect(() => normalizer.explain("x", base)).toThrow(code("BAD_BASE"));
    for (const call of callsOf(normalizer)) {
      expect(() => call({ base: misfit })).toThrow(code("BAD_BASE"));
    }
  });

  test.each([
    null,
    7,
    "http://base/",
    new URL("http://base/"),
    new String("http://base/"),
    ["http://base/"],
    new Map([["base", "http://base/"]]),
    () => "http://base/",
  ])("is BAD_OPTION as the options of a batch: %s", (options) => {
    for (const call of callsOf(normalizer)) {
      expect(() => call(options)).toThrow(code("BAD_OPTION"));
    }
  });

  test("leaves options of another realm, and without a prototype, their base", () => {
    const bare = Object.assign(Object.create(null), { base: "http://base/" });
    for (const options of [bare, runInNewContext("({ base: 'http://base/' })")]) {
      expect(normalizer.normalizeBatch(["x"], options).urls).toEqual(["http://base/x"]);
    }
  });
});

/** Calls of all methods that take a batch, with options of any kind. */
function callsOf(normalizer: Normalizer): ((options: unknown) => unknown)[] {
  const lines = Buffer.from("x\n");
  return [
    (options) => normalizer.normalizeBatch(["x"], as(options)),
    (options) => normalizer.normalizeLines(lines, as<BytesOptions>(options)),
    (options) => normalizer.normalizeColumn(toColumn(["x"]), as<BytesOptions>(options)),
    (options) => normalizer.fingerprintBatch(["x"], as<BytesOptions>(options)),
    (options) => normalizer.normalizeWindows(lines, true, as(options), () => {}),
    (options) => {
      const isObject = Object.prototype.toString.call(options) === "[object Object]";
      const keyed = isObject ? { key: KEY, bits: 128, ...(options as object) } : options;
      normalizer.fingerprintPieces(["x"], as(keyed), () => {});
    },
  ];
}

describeEngines("memory of the caller", (create) => {
  const normalizer = create();
  const urls = Array.from({ length: 5000 }, (_, row) =>
    row % 9 === 0 ? "x y" : `HTTP://a${row}.example/%7e${"?q".repeat(row % 3)}`,
  );
  const lines = Buffer.from(urls.join("\r\n"));
  const column = toColumn(urls);
  const calls = [
    (into?: Uint8Array<ArrayBufferLike>) => normalizer.normalizeLines(lines, { into }).bytes,
    (into?: Uint8Array<ArrayBufferLike>) => normalizer.normalizeColumn(column, { into }).data,
    (into?: Uint8Array<ArrayBufferLike>) =>
      normalizer.fingerprintBatch(lines, { key: KEY, into }).fingerprints,
    (into?: Uint8Array<ArrayBufferLike>) =>
      normalizer.fingerprintBatch(column, { key: KEY, into }).fingerprints,
  ];

  test.each([ArrayBuffer, SharedArrayBuffer])("holds a result that fits, in %o", (Memory) => {
    for (const call of calls) {
      const expected = call();
      const whole = new Uint8Array(new Memory(expected.length + 8)).fill(0xaa);
      const into = whole.subarray(5, 5 + expected.length);
      const result = call(into);
      expect([result.buffer, result.byteOffset]).toEqual([whole.buffer, 5]);
      expect(Buffer.from(result).equals(expected)).toBe(true);
      // Nothing before it or after it is written.
      expect([...whole.subarray(0, 5), ...whole.subarray(-3)]).toEqual(Array(8).fill(0xaa));
    }
  });

  test("that is too small leaves the result to new memory", () => {
    for (const call of calls) {
      const expected = call();
      for (const size of [0, 1, expected.length - 1]) {
        const into = new Uint8Array(size);
        const result = call(into);
        expect(result.buffer).not.toBe(into.buffer);
        expect(Buffer.from(result).equals(expected)).toBe(true);
      }
    }
  });

  test("is BAD_OPTION if it is not bytes, or overlaps the input", () => {
    const { data, offsets } = column;
    const own = new Uint8Array(offsets.buffer, offsets.byteOffset, offsets.byteLength);
    const overlaps = "into: must not overlap the input";
    for (const into of [lines, lines.subarray(-1), lines.subarray(7, 9)]) {
      expect(() => normalizer.normalizeLines(lines, { into })).toThrow(overlaps);
      expect(() => normalizer.fingerprintBatch(lines, { into })).toThrow(overlaps);
    }
    for (const into of [data as Uint8Array<ArrayBuffer>, own as Uint8Array<ArrayBuffer>]) {
      expect(() => normalizer.normalizeColumn(column, { into })).toThrow(overlaps);
    }
    for (const into of [null, "x", [1], new ArrayBuffer(9), new Int32Array(9)]) {
      const options = as<BytesOptions>({ into });
      expect(() => normalizer.normalizeLines(lines, options)).toThrow(code("BAD_OPTION"));
      expect(() => normalizer.normalizeColumn(column, options)).toThrow(code("BAD_OPTION"));
    }
    // Memory that only touches the input is other memory.
    const both = new Uint8Array(2 * lines.length);
    both.set(lines);
    const into = both.subarray(lines.length);
    const input = both.subarray(0, lines.length);
    expect(normalizer.normalizeLines(input, { into }).bytes.buffer).toBe(both.buffer);
  });
});

describeEngines("a URL object", (create) => {
  const normalizer = create();
  const url = new URL("HTTP://A/%7e?q");

  test("is its href, as a URL and as a base", () => {
    expect(normalizer.normalize(url)).toBe("http://a/~?q");
    expect(normalizer.surt(url)).toBe("a)/~?q");
    expect(normalizer.tryNormalize(new URL("http://a/")).status).toBe(Status.UNCHANGED);
    expect(normalizer.normalize("x", url)).toBe("http://a/x");
    expect(normalizer.normalizeBatch(["x"], { base: url }).urls).toEqual(["http://a/x"]);
    expect(normalizer.explain(url).url).toBe("http://a/~?q");
  });

  test("stands beside strings in a batch", () => {
    const urls = Array.from({ length: 2_000 }, () => [
      url,
      "http://b/",
      new URL("http://c"),
    ]).flat();
    const { urls: normalized, status } = normalizer.normalizeBatch(urls);
    expect(normalized.slice(-3)).toEqual(["http://a/~?q", "http://b/", "http://c/"]);
    expect([...status.slice(-3)]).toEqual([1, 0, 0]);
    const texts = urls.map(String);
    expectEqual(
      normalizer.fingerprintBatch(urls, { key: KEY }),
      normalizer.fingerprintBatch(texts, { key: KEY }),
    );
  });
});

/** An array whose methods cannot make another: they call the constructor with a length. */
class Links extends Array<string> {
  constructor(links: readonly string[]) {
    super();
    this.push(...links);
  }
}

describeEngines("a batch", (create) => {
  const normalizer = create();
  const urls = ["HTTP://A", "http://b/"];

  test.each([
    ["a Set", () => new Set(urls)],
    ["a generator", () => urls.values()],
    ["the values of a Map", () => new Map(urls.entries()).values()],
    ["an array of another realm", () => runInNewContext("['HTTP://A', 'http://b/']")],
    ["an array of a class with a constructor of its own", () => new Links(urls)],
    ["a Set of another realm", () => runInNewContext("new Set(['HTTP://A', 'http://b/'])")],
  ])("can be %s", (_, make) => {
    expect(normalizer.normalizeBatch(make())).toEqual(normalizer.normalizeBatch(urls));
    expect(normalizer.fingerprintBatch(make(), { key: KEY })).toEqual(
      normalizer.fingerprintBatch(urls, { key: KEY }),
    );
  });

  test.each([
    null,
    undefined,
    7,
    "http://a/",
    {},
    new URL("http://a/"),
    Symbol("s"),
    new Float64Array(2),
    new ArrayBuffer(8),
    (async function* () {})(),
    new String("http://a/"),
    () => ["http://a/"],
    { length: 1, 0: "http://a/" },
  ])("cannot be %s: BAD_INPUT", (batch) => {
    expect(() => normalizer.normalizeBatch(as(batch))).toThrow(code("BAD_INPUT"));
    expect(() => normalizer.fingerprintBatch(as(batch))).toThrow(code("BAD_INPUT"));
  });

  test.each([
    ["is not a function", { [Symbol.iterator]: 5 }],
    ["is undefined", { [Symbol.iterator]: undefined }],
    ["is missing, as is its prototype", Object.create(null)],
    ["is missing, and its class has no name", { constructor: { name: Symbol("s") } }],
  ])("cannot be an object whose iterator %s: BAD_INPUT", (_, batch) => {
    expect(() => normalizer.normalizeBatch(as(batch))).toThrow(code("BAD_INPUT"));
    expect(() => normalizer.fingerprintBatch(as(batch))).toThrow(code("BAD_INPUT"));
  });

  test.each(["http://a/", new URL("http://a/"), new String("http://a/")])(
    "that is one URL is refused with the way to give one: %s",
    (url) => {
      const refusal = /put it into an array, as in normalizeBatch\(\[url\]\)/;
      expect(() => normalizer.normalizeBatch(as(url))).toThrow(refusal);
      expect(() => normalizer.fingerprintBatch(as(url))).toThrow(refusal);
    },
  );

  test("that comes asynchronously is refused with what takes it", () => {
    const batch = (async function* () {})();
    expect(() => normalizer.normalizeBatch(as(batch))).toThrow("normalizeEach");
  });

  test.each([null, "http://a/\n", ["http://a/"], new ArrayBuffer(8), new Uint16Array(8)])(
    "of lines cannot be %s: BAD_INPUT",
    (lines) => {
      expect(() => normalizer.normalizeLines(as(lines))).toThrow(code("BAD_INPUT"));
      const windows = () => normalizer.normalizeWindows(as(lines), true, {}, () => {});
      expect(windows).toThrow(code("BAD_INPUT"));
    },
  );

  test("of lines whose memory is gone is BAD_INPUT, and one of no lines is not", () => {
    const transferred = Uint8Array.from(Buffer.from("http://a/\n"));
    structuredClone(transferred, { transfer: [transferred.buffer] });
    // The types of TypeScript have it from ES2024 on.
    const memory = Reflect.construct(ArrayBuffer, [20, { maxByteLength: 20 }]);
    const cut = new Uint8Array(memory, 10, 10);
    memory.resize(5);
    const refusal = expect.objectContaining({ code: "BAD_INPUT" });
    for (const lines of [transferred, cut]) {
      expect(() => normalizer.normalizeLines(lines)).toThrow(refusal);
      expect(() => normalizer.normalizeWindows(lines, true, {}, () => {})).toThrow(refusal);
      expect(() => normalizer.fingerprintBatch(lines)).toThrow(refusal);
    }
    for (const Memory of [ArrayBuffer, SharedArrayBuffer]) {
      expect(normalizer.normalizeLines(new Uint8Array(new Memory(0))).lines).toBe(0);
      expect(normalizer.fingerprintBatch(new Uint8Array(new Memory(0))).status.length).toBe(0);
    }
  });

  describe("that is a column", () => {
    const data = Buffer.from("http://a/");
    test.each([
      ["is nothing", null],
      ["has no offsets", { data }],
      ["has no data", { offsets: Int32Array.of(0, 9) }],
      ["has text for data", { data: "http://a/", offsets: Int32Array.of(0, 9) }],
      ["has offsets that are no numbers", { data, offsets: Float64Array.of(0, Number.NaN, 9) }],
      ["has offsets of 64 bits", { data, offsets: BigInt64Array.of(0n, 9n) }],
      ["has unsigned offsets", { data, offsets: Uint32Array.of(0, 9) }],
      ["has offsets in an array", { data, offsets: [0, 9] }],
      ["has offsets that go down", { data, offsets: Int32Array.of(0, 9, 3) }],
      ["has an offset below 0", { data, offsets: Int32Array.of(-1, 9) }],
      ["has an offset beyond its data", { data, offsets: Int32Array.of(0, 10) }],
    ])("is BAD_COLUMN where it %s", (_, column) => {
      expect(() => normalizer.normalizeColumn(as(column))).toThrow(code("BAD_COLUMN"));
      if (column === null || !("offsets" in column)) return;
      expect(() => normalizer.fingerprintBatch(as(column))).toThrow(code("BAD_COLUMN"));
    });
  });
});
