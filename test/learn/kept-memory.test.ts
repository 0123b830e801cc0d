import { expect, test } from "vitest";
import { SiteCollector } from "../../src/learn/collect/collector.ts";
import { RecordReader } from "../../src/learn/records/read-records.ts";
import { collectGarbage } from "../shared/collect-garbage.ts";
import { atLength } from "../shared/length.ts";

const CHUNKS = atLength(40, 160);
const CHUNK_BYTES = 1 << 18;

test("a collector keeps the new URLs of a long list, and not the text around them", async () => {
  const known = `http://a.org/a/page/${"that/was/seen/before/".repeat(40)}\traw:${"0".repeat(40)}\n`;
  const collector = new SiteCollector();
  const reader = new RecordReader("tsv");
  collector.add(reader.push(Buffer.from("url\tfp\n"), false));
  await collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    const added = `http://a.org/a/page/that/is/new/${chunk}\traw:${String(chunk).padStart(40, "0")}\n`;
    const bytes = Buffer.from(added + known.repeat(Math.floor(CHUNK_BYTES / known.length)));
    const [first] = reader.push(bytes, false);
    if (first !== undefined) collector.add([first]);
  }
  await collectGarbage();
  const kept = process.memoryUsage().heapUsed - before;
  expect(collector.sizes()).toEqual([CHUNKS]);
  // The texts of all chunks are 10 MiB or more.
  expect(kept).toBeLessThan((CHUNKS * CHUNK_BYTES) / 4);
});
