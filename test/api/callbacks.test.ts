import { expect, test } from "vitest";
import { describeEngines } from "../shared/engines.ts";
import { atLength } from "../shared/length.ts";

const KEY = Uint8Array.from({ length: 16 }, (_, at) => at);
/** More lines than one window has. */
const LINES = Buffer.from("HTTP://A/%7e\nx\n".repeat(atLength(12_000, 30_000)));
const REFERENCES = Array.from({ length: 2_000 }, (_, row) => `x${row}`);

describeEngines("a callback that calls its own normalizer", (create) => {
  test("changes neither base nor views of the windows it is handed", () => {
    const normalizer = create();
    const options = { base: "http://h/", key: KEY };
    const expected = normalizer.normalizeLines(LINES, options);
    const expectedKeys = normalizer.fingerprintBatch(LINES, options).fingerprints;
    const parts: Uint8Array[] = [];
    const keys: Uint8Array[] = [];
    normalizer.normalizeWindows(LINES, true, options, ({ output, fingerprints }) => {
      expect(normalizer.normalize("y", "http://other/z/")).toBe("http://other/z/y");
      normalizer.normalizeLines(Buffer.from(`http://b/${"c".repeat(300_000)}\n`));
      parts.push(output.slice());
      keys.push(fingerprints.slice());
    });
    expect(parts.length).toBeGreaterThan(1);
    expect(Buffer.compare(Buffer.concat(parts), expected.bytes)).toBe(0);
    expect(Buffer.compare(Buffer.concat(keys), expectedKeys)).toBe(0);
  });

  test.each([
    ["strings", REFERENCES],
    ["lines", Buffer.from(REFERENCES.join("\n"))],
  ] as const)("changes no fingerprint of %s", (_, urls) => {
    const normalizer = create();
    const options = { base: "http://h/", key: KEY, bits: 128 } as const;
    const expected = normalizer.fingerprintBatch(urls, options);
    const keys: Uint8Array[] = [];
    normalizer.fingerprintPieces(urls, options, (fingerprints) => {
      const other = { base: "http://other/", key: new Uint8Array(16) };
      normalizer.fingerprintBatch(["y"], other);
      keys.push(fingerprints.slice());
    });
    expect(Buffer.compare(Buffer.concat(keys), expected.fingerprints)).toBe(0);
  });

  test("changes nothing where it goes through another normalizer with the same options", () => {
    const normalizer = create();
    const twin = create();
    const expected = normalizer.normalizeLines(LINES, { base: "http://h/" });
    const parts: Uint8Array[] = [];
    normalizer.normalizeWindows(LINES, true, { base: "http://h/" }, ({ output }) => {
      twin.normalizeBatch(REFERENCES, { base: "http://other/" });
      parts.push(output.slice());
    });
    expect(Buffer.compare(Buffer.concat(parts), expected.bytes)).toBe(0);
  });

  test("may wipe the key it was called with: later windows have the same", () => {
    const normalizer = create();
    const expected = normalizer.fingerprintBatch(LINES, { base: "http://h/", key: KEY });
    const key = new Uint8Array(KEY);
    const keys: Uint8Array[] = [];
    normalizer.normalizeWindows(LINES, true, { base: "http://h/", key }, ({ fingerprints }) => {
      key.fill(0);
      keys.push(fingerprints.slice());
    });
    expect(Buffer.compare(Buffer.concat(keys), expected.fingerprints)).toBe(0);
  });

  test("may throw: the error is its own, and the next call is served", () => {
    const normalizer = create();
    const failing = (): never => {
      throw new Error("full");
    };
    expect(() => normalizer.normalizeWindows(LINES, true, {}, failing)).toThrow("full");
    expect(normalizer.normalize("HTTP://B/%7e")).toBe("http://b/~");
  });
});
