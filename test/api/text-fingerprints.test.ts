import { expect, test } from "vitest";
import { describeEngines } from "../shared/engines.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { atLength, sampleOf, shareOf } from "../shared/length.ts";
import { sipHash128 } from "../shared/siphash.ts";

const key = Uint8Array.from({ length: 16 }, (_, index) => 7 * index);

describeEngines("normalizeWindows with texts", (create, engine) => {
  const normalizer = create({ preset: "crawl", maxLength: 1000 });

  /** Returns the fingerprint of each line, in hex. */
  function fingerprintsOf(lines: string, texts: boolean): string[] {
    const found: string[] = [];
    normalizer.normalizeWindows(
      Buffer.from(lines, "latin1"),
      true,
      { key, texts },
      ({ rows, fingerprints }) => {
        for (let row = 0; row < rows; row++) {
          found.push(Buffer.from(fingerprints.subarray(16 * row, 16 * row + 16)).toString("hex"));
        }
      },
    );
    return found;
  }

  test("gives a line with an error the SipHash of its bytes and LF, for every length and end", () => {
    for (const end of shareOf(["\n", "\r\n", "\r\r\n"], engine)) {
      const texts = Array.from({ length: 200 }, (_, length) => "\xe9".repeat(length));
      const expected = texts.map((text) => {
        const hashed = `${text}${end.replace(/\r?\n$/, "")}\n`;
        return Buffer.from(sipHash128(key, Buffer.from(hashed, "latin1"), 1, 3)).toString("hex");
      });
      expect(fingerprintsOf(texts.map((text) => text + end).join(""), true)).toEqual(expected);
    }
  });

  test("gives the last line without LF the fingerprint that it has with one", () => {
    const ended = fingerprintsOf("http://a/\nno url\n", true);
    expect(fingerprintsOf("http://a/\nno url", true)).toEqual(ended);
    expect(fingerprintsOf("http://a/\nno url\r", true)).not.toEqual(ended);
  });

  test("gives lines over the limit the fingerprint of their texts, however long they are", () => {
    for (const length of sampleOf([1000, 1001, 1002, 70_000, 1_000_000], 3)) {
      const text = `http://a b/${"x".repeat(length)}`;
      const expected = Buffer.from(sipHash128(key, Buffer.from(`${text}\n`), 1, 3)).toString("hex");
      expect(fingerprintsOf(`${text}\n${text}\r\n${text}`, true)).toEqual(
        new Array(3).fill(expected),
      );
    }
  });

  test("leaves URLs and the lines as they are", () => {
    const urls = hostileUrls(8, atLength(800, 3_000)).map((url) => url.replaceAll("\n", ""));
    const lines = Buffer.from(urls.map((url) => `${url}\n`).join(""), "latin1");
    const before = Buffer.from(lines);
    const { status } = normalizer.normalizeLines(lines);
    const [plain, texts] = [false, true].map((on) => fingerprintsOf(lines.toString("latin1"), on));
    for (const [row, code] of status.entries()) {
      if (code < 2) expect(texts?.[row]).toBe(plain?.[row]);
      else expect([plain?.[row], texts?.[row] === plain?.[row]]).toEqual(["0".repeat(32), false]);
    }
    expect(Buffer.compare(lines, before)).toBe(0);
    expect(status.some((code) => code > 1)).toBe(true);
  });
});
