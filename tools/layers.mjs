// The rooms of src/ and assembly/, from the ground up. test/package/layers.test.ts holds imports to them, and
// `npm run docs` draws them in ARCHITECTURE.md.
import { replacePart } from "./replace-part.mjs";

/**
 * A room may import from itself and from the rooms of earlier lines. Rooms of one line do not import each other. A room
 * is a folder with all that is in it, or a file at the root.
 */
export const LAYERS = {
  src: [
    [["base"], "errors, statuses, bytes, hashes, built-in lists"],
    [["url"], "the grammar: RFC 3986, URL Standard, UTS #46"],
    [["site-rules"], "rules and aliases of sites: their texts, how they apply"],
    [["options"], "names, values, presets, checks; their compiled form"],
    [["plan"], "compiled options as bytes: layout, encode, decode, check"],
    [["engine"], "the contract of engines; js, wasm, explain"],
    [["compile"], "compiles options to a plan"],
    [["fingerprints"], "tables of fingerprints in memory"],
    [["normalizer"], "the public class, its batches and calls, SURT; dedupe"],
    [
      ["platform"],
      "how the kernel and the JavaScript engine come in: node, browser, embedded, worker",
    ],
    [["normalizers.ts"], "makes normalizers: hands a platform's parts in"],
    [["index.ts", "js.ts"], "createNormalizer, and functions for one call"],
    [
      ["threads", "formats", "arrow"],
      "slots, workers, order; records and their fields; Arrow vectors",
    ],
    [
      ["io", "exchange"],
      "files, pipes, compression, terminals; rules in the forms of other programs",
    ],
    [["pool", "learn", "parquet"], "batches on threads; rules from lists; Parquet files"],
    [["seen"], "sets: memory, journal, disk, LMDB, Redis"],
    [["crawlee"], "keys for Crawlee"],
    [["runs"], "normalize and dedupe: chunked, direct, parquet; their keys and report"],
    [["cli"], "flags, help, completion, one file a command"],
  ],
  assembly: [
    [
      ["memory.ts", "status.ts", "catalog.generated.ts"],
      "regions of memory; statuses; numbers of options and steps",
    ],
    [["lanes.ts"], "what kernel-scalar.wasm has in the place of SIMD"],
    [["reasons.ts"], "which steps changed a row"],
    [["results.ts"], "where rows begin, their statuses"],
    [["url"], "the grammar"],
    [["plan.ts"], "the plan, read in place"],
    [["tables.ts"], "look-ups in the plan"],
    [["options"], "what options change"],
    [["scan"], "the fast path"],
    [["site-rules"], "rules for sites, to their fixpoint"],
    [["urlkey"], "keys of web archives"],
    [["check-plan.ts"], "refuses a damaged plan"],
    [["load.ts", "row.ts"], "a new plan; one row"],
    [["batch.ts"], "lines and columns, row by row"],
    [["set"], "fingerprints, seen, copied rows, SURT forms"],
    [["records"], "a module of its own: rows and URLs of JSON lines, CSV, TSV, CDX"],
    [["pages"], "a module of its own: Snappy and values of Parquet pages"],
    [["sort"], "a module of its own: sorts and merges lines of CDX"],
    [["lists"], "a module of its own: hosts of URLs in lists"],
    [["disk"], "a module of its own: sorted keys of sets on disk"],
    [["index.ts"], "what a host calls"],
  ],
  "src/seen": [
    [
      ["contract", "folder"],
      "what each store is held to: identity, request, reader; a set's folder: names, files, lock",
    ],
    [["keys", "pending"], "files of keys; keys of runs that are not in their set yet"],
    [["journal", "lmdb", "redis"], "stores: in memory, with a journal or without; LMDB; Redis"],
    [["disk"], "the store on disk, on the journal's blocks"],
    [["set", "stored"], "the class SeenSet; sets of any kind: recognize, open, convert, merge"],
    [["index.ts", "lmdb.ts", "redis.ts"], "entries of the package: exports alone"],
  ],
  "src/seen/disk": [
    [["kernel"], "the kernel and its memory"],
    [["pending.ts"], "keys and rows that are not in the partitions yet"],
    [["files"], "manifest, logs, partitions"],
    [["merge-partition.ts", "parts.ts"], "a new file of a partition; what a store is made of"],
    [["lookups.ts", "partition-reader.ts"], "keys in partitions: some, or all"],
    [["disk-reader.ts", "merge-all.ts"], "reads a set; merges all partitions"],
    [["disk-store.ts"], "the store"],
    [["open-disk.ts"], "opens or begins a set"],
    [["disk.ts"], "options of the store"],
  ],
};

/** Returns ARCHITECTURE.md with the layers as they are now, the highest first. */
export function withLayers(document) {
  const drawn = Object.entries(LAYERS).map(([folder, layers]) => {
    const names = layers.map(([rooms]) => rooms.join("  ").replaceAll(".ts", ""));
    const width = Math.max(...names.map(({ length }) => length)) + 2;
    const lines = layers.map(([, holds], at) => `    ${names[at].padEnd(width)}${holds}\n`);
    return `    ${folder}/\n\n${lines.toReversed().join("")}\n`;
  });
  return replacePart(document, "layers", `${drawn.join("").trimEnd()}\n`);
}
