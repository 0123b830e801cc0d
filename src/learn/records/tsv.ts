import { UrlmillError } from "../../errors.ts";
import { FP_NAMES, type FpSource, fingerprint, namedFingerprint } from "./fingerprint.ts";
import { type Draft, type FpKind, type LineReader, Malformed, type Reading } from "./record.ts";
import { isAbsent, isHttpStatus, listNames, noNumber, noStatus, wholeNumber } from "./values.ts";

const TAB = "\t";

type Role = "url" | "fp" | "size" | "status" | "redirect" | "canonical" | "ts" | "n" | "kind" | "";
const ROLES: readonly Role[] = ["url", "fp", "size", "status", "redirect", "canonical", "ts", "n"];

interface Column {
  readonly role: Role;
  /** Names the kind of a column of fingerprints. */
  readonly kind: FpKind;
  /** Among such columns, the lowest that has a value wins. */
  readonly rank: number;
}

/**
 * Returns a reader for TSV: a header line that names the columns, then rows with as many fields,
 * nothing quoted. The names are those of `LearnRecord`. If neither `fp` nor the option names a
 * fingerprint, it is the strongest of `FP_NAMES` that has a value in the row. Other columns are
 * ignored; "" and "-" are not values. The reader throws `BAD_OPTION` for a header without a column
 * it needs.
 */
export function tsvReader(source?: FpSource): LineReader {
  let columns: readonly Column[] | undefined;
  return (line) => {
    if (line === "") return null;
    if (columns === undefined) {
      columns = readHeader(line.split(TAB), source);
      return null;
    }
    return readRow(line, columns);
  };
}

function readHeader(names: readonly string[], source: FpSource | undefined): Column[] {
  const found = `the columns are ${listNames(names)}`;
  for (const needed of source === undefined ? ["url"] : ["url", source.name]) {
    if (!names.includes(needed)) {
      throw new UrlmillError("BAD_OPTION", `no column "${needed}" in the TSV header; ${found}`);
    }
  }
  const hasFp = names.includes("fp");
  const columns = names.map((name): Column => {
    if (source !== undefined && name === source.name && name !== "url") {
      return { role: "kind", kind: source.kind, rank: 0 };
    }
    const role = ROLES.find((known) => known === name) ?? "";
    if (role === "fp" && source !== undefined) return { role: "", kind: "cls", rank: 0 };
    if (role !== "" || hasFp || source !== undefined) return { role, kind: "cls", rank: 0 };
    const rank = FP_NAMES.findIndex((known) => known.name === name);
    const kind = FP_NAMES[rank]?.kind;
    return kind === undefined ? { role: "", kind: "cls", rank } : { role: "kind", kind, rank };
  });
  const twice = secondOf(names.filter((_, index) => columns[index]?.role !== ""));
  if (twice !== undefined) {
    throw new UrlmillError("BAD_OPTION", `two columns "${twice}" in the TSV header; ${found}`);
  }
  return columns;
}

/** The first name that stands among the names before it. */
function secondOf(names: readonly string[]): string | undefined {
  const known = new Set<string>();
  return names.find((name) => {
    const isKnown = known.has(name);
    known.add(name);
    return isKnown;
  });
}

function readRow(line: string, columns: readonly Column[]): Reading {
  const record: Draft = { url: "" };
  let best: Column | undefined;
  let bestFrom = 0;
  let bestTo = 0;
  let number = 0;
  for (let from = 0; ; number++) {
    const column = columns[number];
    const tab = line.indexOf(TAB, from);
    const to = tab < 0 ? line.length : tab;
    if (column !== undefined && column.role !== "" && to > from) {
      if (column.role !== "kind") {
        const failure = readField(record, column.role, line.slice(from, to));
        if (failure !== null) return failure;
      } else if (best === undefined || column.rank < best.rank) {
        if (to - from > 1 || line[from] !== "-") {
          best = column;
          bestFrom = from;
          bestTo = to;
        }
      }
    }
    if (tab < 0) break;
    from = tab + 1;
  }
  if (number + 1 !== columns.length) {
    return new Malformed(`${number + 1} fields where the header has ${columns.length}`);
  }
  if (best !== undefined) {
    const fp = fingerprint(best.kind, line.slice(bestFrom, bestTo));
    if (fp !== undefined) record.fp = fp;
  }
  return record.url === "" ? new Malformed("the url is empty") : record;
}

/** Puts a field that is not empty into the record. */
function readField(record: Draft, role: Role, text: string): Malformed | null {
  if (role === "url") {
    record.url = text;
    return null;
  }
  if (isAbsent(text)) return null;
  switch (role) {
    case "size":
    case "n": {
      const value = wholeNumber(text);
      if (value < 0) return noNumber(role, text);
      if (role === "n" && value === 0) return new Malformed("n is 0");
      record[role] = value;
      return null;
    }
    case "status":
      record.status = wholeNumber(text);
      return isHttpStatus(record.status) ? null : noStatus(text);
    case "fp": {
      const fp = namedFingerprint(text);
      if (fp !== undefined) record.fp = fp;
      return null;
    }
    case "redirect":
    case "canonical":
    case "ts":
      record[role] = text;
  }
  return null;
}
