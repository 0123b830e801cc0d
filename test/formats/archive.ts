import { type ArchiveFormat, archiveRecords } from "../../src/formats/archives/archive.ts";

/** What is read of an archive in pieces: its URLs as byte strings, and its damage, "number: reason". */
export function readArchive(format: ArchiveFormat, pieces: readonly (Uint8Array | string)[]) {
  const urls: string[] = [];
  const damage: string[] = [];
  const records = archiveRecords(format, {
    url: (url) => urls.push(url),
    damaged: ({ number, reason }) => damage.push(`${number}: ${reason}`),
  });
  for (const piece of pieces) {
    const bytes = typeof piece === "string" ? Buffer.from(piece, "latin1") : Uint8Array.from(piece);
    records.push(bytes);
    bytes.fill(0x21); // its memory may be used again
  }
  records.end();
  return { urls, damage, records: records.records };
}
