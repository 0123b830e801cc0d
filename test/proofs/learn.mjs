// Learns rules from ten million records: the bundled sites again and again, under other host names.
// `npm run proof learn`
//
//   -- --records N     records of the list (10,000,000)
//   -- --shape NAME    one made-up site of this shape instead: forum, wiki, shop, trap, docs, or all, one after the other
//   -- --changed N     of a made-up site, URLs of 1,000 whose page changed before it was fetched (0)
//   -- --threads N     threads, for example 1,2 for two runs of each list (as many as the machine has)
//   -- --urls          without fingerprints
//   -- --folder PATH   for about 1 GB (a new one in the system's temporary folder)
//   -- FILE.tsv.gz…    sites instead of the bundled ones: columns url, and cluster or raw, perhaps size
import { createHash } from "node:crypto";
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { linesOf, SHAPE_NAMES } from "./learn-shapes.mjs";
import { time } from "./time.mjs";

const FIXTURES = "test/fixtures/learn";
const SMALL = 45_000;

const { values, positionals } = parseArgs({
  options: {
    records: { type: "string", default: "10000000" },
    shape: { type: "string" },
    changed: { type: "string", default: "0" },
    threads: { type: "string" },
    urls: { type: "boolean", default: false },
    folder: { type: "string" },
  },
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

/** The bundled sites again and again, under other host names. */
function* copies(count) {
  for (let written = 0, copy = 0; written < count; copy++) {
    const some = records.slice(0, count - written);
    written += some.length;
    for (const [scheme, rest, known] of some) yield `${scheme}c${copy}.${rest}\t${known}\n`;
  }
}

async function writeList(file, lines) {
  const out = createWriteStream(file);
  let waiting = values.urls ? "url\n" : "url\tfp\tsize\n";
  for (const line of lines) {
    waiting += values.urls ? `${line.slice(0, line.indexOf("\t"))}\n` : line;
    if (waiting.length < 1 << 18) continue;
    if (!out.write(waiting)) await new Promise((resolve) => out.once("drain", resolve));
    waiting = "";
  }
  out.end(waiting);
  await finished(out);
}

const folder = mkdtempSync(join(values.folder ?? tmpdir(), "urlmill-learn-"));
try {
  console.log(`Node ${process.version}, ${records.length} records of ${files.length} sites`);
  const shapes = values.shape === "all" ? SHAPE_NAMES : [values.shape];
  const runs = shapes.flatMap((shape) =>
    [SMALL, Number(values.records)].map((count) => ({ shape, count })),
  );
  for (const { shape, count } of runs) {
    const list = join(folder, "list.tsv");
    await writeList(
      list,
      shape === undefined ? copies(count) : linesOf(shape, count, Number(values.changed)),
    );
    const rules = join(folder, "rules.tsv");
    const written = new Set();
    for (const threads of values.threads?.split(",") ?? [undefined]) {
      const args = ["dist/cli/main.js", "learn", list, "-o", rules];
      if (threads !== undefined) args.push("--threads", threads);
      const { seconds, cpuSeconds, peak, complaint } = await time(process.execPath, args);
      const on = threads === undefined ? "" : ` on ${threads} threads`;
      console.log(
        `${shape ?? "many sites"}, ${count} records${on}: ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of the processor, ${Math.round(peak)} MB: ${complaint.trim()}`,
      );
      written.add(createHash("sha256").update(readFileSync(rules)).digest("hex"));
    }
    if (written.size > 1) throw new Error("the rules depend on the number of threads");
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
