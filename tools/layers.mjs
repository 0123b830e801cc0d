// The rooms of src/ and assembly/, and of folders below src/, from the ground up. test/package/layers.test.ts holds
// imports to them, and `npm run docs` draws them in ARCHITECTURE.md and in the README of each folder.
import { replacePart } from "./replace-part.mjs";

/**
 * A room may import from itself and from the rooms of earlier lines. Rooms of one line do not import each other. A room
 * is a folder with all that is in it, or a file of the folder that the key names.
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
    [["urlkey", "template.ts"], "keys of web archives; templates of pages, and hosts"],
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
  "src/base": [
    [["lists"], "names of trackers, session ids and index files; second-level domains"],
    [["byte-order-mark.ts", "copy-bytes.ts", "sha256.ts", "siphash.ts"], "bytes and their hashes"],
    [["counted.ts", "nearest.ts", "shell-word.ts", "tallies.ts"], "counts, and words of messages"],
    [
      ["handled.ts", "wakeup.ts", "when-aborted.ts"],
      "promises: their errors, waiting again and again, leaving when a signal aborts",
    ],
    [["gather.ts"], "batches of what trickles in"],
    [["status.ts"], "outcomes of URLs"],
    [["errors.ts"], "errors of calls"],
    [["peer.ts"], "modules of Node and packages of the user, found when they are needed"],
  ],
  "src/url": [
    [["bytes.ts", "codes.ts", "failure.ts"], "byte strings; character codes; why a row fails"],
    [["chars.ts"], "the bytes that each component may have"],
    [
      ["component.ts", "normal-text.ts", "scheme.ts"],
      "text of components; schemes and their ports",
    ],
    [["idna"], "UTS #46: names of hosts in Unicode, and its table"],
    [["base.ts"], "the parts of a base URL"],
    [["host", "path"], "authorities, names and addresses; paths and their dot-segments"],
    [
      ["hierarchy.ts", "parts.ts", "written.ts"],
      "where parts end; parts that rules change; one part alone",
    ],
    [["urlkey", "template.ts"], "keys of web archives; templates of pages, and hosts"],
    [["file.ts"], "URLs of files"],
    [["url.ts"], "the normal form of a URL or reference"],
  ],
  "src/site-rules": [
    [["rule.ts"], "what a rule has: site, condition, action, evidence"],
    [
      ["by-site.ts", "data-lines.ts", "level-named.ts", "of-lists.ts"],
      "rules by site; lines of files; levels of evidence; rules that need a newer plan",
    ],
    [["language", "apply"], "rules as lines and as JSON; what rules make of a URL"],
    [
      ["aliases", "skip-filter.ts"],
      "aliases of pages: their files, numbers, other parameters; URLs that a crawl need not fetch",
    ],
    [["index.ts"], "what the entry points export"],
  ],
  "src/plan": [
    [
      ["layout.ts", "rule-layout.ts", "profile-id.ts"],
      "the words of a plan, and of its rules; a name for what results depend on",
    ],
    [["form.ts", "rule-masks.ts"], "what rows become; bits that tell which rules to skip"],
    [["check.ts"], "refuses a damaged plan"],
    [["encode", "decode"], "options to bytes; bytes to what the JavaScript engine reads"],
  ],
  "src/engine": [
    [
      ["engine.ts", "strings.ts", "reasons.ts", "cut-column.ts"],
      "the contract; strings in memory; which steps changed a row; runs of a column",
    ],
    [["byte-builder.ts", "too-long-line.ts"], "bytes that grow; a line that no engine reads"],
    [["js", "wasm"], "the engine in JavaScript; the host of the kernel"],
    [["explain"], "what each step makes of one URL"],
    [["select.ts"], "takes the engine that is asked for"],
  ],
  "src/exchange": [
    [
      ["inexpressible-rule.ts", "java-regex.ts", "nutch-xml.ts", "session-rules.ts"],
      "what cannot be said elsewhere; patterns of Java; files of Nutch; rules for session ids",
    ],
    [["lists"], "lists of trackers, and rules of pywb"],
    [
      ["clean-param.ts", "no-vary-search.ts", "nutch-export.ts", "nutch-import.ts"],
      "Clean-param of robots.txt; the header No-Vary-Search; Nutch",
    ],
    [["index.ts"], "what urlmill/learn exports"],
  ],
  "src/formats": [
    [["scan"], "the scanner: how rows are written, and the module that finds them"],
    [["excerpt.ts", "row.ts"], "texts for messages; fields of a line"],
    [["format.ts"], "the contract: where records end, what they hold, how keys are added"],
    [["line-format.ts", "records.ts"], "formats of lines; records, by scanner or by format"],
    [["json", "tables", "xml"], "JSON lines; CSV, TSV, TabSeparated; sitemaps"],
    [
      ["archives", "logs", "head"],
      "CDX, CDXJ, WARC, WAT; logs of servers and crawlers; the first records",
    ],
    [["lines.ts"], "one URL a line"],
    [["catalog.ts"], "every format, with what help and detection say of it"],
    [["detect-format.ts", "url-field.ts"], "the format of a list; where its URLs are"],
    [["index.ts"], "a format by its name"],
  ],
  "src/io": [
    [["destination.ts", "install-command.ts"], "where links lead; how a package is installed"],
    [["io-error.ts"], "errors, and names in messages"],
    [["gaps.ts"], "what damage leaves out of an input"],
    [
      ["standard.ts", "source.ts"],
      "standard streams; what a source is, and one without its byte order mark",
    ],
    [["text"], "lines and hidden characters"],
    [["compression", "say.ts"], "gzip and zstd, refusal of other formats; sentences for people"],
    [["sink.ts"], "opens and checks what an output writes to"],
    [["output.ts"], "writes whole lines, and says why it cannot"],
    [["files"], "files that are read twice, replaced, appended to, locked, temporary"],
    [["open-source.ts"], "opens a file or standard input"],
    [["input-peek.ts"], "the beginning of inputs, before their run"],
    [["sources"], "archives, doubtful quotes, copies of pipes, whole inputs"],
    [["chunk-reader.ts"], "cuts an input into chunks of whole records"],
  ],
  "src/parquet": [
    [
      ["memory", "peers.ts", "raw-footer.ts"],
      "memory of pages; the packages used; the footer as structs",
    ],
    [
      ["codecs.ts", "leaf.ts", "plain-values.ts"],
      "compression; columns with values, and their chunks; values as bytes",
    ],
    [
      ["bounds.ts", "comparable.ts", "entries.ts", "page-runs.ts"],
      "least and greatest values; order; nulls and lists; checks of pages",
    ],
    [["footer-check.ts", "stored-pages.ts"], "refuses a damaged footer; pages as stored"],
    [["input-file.ts", "pages.ts"], "reads a file; decodes its pages"],
    [["write"], "writes files: copied, chosen and new columns"],
    [["text-reader.ts"], "the texts of a column"],
  ],
  "src/pool": [
    [
      ["batch-memory.ts", "batch-task.ts", "leaving.ts", "whole-lines.ts"],
      "memory and chunks of a part; consumers that leave; whole lines",
    ],
    [["sent-task.ts"], "tasks as messages carry them"],
    [["tasks.ts", "line-stream.ts"], "what a worker is asked; lines of a stream"],
    [["worker.ts"], "runs on each thread"],
    [["shared-batches.ts"], "one part of a batch on all threads"],
    [["chunk-runs.ts"], "a stream, chunk by chunk, in order"],
    [["batch-inputs.ts", "worth-threads.ts"], "batches cut into parts; when threads are faster"],
    [["parallel-batches.ts"], "batches, part by part"],
    [["pool.ts"], "the public class"],
    [["index.ts"], "createPool"],
  ],
  "src/learn": [
    [["hashes"], "hashes of texts, and tables of them"],
    [["text"], "what a page shows and declares; its fingerprints"],
    [["records"], "records of lists, in each format"],
    [["site"], "URLs of a site, what is known of their pages, what pages state"],
    [["collect"], "makes sites of records"],
    [["count"], "what a rule merges, right and wrong; files of evidence"],
    [["thresholds"], "what evidence must reach; the pages that rules may lose"],
    [["learned-site.ts"], "what is learned of one site"],
    [["mine", "fetched", "rule-audit.ts"], "candidates; pairs to fetch; what a list costs"],
    [["aliases"], "what pages say that can be trusted; what rules leave apart"],
    [["skips.ts"], "which URLs a crawl need not fetch"],
    [["select"], "the rules of a site, in their order, with exceptions"],
    [["rule-change.ts"], "what newer rules merge and older ones do not"],
    [["learn.ts"], "sites from end to end, on the calling thread"],
    [["threads"], "sites on threads"],
    [["learn-records.ts"], "learn, in one call"],
    [["index.ts"], "what a program calls"],
  ],
  "src/runs": [
    [["base"], "failures, marks of rows, lists of errors, signals"],
    [["filter", "grid"], "block and allow lists; ranges of files"],
    [["call"], "options of a run and their flags; the job of its threads; the tally"],
    [["rows"], "normalizes the rows of a chunk, and writes them"],
    [["keys", "report"], "answers for the keys of rows; the report page"],
    [["frame"], "prepares and carries out any run: memory, progress, commit, summary"],
    [
      ["direct", "stream", "cdx"],
      "ways to run: from files to files, any input to any output, CDX lines",
    ],
    [["mode.ts", "twice"], "the choice between direct and stream; inputs read twice"],
    [["parquet"], "Parquet files"],
    [["worker.ts", "run.ts"], "what threads run; the choice of the run"],
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
    [["disk.ts", "successor.ts"], "options of the store; a set that takes the place of another"],
  ],
  "src/cli": [
    [["until-interrupted.ts"], "signals"],
    [["print.ts", "read-text.ts"], "standard output; texts of files"],
    [
      ["keep-options.ts", "options-of-set.ts"],
      "which records stay; the options that a set was made with",
    ],
    [["flags", "guess"], "commands, flags, help, completion; what a call leaves open"],
    [
      ["specification.ts", "error-codes.ts"],
      "what the specification says on a step; what codes of errors mean",
    ],
    [["compare", "hosts", "learn"], "why two URLs have two keys; urlmill hosts, urlmill learn"],
    [["normalizer-options.ts", "lists"], "options from flags and files; urlmill lists"],
    [
      ["options.ts", "explain.ts", "plan.ts", "cdx"],
      "options of a run; urlmill explain, urlmill plan, urlmill cdx",
    ],
    [["handlers.ts"], "what runs of normalize and dedupe load"],
    [["seen"], "urlmill seen"],
    [["run-command.ts"], "finds the command, and suggests one"],
    [["command-line.ts"], "runs one command line, and returns its exit code; faults of our own"],
    [["main.ts"], "the program"],
  ],
};

/** The folders that ARCHITECTURE.md draws. */
const IN_ARCHITECTURE = ["src", "assembly"];

/** The documents that draw layers, with the folders of each. */
export const LAYER_DOCUMENTS = {
  "ARCHITECTURE.md": IN_ARCHITECTURE,
  ...Object.fromEntries(
    Object.keys(LAYERS)
      .filter((folder) => !IN_ARCHITECTURE.includes(folder))
      .map((folder) => [`${folder}/README.md`, [folder]]),
  ),
};

/** Returns a document with the layers of folders as they are now, the highest first. */
export function withLayers(document, folders) {
  const drawn = folders.map((folder) => {
    const layers = LAYERS[folder];
    const names = layers.map(([rooms]) => rooms.join("  ").replaceAll(".ts", ""));
    const width = Math.max(...names.map(({ length }) => length)) + 2;
    const lines = layers.map(([, holds], at) => `    ${names[at].padEnd(width)}${holds}\n`);
    return `    ${folder}/\n\n${lines.toReversed().join("")}\n`;
  });
  return replacePart(document, "layers", `${drawn.join("").trimEnd()}\n`);
}
