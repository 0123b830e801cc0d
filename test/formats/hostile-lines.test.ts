import { describe, expect, test } from "vitest";
import { type FormatName, formatOf, urlField } from "../../src/formats/index.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { CASES, hostileList } from "./hostile-cases.ts";
import { cutAtRandom, START } from "./whole.ts";

describe.each(Object.entries(CASES))(
  "hostile %s",
  (name, { field, parts, good, model, shapes }) => {
    const random = new Random(1913);
    const format = formatOf(name as FormatName, urlField(name, { field }));
    const list = () => hostileList({ parts, good }, random);
    const read = (text: string) => {
      const records = format.read(text, START);
      expect(records.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
      return records;
    };

    test("is read as a plain reader reads it, and only the URL is written again", () => {
      let found = 0;
      for (let round = 0; round < atLength(150, 6_000, 20_000); round++) {
        const text = list();
        for (const { kind, url, start, end, from, to } of read(text)) {
          if (kind === "header") continue;
          const content = text.slice(start, end).replace(/\r?\n$/, "");
          const expected = model(content);
          expect(kind === "url" ? url : null).toBe(expected?.url ?? null);
          if (expected === null) continue;
          found++;
          const key = "http://k/%22?x=1";
          const written = text.slice(start, from) + format.quote(key) + text.slice(to, end);
          expect(model(written.replace(/\r?\n$/, ""))).toEqual({ url: key, rest: expected.rest });
        }
      }
      expect(found).toBeGreaterThan(atLength(50, 80));
    });

    test("is read alike in pieces that are cut at any byte", () => {
      for (let round = 0; round < atLength(75, 1_500, 4_000); round++) {
        const text = list();
        const urls = (records: ReturnType<typeof read>) =>
          records.map(({ kind, url }) => [kind, url]);
        const pieces = cutAtRandom(format, text, random);
        expect(pieces.join("")).toBe(text);
        expect(pieces.flatMap((piece) => urls(read(piece)))).toEqual(urls(read(text)));
      }
    });

    test.each(sampleOf(shapes, 3))("takes time by its length: many %j", (shape) => {
      const text = `${shape.repeat(atLength(200_000, 1_000_000) / shape.length)}\n`;
      expect(read(text).at(-1)?.end).toBe(text.length);
      expect(format.boundary()(Buffer.from(text), 0)).toBe(text.length);
    });
  },
);
