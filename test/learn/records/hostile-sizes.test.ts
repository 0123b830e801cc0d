import { expect, test } from "vitest";
import { detectFormat, RecordReader } from "../../../src/learn/records/read-records.ts";
import { atLength } from "../../shared/length.ts";

// What is quadratic takes minutes, so it ends at the time limit of a test.

test("a TSV header of many columns is read once", () => {
  const names = Array.from({ length: atLength(50_000, 200_000) }, (_, column) => `c${column}`);
  const reader = new RecordReader("tsv");
  const text = `url\t${names.join("\t")}\nhttp://a/${"\t".repeat(names.length)}\n`;
  expect(reader.push(Buffer.from(text), true)).toEqual([{ url: "http://a/" }]);
});

test("an error of a header names the first of many columns", () => {
  const names = Array.from({ length: 100_000 }, (_, column) => `c${column}`);
  const reader = new RecordReader("tsv");
  let message = "";
  try {
    reader.push(Buffer.from(`${names.join("\t")}\n`), true);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toMatch(
    /^no column "url" in the TSV header; the columns are c0, c1, .*, c49\.\.\.$/,
  );
});

test.each(["[", "a [", '[] "', "[a"])(
  "many brackets are told from an access log at once: %s",
  (part) => {
    const line = `a ${part.repeat(200_000)}`;
    expect(detectFormat(line, "x.tsv")).toBe("tsv");
    expect(
      detectFormat(`${line} - - [01/Jan/2020:00:00:00 +0000] "GET / HTTP/1.1" 200 1`, "x"),
    ).toBe("access-log");
  },
);
