// Learns rules from ten million records: the bundled sites again and again, under other host names.
// `npm run proof:learn`
//
//   -- --records N     records of the list (10,000,000)
//   -- --folder PATH   for about 1 GB (a new one in the system's temporary folder)
//   -- FILE.tsv.gz…    sites instead of the bundled ones: columns url, and cluster or raw, perhaps size
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { time } from "./time.mjs";

const FIXTURES = "test/fixtures/learn";
const SMALL = 45_000;

const { values, positionals } = parseArgs({
  options: { records: { type: "string", default: "10000000" }, folder: { type: "string" } },
  allowPositionals: true,
});
const files =
  positionals.length > 0 ? positionals : readdirSync(FIXTURES).map((name) => join(FIXTURES, name));

/** Records of a file: what stands before and after its host, fingerprint, size. */
function readRecords(file) {
  const bytes = readFileSync(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("latin1");
  const [header, ...lines] = text.trimEnd().split("\n");
  const columns = header.split("\t");
  const kind = columns.includes("cluster") ? "cls" : "raw";
  const at = {
    fp: columns.indexOf(kind === "cls" ? "cluster" : "raw"),
    size: columns.indexOf("size"),
  };
  return lines.flatMap((line) => {
    const fields = line.split("\t");
    const url = /^(https?:\/\/)(.*)$/.exec(fields[0]);
    if (url === null) return [];
    const fp = fields[at.fp] ? `${kind}:${fields[at.fp]}` : "";
    return [[url[1], url[2], `${fp}\t${fields[at.size] ?? ""}`]];
  });
}

const records = files.flatMap(readRecords);

async function writeList(file, count) {
  const out = createWriteStream(file);
  out.write("url\tfp\tsize\n");
  for (let written = 0, copy = 0; written < count; copy++) {
    const some = records.slice(0, count - written);
    const text = some
      .map(([scheme, rest, known]) => `${scheme}c${copy}.${rest}\t${known}\n`)
      .join("");
    written += some.length;
    if (!out.write(text)) await new Promise((resolve) => out.once("drain", resolve));
  }
  out.end();
  await finished(out);
}

const folder = mkdtempSync(join(values.folder ?? tmpdir(), "urlmill-learn-"));
try {
  console.log(`Node ${process.version}, ${records.length} records of ${files.length} sites`);
  for (const count of [SMALL, Number(values.records)]) {
    const list = join(folder, "list.tsv");
    await writeList(list, count);
    const rules = join(folder, "rules.tsv");
    const args = ["dist/cli/main.js", "learn", list, "-o", rules];
    const { seconds, peak, complaint } = await time(process.execPath, args);
    console.log(
      `${count} records: ${seconds.toFixed(1)} s, ${Math.round(peak)} MB: ${complaint.trim()}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
