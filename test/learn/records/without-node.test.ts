import { afterEach, expect, test, vi } from "vitest";
import { RECORD_FORMATS } from "../../../src/learn/records/format.ts";
import { RecordReader } from "../../../src/learn/records/read-records.ts";
import { readChunks } from "./read.ts";
import { SAMPLES } from "./samples.ts";

const OPTIONS = { "access-log": { base: "http://a" } } as Record<string, { base: string }>;

afterEach(() => vi.unstubAllGlobals());

test.each(RECORD_FORMATS)("%s is read as in Node where there is no Buffer", (format) => {
  const bytes = Uint8Array.from(Buffer.from(SAMPLES[format]));
  const expected = readChunks(format, [bytes], OPTIONS[format]);
  expect(expected.records.length).toBeGreaterThan(0);
  vi.stubGlobal("Buffer", undefined);
  const reader = new RecordReader(format, OPTIONS[format]);
  const middle = bytes.length >> 1;
  const records = [
    ...reader.push(bytes.subarray(0, middle), false),
    ...reader.push(bytes.subarray(middle), true),
  ];
  const { errors, failed, lines } = reader;
  vi.unstubAllGlobals();
  expect({ records, errors, failed, lines }).toEqual(expected);
});
