import { constants } from "node:buffer";
import { say } from "../../io/say.ts";
import { readAll } from "../../io/sources/read-all.ts";
import type { Normalizer } from "../../normalizer/normalizer.ts";
import type { Skips } from "../../site-rules/skip-filter.ts";
import { LF } from "../../url/codes.ts";
import { CommandFailure } from "../base/failure.ts";
import { fileTypeOf, readEntry } from "./entry.ts";
import { ALLOW, PREFIXES } from "./host-bits.ts";
import { HostTableBuilder, LONGEST_HOST } from "./host-table.ts";
import { ListBuilder, type Place, type PlacedEntry, wrongLine } from "./list-builder.ts";
import { plainUrl } from "./plain-url.ts";
import { packPrefixes } from "./prefixes.ts";
import type { FilterMemory } from "./url-filter.ts";

/** The most entries that are normalized together. */
const BATCH = 1 << 14;

export interface ListFiles {
  readonly block: readonly string[];
  readonly allow: readonly string[];
  /** The URLs that lines of the rules leave out. */
  readonly skips?: Skips;
  /** Whether nothing is said about entries that may mean something else. */
  readonly quiet?: boolean | undefined;
}

/**
 * Reads the lists of `--block` and `--allow`. There is at least one, unless rules leave out URLs. Throws a CommandFailure that
 * names the first line that is wrong. `normalizer`: that of the run, whose options may move hosts.
 */
export async function readLists(
  { block, allow, skips = new Map(), quiet = false }: ListFiles,
  normalizer: Normalizer,
): Promise<FilterMemory> {
  const hosts = new HostTableBuilder();
  const blocked = new ListBuilder(hosts, 1, normalizer);
  for (const file of block) await readList(file, blocked, quiet);
  for (const site of skips.keys()) addHostOf(site, hosts);
  const allowed = new ListBuilder(hosts, ALLOW, normalizer);
  for (const file of allow) await readList(file, allowed, quiet);
  if (allow.length > 0 && allowed.count === 0) {
    throw new CommandFailure(`${allow.join(", ")}: --allow needs at least one entry`, 2);
  }
  return {
    hosts: hosts.finish(normalizer.engine === "wasm"),
    blocked: packPrefixes(blocked.prefixes),
    allowed: allow.length > 0 ? packPrefixes(allowed.prefixes) : null,
    endings: [...blocked.endings, ...allowed.endings],
    skips,
  };
}

/** Adds the host of a site, so that its URLs are looked at as a whole. No URL has a longer host than a table can hold. */
function addHostOf(site: string, hosts: HostTableBuilder): void {
  const { host = "" } = plainUrl(`http://${site}/`) ?? {};
  if (host.length <= LONGEST_HOST) hosts.add(host, PREFIXES);
}

async function readList(file: string, list: ListBuilder, quiet: boolean): Promise<void> {
  const bytes = await readAll(file, constants.MAX_LENGTH);
  let batch: PlacedEntry[] = [];
  let line = 0;
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(LF, at);
    const end = newline < 0 ? bytes.length : newline;
    const text = bytes.toString("utf8", at, end).trim();
    const entry = readEntry(text);
    line++;
    at = end + 1;
    if (entry === null) continue;
    if (typeof entry === "string") throw wrongLine({ file, line, text }, entry);
    if (!quiet && text.startsWith("*.")) sayFileType({ file, line, text });
    batch.push({ entry, file, line, text });
    if (batch.length < BATCH) continue;
    list.add(batch);
    batch = [];
  }
  list.add(batch);
}

/** Says that an entry is of hosts, if it looks like a type of files. */
function sayFileType({ file, line, text }: Place): void {
  const entry = text.replace(/\s.*$/s, "");
  const type = fileTypeOf(entry);
  if (type === null) return;
  say(
    `${file}, line ${line}: ${entry} means hosts, and ${type} is not a top-level domain; ${entry.replace("*", "/*")} means all URLs whose path ends so`,
  );
}
