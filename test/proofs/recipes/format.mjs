// The native format of Squid's access.log (wiki of Squid, Features/LogFormat): time, duration, client, code and status, bytes,
// method, URL, user, hierarchy and type, padded with spaces.
import { after, all, before } from "./edits.mjs";

export const HEADING = "Add a format";

/** What tells whether all was done: detection, readers on lines that are cut and hostile, and texts of documents. */
export const TESTS = ["test/formats", "test/learn/records", "test/docs/generated.test.ts"];

/** Two lines of that format. */
export const LINES = [
  "1286536308.779   1803 192.168.0.224 TCP_MISS/200 411 GET HTTP://example.com/a/../b - DIRECT/93.184.216.34 text/html",
  "1286536309.450      2 192.168.0.224 TCP_DENIED/403 3714 GET http://example.com/x - NONE/- text/html",
];

export const EDITS = {
  "src/formats/logs/squid.ts": () => `import { SPACE } from "../../url/chars.ts";
import { type Format, SPACED_ADDITION } from "../format.ts";
import { lineFormat } from "../line-format.ts";
import {
  BYTES,
  type Encoding,
  type FieldName,
  isBlank,
  Malformed,
  type Row,
  type RowReader,
} from "../row.ts";
import { Columns } from "../tables/columns.ts";

/** The fields that are used, by their number from 0 on. */
const PLACES: ReadonlyMap<string, number> = new Map([
  ["timestamp", 0],
  ["status", 3],
  ["length", 4],
  ["method", 5],
  ["url", 6],
]);
/** The number of fields up to the URL. */
const FIELDS = 7;

/** Reads Squid's access.log in its native format. */
export class SquidReader implements RowReader {
  readonly header = null;
  readonly #columns: Columns;

  constructor(fields: readonly FieldName[], encoding: Encoding) {
    const places = fields.map(({ name }) => PLACES.get(name) as number);
    this.#columns = new Columns(encoding, places, FIELDS);
  }

  read(line: string): Row | Malformed | null {
    if (isBlank(line)) return null;
    const count = this.#columns.splitRuns(line);
    return count === FIELDS ? this.#columns : new Malformed(\`\${count} fields where Squid's log has 10\`);
  }
}

/** Returns the format of Squid's access.log, which has one URL a line. */
export const squid: Format = lineFormat({
  open: () => new SquidReader([{ name: "url" }], BYTES),
  quote: (key) => key,
  addition: SPACED_ADDITION,
  layout: () => ({ kind: "fields", separator: SPACE, field: 6, widths: -1 << FIELDS, runs: true }),
});
`,
  "src/formats/catalog.ts": all(
    after(
      'import { crawlLog } from "./logs/crawl-log.ts";\n',
      'import { squid } from "./logs/squid.ts";\n',
    ),
    after('  | "crawl-log"\n', '  | "squid"\n'),
    before(
      "  cdxj: {\n",
      `  squid: {
    fields: "place",
    format: () => squid,
    record: "own",
    ends: [],
    isShown: (line) => /^\\d{9,10}\\.\\d{3} +\\d+ \\S+ [A-Z_]+\\/\\d{3} /.test(line),
    where: "the URL",
    notes: "Squid's access.log in its native format",
  },
`,
    ),
  ),
  "src/learn/records/squid.ts":
    () => `import { type FieldName, type Fields, Malformed } from "../../formats/row.ts";
import { captureOf, textsOf } from "./capture.ts";
import type { Reading } from "./record.ts";

const NAMES = ["url", "timestamp", "status", "length", "method"] as const;

/** Lists the fields of Squid's log that make a record. */
export const SQUID_FIELDS: readonly FieldName[] = NAMES.map((name) => ({ name }));

/** Reads a line of Squid's log as a record. Its status stands after a code, as in TCP_MISS/200. */
export function readSquid(row: Fields): Reading {
  const texts = textsOf(row, NAMES);
  if (texts instanceof Malformed) return texts;
  return captureOf({ ...texts, status: texts.status?.split("/")[1] });
}
`,
  "src/learn/records/format.ts": all(
    after(
      'import { CrawlLogReader } from "../../formats/logs/crawl-log.ts";\n',
      'import { SquidReader } from "../../formats/logs/squid.ts";\n',
    ),
    after(
      'import type { LineReader, Reading } from "./record.ts";\n',
      'import { readSquid, SQUID_FIELDS } from "./squid.ts";\n',
    ),
    before(
      "  wayback(field) {\n",
      "  squid: () => readBy(new SquidReader(SQUID_FIELDS, TEXT), readSquid),\n",
    ),
  ),
  "test/learn/records/samples.ts": before(
    '  "access-log": [\n',
    `  squid: [\n${LINES.map((line) => `    "${line}",\n`).join("")}    "",\n  ].join("\\n"),\n`,
  ),
  "test/formats/hostile-cases.ts": before(
    "};\n\n/** A list of records whose URL is in a field. */",
    `  squid: {
    parts: [...texts.filter((text) => text !== "\\0"), " ", "  ", "1.779 18 ::1 A/200 4 GET http://a/ - B/- c"],
    model: (line) => {
      const fields = line.split(" ").filter((field) => field !== "");
      return fields.length >= 7 ? inList(fields, 6) : null;
    },
    shapes: [" ", "a ", "a  b\\n", "\\n", "1 2 3 4 5 6 7\\n"],
  },
`,
  ),
};
