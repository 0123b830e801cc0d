import { archiveRecords } from "../../../src/formats/archives/archive.ts";
import { unlessRefused } from "../compare.ts";

/** Returns what an archive has, read in pieces of so many bytes. */
function contentsOf(data: Buffer, format: "warc" | "wat", size: number): string | null {
  const contents: unknown[] = [];
  return unlessRefused(() => {
    const records = archiveRecords(format, {
      url: (url) => contents.push(url),
      damaged: (record) => contents.push(record),
    });
    for (let at = 0; at < data.length; at += size) records.push(data.subarray(at, at + size));
    records.end();
    return JSON.stringify(contents);
  });
}

/** A byte that says how long the pieces are, and an archive: it is read in pieces as it is as a whole. */
export function fuzz(data: Buffer): void {
  const [first = 0] = data;
  const archive = data.subarray(1);
  for (const format of ["warc", "wat"] as const) {
    const [whole, cut] = [Math.max(1, archive.length), 1 + (first % 64)].map((size) =>
      contentsOf(archive, format, size),
    );
    if (whole !== cut) throw new Error(`${cut} is not ${whole}`);
  }
}
