// Prints the processor time that opening a journal takes. Its argument is the number of URLs.
import { randomFillSync } from "node:crypto";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { SeenSet } from "urlmill/seen";

const urls = Number(process.argv[2] ?? 100_000_000);
const WIDTH = 16;
const ROWS = 1 << 16;
const folder = mkdtempSync(join(tmpdir(), "urlmill-open-"));

/** Returns the header of a block, as `src/seen/journal/block.ts` has it. */
function header(number, rows) {
  const bytes = Buffer.alloc(32);
  bytes.write("UBLK", "latin1");
  bytes.writeUInt32LE(1, 4);
  bytes.writeUInt32LE(number, 8);
  bytes.writeUInt32LE(rows.length, 12);
  bytes.writeUInt32LE(crc32(rows), 16);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 28)), 28);
  return bytes;
}

try {
  // Random fingerprints, because making them of URLs takes longer than what is measured.
  await (await SeenSet.open(folder)).close();
  const file = openSync(join(folder, "journal-1"), "w");
  const block = Buffer.alloc(ROWS * WIDTH);
  for (let row = 0; row < urls; row += ROWS) {
    const rows = block.subarray(0, Math.min(ROWS, urls - row) * WIDTH);
    randomFillSync(rows);
    writeSync(file, header(row / ROWS, rows));
    writeSync(file, rows);
  }
  closeSync(file);
  const before = process.cpuUsage();
  const set = await SeenSet.open(folder);
  const { user, system } = process.cpuUsage(before);
  const seconds = (microseconds) => (microseconds / 1e6).toFixed(1);
  console.log(
    `${await set.size()} URLs: ${seconds(user)} seconds of user time, ${seconds(system)} of the system`,
  );
  await set.close();
} finally {
  rmSync(folder, { recursive: true });
}
